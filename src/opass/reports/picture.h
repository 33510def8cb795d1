#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"

// The picture of one or more plans (docs/picture.md): the arena as rectangles over time, and the
// live bytes of every step. Plain data in, one self-contained file out.
namespace opass::reports {

// One rectangle: addresses [offset, offset + size) during the steps [first, last).
struct PictureBuffer {
  enum class Kind {
    kOwn,        // bytes that it shares with nobody when it begins
    kView,       // lies inside the bytes of another value
    kInPlace,    // begins at the address of the input that dies at its first step
    kWorkspace,  // scratch of one operator
    kHeld,       // bytes of a value that is dead, held by a view of it that is not
  };

  Kind kind = Kind::kOwn;
  std::string name;
  std::string source;  // kView and kInPlace: of whom; else empty
  std::string origin;  // what wrote it: "input", "Relu 'relu_1'"
  std::string end;     // what read it last: "kept to the end", "MaxPool 'pool_2'"
  std::int64_t offset_bytes = 0;
  std::int64_t size_bytes = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// One plan.
struct PictureSide {
  std::string title;               // "planned order"
  std::string caption;             // a sentence that says what it is
  std::vector<std::string> steps;  // the operator of each step
  std::vector<std::int64_t> step_bytes;
  std::vector<PictureBuffer> buffers;
  std::int64_t arena_bytes = 0;
  std::int64_t peak_bytes = 0;
  std::int64_t lower_bound_bytes = 0;
  bool proven_optimal = false;
};

struct Picture {
  std::string title;               // the model
  std::vector<PictureSide> sides;  // drawn beside each other on the same scales; the first is what
                                   // the percentages compare with
  std::vector<std::string> explanation = {};  // lines below the drawings of a page; may be empty
};

// A side without title and caption. `op_labels`: how operators are called, by OpId; empty: by their
// names. `plan` must have passed memory::Check and `step_bytes` be those of its order.
PictureSide MakeSide(const memory::Problem& problem, const memory::Plan& plan,
                     const std::vector<std::int64_t>& step_bytes,
                     const std::vector<std::string>& op_labels);

// A page with tooltips for mouse and keyboard; it loads nothing and runs one script of its own.
std::string PictureToHtml(const Picture& picture);

// The same without a script, names and sizes in <title> elements.
std::string PictureToSvg(const Picture& picture);

}  // namespace opass::reports
