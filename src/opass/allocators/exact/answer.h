#pragma once

namespace opass::allocators::exact_offsets {

// Of a search to the question whether everything fits below a capacity.
enum class Answer {
  kFits,
  kDoesNotFit,  // searched to the end
  kUnknown,     // the budget ended first
};

}  // namespace opass::allocators::exact_offsets
