// From a plan to what is drawn.
#include <fmt/format.h>

#include <algorithm>

#include "opass/reports/picture.h"

namespace opass::reports {
namespace {

using memory::AliasKind;
using memory::Buffer;
using memory::OpId;
using memory::ValueId;
using Kind = PictureBuffer::Kind;

class SideMaker {
 public:
  SideMaker(const memory::Problem& problem, const memory::Plan& plan,
            const std::vector<std::string>& op_labels)
      : problem_(problem), plan_(plan), op_labels_(op_labels) {}

  PictureSide Make() {
    side_.arena_bytes = plan_.arena_bytes;
    side_.peak_bytes = plan_.peak_bytes;
    side_.lower_bound_bytes = plan_.lower_bound_bytes;
    side_.proven_optimal = plan_.proven_optimal;
    for (const OpId op : plan_.order) side_.steps.push_back(Label(op));
    AddHeld();
    for (const Buffer& buffer : plan_.buffers) {
      if (buffer.size_bytes > 0 && buffer.first < buffer.last) side_.buffers.push_back(Of(buffer));
    }
    return std::move(side_);
  }

 private:
  const std::string& Label(OpId op) const {
    return op_labels_.empty() ? problem_.op(op).name : op_labels_[op.index()];
  }

  PictureBuffer Of(const Buffer& buffer) const {
    PictureBuffer drawn;
    drawn.offset_bytes = buffer.offset_bytes;
    drawn.size_bytes = buffer.size_bytes;
    drawn.first = buffer.first;
    drawn.last = buffer.last;
    if (!buffer.value.valid()) {
      drawn.kind = Kind::kWorkspace;
      drawn.origin = Label(buffer.workspace_of);
      drawn.name = "workspace of " + drawn.origin;
      return drawn;
    }
    const memory::Value& value = problem_.value(buffer.value);
    drawn.name = value.name;
    if (buffer.alias_kind != AliasKind::kNone) {
      drawn.kind = buffer.alias_kind == AliasKind::kInPlace ? Kind::kInPlace : Kind::kView;
      drawn.source = problem_.value(buffer.alias_of).name;
    }
    drawn.origin = value.producer.valid() ? Label(value.producer) : "input";
    drawn.end = EndOf(buffer, value);
    return drawn;
  }

  std::string EndOf(const Buffer& buffer, const memory::Value& value) const {
    if (value.is_output || value.is_preserved) return "kept to the end";
    const OpId op = plan_.order[static_cast<std::size_t>(buffer.last - 1)];
    return op == value.producer ? "read by nobody" : "last read by " + Label(op);
  }

  // A value that died keeps its bytes as long as a view of it lives.
  void AddHeld() {
    std::vector<const Buffer*> of_value(problem_.values.size());
    for (const Buffer& buffer : plan_.buffers) {
      if (buffer.value.valid()) of_value[buffer.value.index()] = &buffer;
    }
    std::vector<std::int64_t> last(problem_.values.size());  // of roots, through their views
    for (const Buffer& buffer : plan_.buffers) {
      const Buffer* root = &buffer;
      while (root->alias_kind == AliasKind::kView) root = of_value[root->alias_of.index()];
      if (!root->value.valid()) continue;
      std::int64_t& end = last[root->value.index()];
      end = std::max(end, buffer.last);
    }
    for (const Buffer& buffer : plan_.buffers) {
      if (!buffer.value.valid() || buffer.size_bytes == 0) continue;
      const std::int64_t end = last[buffer.value.index()];
      if (buffer.alias_kind == AliasKind::kView || end <= buffer.last) continue;
      PictureBuffer held = Of(buffer);
      held.kind = Kind::kHeld;
      held.source = held.name;
      held.name = "bytes of " + held.name;
      held.end.clear();
      held.first = buffer.last;
      held.last = end;
      side_.buffers.push_back(std::move(held));
    }
  }

  const memory::Problem& problem_;
  const memory::Plan& plan_;
  const std::vector<std::string>& op_labels_;
  PictureSide side_;
};

}  // namespace

PictureSide MakeSide(const memory::Problem& problem, const memory::Plan& plan,
                     const std::vector<std::int64_t>& step_bytes,
                     const std::vector<std::string>& op_labels) {
  PictureSide side = SideMaker(problem, plan, op_labels).Make();
  side.step_bytes = step_bytes;
  return side;
}

}  // namespace opass::reports
