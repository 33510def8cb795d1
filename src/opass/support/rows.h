#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace opass {

// Rows of small items, one behind the other in memory.
template <typename T>
class Rows {
 public:
  void Append(std::span<const T> row) {
    items_.insert(items_.end(), row.begin(), row.end());
    ends_.push_back(items_.size());
  }
  std::span<const T> operator[](std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : ends_[row - 1];
    return std::span<const T>(items_).subspan(begin, ends_[row] - begin);
  }
  std::size_t num_rows() const { return ends_.size(); }
  std::size_t num_items() const { return items_.size(); }

 private:
  std::vector<T> items_;
  std::vector<std::size_t> ends_;
};

}  // namespace opass
