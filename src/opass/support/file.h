#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>

#include "opass/support/result.h"

namespace opass {

// A file mapped read-only; the bytes live as long as the object. Empty files map to an empty span.
class MappedFile {
 public:
  static Result<std::shared_ptr<const MappedFile>> Open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}
  const std::byte* data_;
  std::size_t size_;
};

// The whole file, or standard input for "-". Directories and unreadable files are errors.
Result<std::string> ReadFile(const std::string& path);

// Calls `write` with a stream to a temporary file beside `path`, then renames it: the file appears
// whole or not at all, also when the disk is full or the program is interrupted.
Status WriteFileAtomically(const std::string& path,
                           const std::function<Status(std::ostream&)>& write);
Status WriteFileAtomically(const std::string& path, std::string_view content);

// True when both paths name the same existing file (links resolved).
bool IsSameFile(const std::string& a, const std::string& b);

// Removes the temporary files of writes that are under way; safe in a signal handler's aftermath.
void RemoveTemporaryFiles();

}  // namespace opass
