#include "opass/runtime/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "opass/support/bytes.h"
#include "opass/support/file.h"

namespace opass::runtime {
namespace {

using ir::DataType;

constexpr std::string_view kMagic("\x93NUMPY", 6);

struct Code {
  std::string_view code;  // without the byte order
  DataType type;
  std::size_t part_bytes;  // what a byte order reverses: half of a complex number
};
constexpr Code kCodes[] = {
    {"f4", DataType::kFloat, 4},     {"f8", DataType::kDouble, 8},
    {"f2", DataType::kFloat16, 2},   {"i1", DataType::kInt8, 1},
    {"i2", DataType::kInt16, 2},     {"i4", DataType::kInt32, 4},
    {"i8", DataType::kInt64, 8},     {"u1", DataType::kUint8, 1},
    {"u2", DataType::kUint16, 2},    {"u4", DataType::kUint32, 4},
    {"u8", DataType::kUint64, 8},    {"b1", DataType::kBool, 1},
    {"c8", DataType::kComplex64, 4}, {"c16", DataType::kComplex128, 8},
};

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> dims;
};

// The text after "'key':" in the dictionary of the header, blanks skipped.
std::optional<std::string_view> Entry(std::string_view dictionary, std::string_view key) {
  const std::size_t at = dictionary.find(fmt::format("'{}'", key));
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t colon = dictionary.find(':', at);
  if (colon == std::string_view::npos) return std::nullopt;
  const std::size_t value = dictionary.find_first_not_of(' ', colon + 1);
  if (value == std::string_view::npos) return std::nullopt;
  return dictionary.substr(value);
}

std::optional<std::vector<std::int64_t>> ParseTuple(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  const std::size_t end = text.find(')');
  if (end == std::string_view::npos) return std::nullopt;
  std::vector<std::int64_t> dims;
  const char* at = text.data() + 1;
  const char* const last = text.data() + end;
  while (true) {
    while (at != last && (*at == ' ' || *at == ',')) ++at;
    if (at == last) return dims;
    std::int64_t dim = 0;
    const auto [next, error] = std::from_chars(at, last, dim);
    if (error != std::errc() || dim < 0) return std::nullopt;
    dims.push_back(dim);
    at = next;
  }
}

std::optional<Header> ParseHeader(std::string_view dictionary) {
  const auto descr = Entry(dictionary, "descr");
  const auto order = Entry(dictionary, "fortran_order");
  const auto shape = Entry(dictionary, "shape");
  if (!descr || !order || !shape || !descr->starts_with('\'')) return std::nullopt;
  const std::size_t quote = descr->find('\'', 1);
  auto dims = ParseTuple(*shape);
  if (quote == std::string_view::npos || !dims) return std::nullopt;
  return Header{std::string(descr->substr(1, quote - 1)), order->starts_with("True"),
                *std::move(dims)};
}

// Elements from column-major to row-major order.
std::string ToRowMajor(std::string_view data, const std::vector<std::int64_t>& dims,
                       std::size_t element_bytes) {
  std::string out;
  out.reserve(data.size());
  std::vector<std::size_t> strides(dims.size());
  std::size_t stride = element_bytes;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    strides[i] = stride;
    stride *= static_cast<std::size_t>(dims[i]);
  }
  std::vector<std::int64_t> index(dims.size());
  std::size_t offset = 0;
  while (out.size() < data.size()) {
    out.append(data.substr(offset, element_bytes));
    for (std::size_t axis = dims.size(); axis-- > 0;) {
      offset += strides[axis];
      if (++index[axis] < dims[axis]) break;
      offset -= strides[axis] * static_cast<std::size_t>(dims[axis]);
      index[axis] = 0;
    }
  }
  return out;
}

void ReverseParts(std::string& data, std::size_t part_bytes) {
  for (auto at = data.begin(); at != data.end(); at += static_cast<std::ptrdiff_t>(part_bytes)) {
    std::reverse(at, at + static_cast<std::ptrdiff_t>(part_bytes));
  }
}

void AppendUtf8(std::string& text, std::uint32_t code) {
  const auto tail = [&](int shift) {
    text += static_cast<char>(0x80U | ((code >> shift) & 0x3fU));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0U | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0U | (code >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xf0U | ((code >> 18) & 7U));
    tail(12);
    tail(6);
    tail(0);
  }
}

