#include "opass/schedulers/search/exact.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "opass/bounds/lower_bound.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/segment.h"
#include "opass/schedulers/search/segment_certificate.h"
#include "opass/schedulers/search/split.h"
#include "opass/schedulers/search/step_state.h"
#include "opass/schedulers/search/tighten.h"
#include "opass/schedulers/search/twins.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using memory::Certificate;
using memory::OpId;

constexpr std::uint64_t kFirstLimit = 20'000;
constexpr std::uint64_t kNextLimit = 4;  // times the one before
// Where parts are independent few nodes are enough to merge them, and elsewhere none are.
constexpr std::uint64_t kMergePart = 10;

class Exact {
 public:
  Exact(const memory::StorageGraph& graph, std::span<const OpId> order, Certificate bound,
        const ExactOptions& options)
      : graph_(graph), steps_(graph), options_(options), nodes_left_(options.max_nodes) {
    result_.order.assign(order.begin(), order.end());
    result_.peak_bytes = PeakBytes(steps_, order);
    result_.bound = std::move(bound);
  }

  ExactResult Run() {
    if (Proven() || result_.order.empty()) return std::move(result_);
    MakeSegments();
    BoundSegments();
    if (options_.rules.destructive) {
      for (Segment* segment : Open()) {
        Tightener(*segment, options_.rules, nodes_left_).RaiseBound(bound_bytes());
      }
    }
    for (std::uint64_t limit = kFirstLimit; nodes_left_ > 0 && !Interrupted();
         limit *= kNextLimit) {
      const std::vector<Segment*> open = Open();
      if (open.empty()) break;
      for (Segment* segment : open) {
        Tightener(*segment, options_.rules, nodes_left_).MergeComponents(limit / kMergePart);
        Tightener(*segment, options_.rules, nodes_left_, options_.threads)
            .Narrow(bound_bytes(), limit);
        Tell();
      }
      if (limit >= options_.max_nodes) break;
    }
    Gather();
    return std::move(result_);
  }

 private:
  bool Proven() const { return result_.peak_bytes <= result_.bound.bytes; }

  void MakeSegments() {
    if (options_.rules.split) {
      split_ = SplitAlong(graph_, result_.order, options_.max_cut_work);
    } else {
      split_.order = result_.order;
    }
    std::vector<std::size_t> firsts = split_.splits;
    firsts.push_back(0);
    std::sort(firsts.begin(), firsts.end());
    StepState state(steps_, Direction::kForward);
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      Segment& segment = segments_.emplace_back();
      segment.first = firsts[i];
      segment.last = i + 1 < firsts.size() ? firsts[i + 1] : split_.order.size();
      segment.peak_bytes = state.live_bytes();
      for (std::size_t k = segment.first; k < segment.last; ++k) {
        const OpId op = split_.order[k];
        segment.peak_bytes = std::max(segment.peak_bytes, state.Cost(op).step_bytes);
        state.Take(op);
      }
    }
  }

  // What all orders need: of the whole problem or of one part.
  std::int64_t bound_bytes() const {
    std::int64_t bytes = result_.bound.bytes;
    for (const Segment& segment : segments_) bytes = std::max(bytes, segment.bound.bytes);
    return bytes;
  }

  void Tell() const {
    if (!options_.on_progress) return;
    std::int64_t peak_bytes = 0;
    for (const Segment& segment : segments_) peak_bytes = std::max(peak_bytes, segment.peak_bytes);
    options_.on_progress(std::min(peak_bytes, result_.peak_bytes), bound_bytes());
  }

  // The parts that could need more than is proved, those that need most first.
  std::vector<Segment*> Open() {
    std::vector<Segment*> open;
    const std::int64_t bound = bound_bytes();
    for (Segment& segment : segments_) {
      if (segment.peak_bytes > bound && (segment.part || !posed_)) open.push_back(&segment);
    }
    std::stable_sort(open.begin(), open.end(), [](const Segment* a, const Segment* b) {
      return a->peak_bytes > b->peak_bytes;
    });
    return open;
  }

  // Poses the parts that are open as problems, and computes what single operators of them need.
  void BoundSegments() {
    const std::span<const OpId> all(split_.order);
    for (Segment* segment : Open()) {
      if (segment->peak_bytes <= bound_bytes() || Interrupted()) break;
      const std::size_t length = segment->last - segment->first;
      segment->part = std::make_unique<const Part>(graph_, all.first(segment->first),
                                                   all.subspan(segment->first, length));
      segment->order = segment->part->GivenOrder();
      bounds::LowerBoundOptions bound_options;
      bound_options.stop_at = segment->peak_bytes;
      bound_options.max_work = options_.max_cut_work / segments_.size();
      bound_options.order = segment->order;
      segment->bound = bounds::LowerBound(segment->part->graph(), bound_options);
      if (options_.rules.twins && !segment->closed()) OrderTwins(*segment);
    }
    posed_ = true;
  }

  static void OrderTwins(Segment& segment) {
    const memory::StorageGraph& graph = segment.part->graph();
    segment.twins = TwinPrecedences(graph);
    if (segment.twins.empty()) return;
    segment.one_of_twins = std::make_unique<const Part>(
        graph, std::span<const OpId>(), OrderWith(graph, segment.twins), segment.twins);
  }

  void Gather() {
    std::vector<OpId> order = OrderOf(split_, segments_);
    Certificate found = CertificateOf(steps_, split_, segments_, order);
    const std::int64_t peak_bytes = PeakBytes(steps_, order);
    if (peak_bytes < result_.peak_bytes) {
      result_.order = std::move(order);
      result_.peak_bytes = peak_bytes;
    }
    Certificate& known = result_.bound;
    if (known.kind != Certificate::Kind::kSegments && known.bytes >= found.bytes) {
      // Of the whole problem more is known; the segments still say where less would do.
      static_cast<memory::Bound&>(found) = known;
    }
    if (found.bytes >= known.bytes) known = std::move(found);
    result_.nodes = options_.max_nodes - nodes_left_;
    result_.num_parts = segments_.size();
  }

  const memory::StorageGraph& graph_;
  const StepGraph steps_;
  const ExactOptions& options_;
  std::uint64_t nodes_left_;
  SplitOrder split_;
  std::vector<Segment> segments_;
  bool posed_ = false;  // those segments that are searched have parts
  ExactResult result_;
};

}  // namespace

ExactResult FindExact(const memory::StorageGraph& graph, std::span<const OpId> order,
                      Certificate bound, const ExactOptions& options) {
  return Exact(graph, order, std::move(bound), options).Run();
}

}  // namespace opass::schedulers
