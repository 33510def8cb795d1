#include "opass/support/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>
#include <set>
#include <sstream>

namespace opass {
namespace {

namespace fs = std::filesystem;

std::mutex temporaries_mutex;
std::set<std::string>& Temporaries() {
  static std::set<std::string> paths;
  return paths;
}

Error FileError(const std::string& path, int code) {
  const bool input = code == ENOENT || code == EISDIR || code == ENOTDIR;
  std::string message = std::strerror(code);
  return input ? InvalidInput(std::move(message), path)
               : EnvironmentError(std::move(message), path);
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::Open(const std::string& path) {
  // Without O_NONBLOCK, a pipe that nobody writes to would be waited for.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return FileError(path, errno);
  struct stat info = {};
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(descriptor);
    return InvalidInput("not a regular file", path);
  }
  const std::size_t size = static_cast<std::size_t>(info.st_size);
  const std::byte* data = nullptr;
  if (size > 0) {
    void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) {
      const int code = errno;
      close(descriptor);
      return EnvironmentError(fmt::format("cannot map the file: {}", std::strerror(code)), path);
    }
    data = static_cast<const std::byte*>(address);
  }
  close(descriptor);
  return std::shared_ptr<const MappedFile>(new MappedFile(data, size));
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

Result<std::string> ReadFile(const std::string& path) {
  if (path == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  std::error_code code;
  if (fs::is_directory(path, code)) return FileError(path, EISDIR);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return FileError(path, errno);
  std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (stream.bad()) return FileError(path, EIO);
  return content;
}

Status WriteFileAtomically(const std::string& path,
                           const std::function<Status(std::ostream&)>& write) {
  // Write through a link, not over it: the target keeps its place.
  std::error_code code;
  const bool is_link = fs::is_symlink(path, code);
  code.clear();  // set for a file that does not exist yet
  const std::string target = is_link ? fs::canonical(path, code).string() : path;
  if (code) return InvalidInput("the link leads nowhere", path);
  if (fs::is_directory(target, code)) return FileError(path, EISDIR);
  if (fs::exists(target, code) && !fs::is_regular_file(target, code)) {
    // A device such as /dev/null or a pipe cannot be replaced: write into it.
    std::ofstream stream(target, std::ios::binary);
    if (!stream) return FileError(path, errno);
    OPASS_RETURN_IF_ERROR(write(stream));
    stream.flush();
    return stream ? Status() : Status(EnvironmentError("writing failed", path));
  }
  const std::string temporary = fmt::format("{}.part{}", target, getpid());
  {
    std::lock_guard lock(temporaries_mutex);
    Temporaries().insert(temporary);
  }
  const auto drop = [&] {
    std::lock_guard lock(temporaries_mutex);
    unlink(temporary.c_str());
    Temporaries().erase(temporary);
  };
  {
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    if (!stream) {
      const int error = errno;
      drop();
      return error == ENOENT ? InvalidInput("the folder does not exist", path)
                             : FileError(path, error);
    }
    Status status = write(stream);
    stream.flush();
    if (status.ok() && !stream) status = EnvironmentError("writing failed (disk full?)", path);
    if (!status.ok()) {
      stream.close();
      drop();
      return status;
    }
  }
  if (rename(temporary.c_str(), target.c_str()) != 0) {
    const int error = errno;
    drop();
    return FileError(path, error);
  }
  std::lock_guard lock(temporaries_mutex);
  Temporaries().erase(temporary);
  return {};
}

Status WriteFileAtomically(const std::string& path, std::string_view content) {
  return WriteFileAtomically(path, [&](std::ostream& stream) -> Status {
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    return {};
  });
}

bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code code;
  return fs::equivalent(a, b, code) && !code;
}

void RemoveTemporaryFiles() {
  std::lock_guard lock(temporaries_mutex);
  for (const std::string& path : Temporaries()) unlink(path.c_str());
  Temporaries().clear();
}

}  // namespace opass
