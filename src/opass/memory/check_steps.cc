#include "opass/memory/check_steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace opass::memory::check {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class Reader {
 public:
  Reader(const Recount& recount, const std::vector<OpId>& order)
      : recount_(recount),
        certificate_(recount.state().plan.certificate),
        problem_(recount.state().problem),
        order_(order) {}

  Status Run() {
    OPASS_RETURN_IF_ERROR(ReadOrder());
    if (certificate_.segments.empty()) {
      if (certificate_.splits.empty()) return {};
      return Refuse("the certificate has splits but no segments");
    }
    OPASS_RETURN_IF_ERROR(ReadSplits());
    return ReadPeaks();
  }

 private:
  Status ReadOrder() {
    step_of_.assign(problem_.ops.size(), kNone);
    if (order_.size() != problem_.ops.size()) {
      return Refuse(fmt::format("the certificate's order has {} operators, the problem {}",
                                order_.size(), problem_.ops.size()));
    }
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const OpId id = order_[k];
      if (id.index() >= problem_.ops.size() || step_of_[id.index()] != kNone) {
        return Refuse("the certificate's order names an operator twice or an unknown one");
      }
      step_of_[id.index()] = k;
      for (const ValueId input : problem_.op(id).inputs) {
        const OpId producer = problem_.value(input).producer;
        if (producer.valid() && step_of_[producer.index()] == kNone) {
          return Refuse("the certificate's order has it before its inputs", problem_.op(id).name);
        }
      }
    }
    return {};
  }

  Status ReadSplits() const {
    std::vector<std::size_t> ends = certificate_.splits;
    ends.push_back(order_.size());
    std::sort(ends.begin(), ends.end());
    std::size_t first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i] <= first || ends.back() != order_.size()) {
        return Refuse("the certificate's splits are not different steps inside the order");
      }
      if (i >= certificate_.segments.size() || certificate_.segments[i].first != first ||
          certificate_.segments[i].last != ends[i]) {
        return Refuse("the certificate's segments are not those between its splits");
      }
      first = ends[i];
    }
    if (certificate_.segments.size() == ends.size()) return {};
    return Refuse("the certificate's segments are not those between its splits");
  }

  Status ReadPeaks() const {
    const std::vector<std::int64_t> bytes = StepBytes();
    for (const Certificate::Segment& segment : certificate_.segments) {
      const auto begin = bytes.begin();
      const std::int64_t peak =
          *std::max_element(begin + static_cast<std::ptrdiff_t>(segment.first),
                            begin + static_cast<std::ptrdiff_t>(segment.last));
      if (segment.peak_bytes == peak) continue;
      return Refuse(
          fmt::format("the certificate's segment [{}, {}) has a peak of {}, its steps "
                      "need {}",
                      segment.first, segment.last, segment.peak_bytes, peak));
    }
    return {};
  }

  // What each step of the order needs, as far as in-place is used wherever it saves most.
  std::vector<std::int64_t> StepBytes() const {
    const std::vector<Family>& families = recount_.state().families;
    std::vector<std::size_t> last_step(families.size(), kNone);
    std::vector<std::int64_t> bytes(order_.size() + 1, 0);
    for (std::size_t i = 0; i < families.size(); ++i) {
      const OpId producer = problem_.value(families[i].root).producer;
      std::vector<std::size_t> steps;
      for (const OpId reader : recount_.readers(i)) steps.push_back(step_of_[reader.index()]);
      if (!producer.valid() && !families[i].kept && steps.empty()) continue;
      std::size_t first = 0;
      if (producer.valid()) first = step_of_[producer.index()];
      if (recount_.Waits(i)) first = *std::min_element(steps.begin(), steps.end());
      last_step[i] = families[i].kept ? order_.size() - 1
                     : steps.empty()  ? first
                                      : *std::max_element(steps.begin(), steps.end());
      bytes[first] += recount_.SizeOf(i);
      bytes[last_step[i] + 1] -= recount_.SizeOf(i);
    }
    for (std::size_t k = 1; k < bytes.size(); ++k) bytes[k] += bytes[k - 1];
    for (std::size_t k = 0; k < order_.size(); ++k) {
      bytes[k] += recount_.WorkspaceBytes(order_[k]) -
                  recount_.Gain(order_[k], [&](std::size_t i) { return last_step[i] == k; });
    }
    return bytes;
  }

  const Recount& recount_;
  const Certificate& certificate_;
  const Problem& problem_;
  const std::vector<OpId>& order_;
  std::vector<std::size_t> step_of_;  // per operator
};

}  // namespace

Result<Steps> Steps::Read(const Recount& recount) {
  const Plan& plan = recount.state().plan;
  const std::vector<OpId>& order =
      plan.certificate.order.empty() ? plan.order : plan.certificate.order;
  OPASS_RETURN_IF_ERROR(Reader(recount, order).Run());
  return Steps(order);
}

std::vector<bool> Steps::Prefix(std::size_t length) const {
  std::vector<bool> prefix(order_->size(), false);
  for (std::size_t k = 0; k < length; ++k) prefix[(*order_)[k].index()] = true;
  return prefix;
}

}  // namespace opass::memory::check