// UTF-32, `width` characters an element, padded with zeros.
ir::TensorPtr Strings(std::string_view data, std::size_t width, std::vector<std::int64_t> dims) {
  auto tensor = std::make_shared<ir::Tensor>();
  tensor->type = DataType::kString;
  const std::int64_t count = ir::NumElements(dims).value_or(0);
  tensor->dims = std::move(dims);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    std::string& text = tensor->strings.emplace_back();
    for (std::size_t k = 0; k < width; ++k) {
      std::uint32_t code = 0;
      for (std::size_t byte = 4; byte-- > 0;) {
        code = code << 8 | static_cast<unsigned char>(data[(i * width + k) * 4 + byte]);
      }
      if (code == 0) break;
      AppendUtf8(text, code);
    }
  }
  return tensor;
}

// Bytes of one element; 0 for a type that opass does not read.
std::size_t ElementBytes(const std::string& descr, const Code** code, std::size_t* width) {
  const std::string_view name = std::string_view(descr).substr(1);
  for (const Code& known : kCodes) {
    if (known.code != name) continue;
    *code = &known;
    return static_cast<std::size_t>(ir::BitWidth(known.type)) / 8;
  }
  if (!name.starts_with('U')) return 0;
  const auto parsed = std::from_chars(name.data() + 1, name.data() + name.size(), *width);
  constexpr std::size_t kMaxWidth = 1 << 20;
  return parsed.ec == std::errc() && *width <= kMaxWidth ? *width * 4 : 0;
}

}  // namespace

Result<ir::TensorPtr> ParseNpy(std::string_view content, const std::string& path) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(content[i]));
  };
  if (!content.starts_with(kMagic) || content.size() < 12) {
    return InvalidInput("this is not a .npy file", path);
  }
  const bool is_long = byte(6) >= 2;
  const std::size_t start = is_long ? 12 : 10;
  const std::size_t length =
      byte(8) | byte(9) << 8 | (is_long ? byte(10) << 16 | byte(11) << 24 : 0);
  if (content.size() - start < length) {
    return InvalidInput("the .npy header is cut off", path);
  }
  const std::optional<Header> header = ParseHeader(content.substr(start, length));
  if (!header || header->descr.size() < 2) {
    return InvalidInput("the .npy header cannot be read", path);
  }
  const Code* code = nullptr;
  std::size_t width = 0;
  const std::size_t element_bytes = ElementBytes(header->descr, &code, &width);
  const char order = header->descr[0];
  if (element_bytes == 0 || (code == nullptr && order != '<')) {
    return InvalidInput(fmt::format("arrays of type '{}' cannot be read", header->descr), path,
                        "use numbers, bool or little-endian unicode strings, or a TensorProto "
                        "(.pb)");
  }
  const std::optional<std::int64_t> count = ir::NumElements(header->dims);
  const std::string_view data = content.substr(start + length);
  const auto size =
      count ? CheckedMul(*count, static_cast<std::int64_t>(element_bytes)) : std::nullopt;
  if (!size || static_cast<std::int64_t>(data.size()) != *size) {
    return InvalidInput(fmt::format("the file holds {} bytes of data, its header says {}",
                                    data.size(), size ? fmt::format("{}", *size) : "too many"),
                        path);
  }
  std::string elements = header->fortran_order && header->dims.size() > 1
                             ? ToRowMajor(data, header->dims, element_bytes)
                             : std::string(data);
  if (code == nullptr) return Strings(elements, width, header->dims);
  if (order == '>') ReverseParts(elements, code->part_bytes);
  return ir::Tensor::Make(code->type, header->dims, std::move(elements));
}

Result<ir::TensorPtr> ReadNpy(const std::string& path) {
  OPASS_ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  return ParseNpy(content, path);
}

Result<std::string> FormatNpy(const ir::Tensor& tensor) {
  const Code* code = std::ranges::find(kCodes, tensor.type, &Code::type);
  if (code == std::end(kCodes)) {
    return InvalidInput(
        fmt::format("a .npy file cannot hold elements of type {}", ir::Name(tensor.type)));
  }
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                  code->part_bytes == 1 ? '|' : '<', code->code, fmt::join(tensor.dims, ", "),
                  tensor.dims.size() == 1 ? "," : "");
  constexpr std::size_t kPreambleBytes = 10;
  while ((kPreambleBytes + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string out(kMagic);
  out +=
      {'\1', '\0', static_cast<char>(header.size() & 255U), static_cast<char>(header.size() >> 8)};
  out += header;
  out.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  return out;
}

}  // namespace opass::runtime
