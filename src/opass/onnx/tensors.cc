#include "opass/onnx/tensors.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>

#include "opass/onnx/types.h"
#include "opass/support/bytes.h"

namespace opass::onnxlib {
namespace {

using ir::DataType;

static_assert(std::endian::native == std::endian::little, "tensors are little-endian in memory");

Error BadTensor(std::string message, const std::string& where) {
  return WithReason(InvalidInput(std::move(message), where), "bad-tensor");
}

Error WrongLength(std::int64_t found, std::int64_t wanted, const std::string& where) {
  return BadTensor(fmt::format("holds {} where its dimensions ask for {}", found, wanted), where);
}

// Packs a typed field: each element of the field becomes one `T`.
template <typename T, typename Field>
std::string Pack(const Field& field) {
  std::string bytes(static_cast<std::size_t>(field.size()) * sizeof(T), '\0');
  char* out = bytes.data();
  for (const auto element : field) {
    const T narrow = static_cast<T>(element);
    std::memcpy(out, &narrow, sizeof(T));
    out += sizeof(T);
  }
  return bytes;
}

// The bytes of the typed field that belongs to the element type. Types of 4 and 2 bits have one
// packed byte an entry (onnx.proto, int32_data).
std::string PackTypedField(const ::onnx::TensorProto& proto, DataType type) {
  switch (type) {
    case DataType::kFloat:
    case DataType::kComplex64:
      return Pack<float>(proto.float_data());
    case DataType::kDouble:
    case DataType::kComplex128:
      return Pack<double>(proto.double_data());
    case DataType::kInt64:
      return Pack<std::int64_t>(proto.int64_data());
    case DataType::kUint64:
      return Pack<std::uint64_t>(proto.uint64_data());
    case DataType::kUint32:
      return Pack<std::uint32_t>(proto.uint64_data());
    case DataType::kInt32:
      return Pack<std::int32_t>(proto.int32_data());
    case DataType::kInt16:
    case DataType::kUint16:
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return Pack<std::uint16_t>(proto.int32_data());
    default:
      return Pack<std::uint8_t>(proto.int32_data());
  }
}

bool HasTypedField(const ::onnx::TensorProto& proto) {
  return proto.float_data_size() > 0 || proto.int32_data_size() > 0 ||
         proto.int64_data_size() > 0 || proto.double_data_size() > 0 ||
         proto.uint64_data_size() > 0 || proto.string_data_size() > 0;
}

Result<std::int64_t> ParseNumber(const std::string& text, const std::string& where) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || number < 0) {
    return WithReason(
        InvalidInput(
            fmt::format("'{}' is no offset or length of external data", text.substr(0, 40)), where),
        "external-data");
  }
  return number;
}

Status MapExternal(const ::onnx::TensorProto& proto, std::int64_t size, ExternalFiles& files,
                   const std::string& where, ir::Tensor& tensor) {
  ir::ExternalData external;
  external.length = size;
  for (const auto& entry : proto.external_data()) {
    if (entry.key() == "location") external.location = entry.value();
    if (entry.key() == "offset") {
      OPASS_ASSIGN_OR_RETURN(external.offset, ParseNumber(entry.value(), where));
    }
    if (entry.key() == "length") {
      OPASS_ASSIGN_OR_RETURN(external.length, ParseNumber(entry.value(), where));
    }
  }
  if (external.length != size) return WrongLength(external.length, size, where);
  OPASS_ASSIGN_OR_RETURN(auto file, files.Open(external.location, where));
  const std::int64_t file_size = static_cast<std::int64_t>(file->bytes().size());
  if (external.offset > file_size || size > file_size - external.offset) {
    return WithReason(
        InvalidInput(fmt::format("its external data, {} bytes at {}, is beyond the end of '{}'",
                                 size, external.offset, external.location),
                     where),
        "external-data");
  }
  tensor.bytes = file->bytes().subspan(static_cast<std::size_t>(external.offset),
                                       static_cast<std::size_t>(size));
  tensor.owner = std::move(file);
  tensor.external = std::move(external);
  return {};
}

void Own(std::shared_ptr<const std::string> content, ir::Tensor& tensor) {
  tensor.bytes = std::as_bytes(std::span(content->data(), content->size()));
  tensor.owner = std::move(content);
}

Status TakeStrings(::onnx::TensorProto& proto, std::int64_t count, const std::string& where,
                   ir::Tensor& tensor) {
  if (proto.data_location() == ::onnx::TensorProto::EXTERNAL || proto.has_raw_data()) {
    return BadTensor("strings must stand in string_data", where);
  }
  if (proto.string_data_size() != count) return WrongLength(proto.string_data_size(), count, where);
  for (auto& text : *proto.mutable_string_data()) tensor.strings.push_back(std::move(text));
  return {};
}

Status TakeBytes(::onnx::TensorProto& proto, ExternalFiles& files, const std::string& where,
                 ir::Tensor& tensor) {
  const auto size = ir::SizeBytes(tensor.type, tensor.dims);
  if (!size) return BadTensor("its dimensions are too large", where);
  if (proto.data_location() == ::onnx::TensorProto::EXTERNAL) {
    return MapExternal(proto, *size, files, where, tensor);
  }
  if (proto.has_raw_data()) {
    if (HasTypedField(proto)) return BadTensor("holds raw and typed data", where);
    Own(std::shared_ptr<const std::string>(proto.release_raw_data()), tensor);
  } else {
    Own(std::make_shared<const std::string>(PackTypedField(proto, tensor.type)), tensor);
  }
  const std::int64_t found = static_cast<std::int64_t>(tensor.bytes.size());
  if (found != *size) {
    return WrongLength(found, *size, fmt::format("{}, bytes of {}", where, ir::Name(tensor.type)));
  }
  return {};
}

}  // namespace

Result<ir::TensorPtr> TakeTensor(::onnx::TensorProto& proto, ExternalFiles& files,
                                 const std::string& where) {
  auto tensor = std::make_shared<ir::Tensor>();
  OPASS_ASSIGN_OR_RETURN(tensor->type, DataTypeFromProto(proto.data_type(), where));
  if (proto.has_segment()) return BadTensor("segmented tensors are not supported", where);
  tensor->dims.assign(proto.dims().begin(), proto.dims().end());
  const auto count = ir::NumElements(tensor->dims);
  if (!count) return BadTensor("its dimensions are negative or too large", where);
  OPASS_RETURN_IF_ERROR(tensor->type == DataType::kString
                            ? TakeStrings(proto, *count, where, *tensor)
                            : TakeBytes(proto, files, where, *tensor));
  return ir::TensorPtr(std::move(tensor));
}

::onnx::TensorProto TensorHeader(const ir::Tensor& tensor) {
  ::onnx::TensorProto proto;
  proto.set_data_type(static_cast<int>(tensor.type));
  for (const std::int64_t dim : tensor.dims) proto.add_dims(dim);
  for (const std::string& text : tensor.strings) proto.add_string_data(text);
  return proto;
}

::onnx::TensorProto TensorToProto(const ir::Tensor& tensor) {
  ::onnx::TensorProto proto = TensorHeader(tensor);
  if (tensor.type != DataType::kString) {
    proto.set_raw_data(tensor.bytes.data(), tensor.bytes.size());
  }
  return proto;
}

}  // namespace opass::onnxlib
