// The zip format (PKWARE's APPNOTE): a directory at the end of the file lists the members and where
// each begins.
#include "opass/bench/npz.h"

#include <zlib.h>

#include <optional>
#include <string_view>

#include "opass/runtime/npy.h"
#include "opass/support/file.h"

namespace opass::bench {
namespace {

constexpr std::size_t kMaxBytesOfArray = std::size_t{256} << 20;
constexpr std::size_t kMaxRatio = 1032;  // of deflate
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kLocalBytes = 30;
constexpr std::string_view kEndMark("PK\5\6", 4);
constexpr std::string_view kEntryMark("PK\1\2", 4);
constexpr std::string_view kLocalMark("PK\3\4", 4);

// An unsigned number of `length` bytes; what is asked for lies inside of the text.
std::size_t Number(std::string_view text, std::size_t at, std::size_t length) {
  std::size_t number = 0;
  for (std::size_t i = length; i > 0; --i) {
    number = number << 8U | static_cast<unsigned char>(text[at + i - 1]);
  }
  return number;
}

std::optional<std::string> Inflate(std::string_view deflated, std::size_t size) {
  std::string content(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  // zlib reads through a pointer that is not const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(deflated.data()));
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(size);
  const int code = inflate(&stream, Z_FINISH);
  const bool is_whole = code == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  return is_whole ? std::optional(std::move(content)) : std::nullopt;
}

struct Member {
  std::string name;
  std::size_t method = 0;  // 0: stored, 8: deflated
  std::size_t packed_bytes = 0;
  std::size_t size_bytes = 0;
  std::size_t offset = 0;  // of the local header
};

// The member whose entry of the directory stands at `at`, which moves behind it.
std::optional<Member> ReadEntry(std::string_view zip, std::size_t& at) {
  if (at > zip.size() || zip.size() - at < kEntryBytes) return std::nullopt;
  if (zip.substr(at, 4) != kEntryMark) return std::nullopt;
  Member member;
  member.method = Number(zip, at + 10, 2);
  member.packed_bytes = Number(zip, at + 20, 4);
  member.size_bytes = Number(zip, at + 24, 4);
  member.offset = Number(zip, at + 42, 4);
  const std::size_t name_bytes = Number(zip, at + 28, 2);
  const std::size_t more_bytes = Number(zip, at + 30, 2) + Number(zip, at + 32, 2);
  if (zip.size() - at - kEntryBytes < name_bytes + more_bytes) return std::nullopt;
  member.name = zip.substr(at + kEntryBytes, name_bytes);
  at += kEntryBytes + name_bytes + more_bytes;
  return member;
}

std::optional<std::string> Content(std::string_view zip, const Member& member) {
  const std::size_t at = member.offset;
  if (at > zip.size() || zip.size() - at < kLocalBytes) return std::nullopt;
  if (zip.substr(at, 4) != kLocalMark) return std::nullopt;
  const std::size_t begin = at + kLocalBytes + Number(zip, at + 26, 2) + Number(zip, at + 28, 2);
  if (begin > zip.size() || zip.size() - begin < member.packed_bytes) return std::nullopt;
  if (member.size_bytes > kMaxBytesOfArray) return std::nullopt;
  // Nobody makes room for what so few bytes cannot hold.
  if (member.size_bytes / kMaxRatio > member.packed_bytes) return std::nullopt;
  const std::string_view packed = zip.substr(begin, member.packed_bytes);
  if (member.method == 8) return Inflate(packed, member.size_bytes);
  if (member.method != 0 || packed.size() != member.size_bytes) return std::nullopt;
  return std::string(packed);
}

}  // namespace

Result<std::map<std::string, ir::TensorPtr>> ReadNpz(const std::string& path) {
  OPASS_ASSIGN_OR_RETURN(const std::string file, ReadFile(path));
  return ParseNpz(file, path);
}

Result<std::map<std::string, ir::TensorPtr>> ParseNpz(std::string_view zip,
                                                      const std::string& path) {
  const Error damaged = InvalidInput("the file is damaged", path);
  const std::size_t end = zip.rfind(kEndMark);
  if (end == std::string_view::npos || zip.size() - end < kEndBytes) return damaged;
  std::map<std::string, ir::TensorPtr> arrays;
  std::size_t at = Number(zip, end + 16, 4);
  for (std::size_t count = Number(zip, end + 10, 2); count > 0; --count) {
    const auto member = ReadEntry(zip, at);
    const auto content = member ? Content(zip, *member) : std::nullopt;
    if (!content) return damaged;
    const std::string name = member->name.substr(0, member->name.rfind(".npy"));
    OPASS_ASSIGN_OR_RETURN(arrays[name], runtime::ParseNpy(*content, path + ": " + member->name));
  }
  return arrays;
}

}  // namespace opass::bench
