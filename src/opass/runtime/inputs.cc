#include "opass/runtime/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "opass/ir/float16.h"
#include "opass/onnx/tensor_file.h"
#include "opass/runtime/machine_memory.h"
#include "opass/runtime/npy.h"
#include "opass/runtime/random.h"
#include "opass/support/bytes.h"

namespace opass::runtime {
namespace {

using ir::DataType;

template <typename T, typename Draw>
std::string Fill(std::int64_t count, Draw draw) {
  std::string content(static_cast<std::size_t>(count) * sizeof(T), '\0');
  for (std::int64_t i = 0; i < count; ++i) {
    const T value = draw();
    std::memcpy(content.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
  return content;
}

class Source {
 public:
  Source(std::uint64_t seed, const std::optional<InputRange>& range)
      : random_(seed), range_(range) {}

  double Real() {
    if (!range_) return random_.NearNormal();
    return range_->low + random_.Unit() * (range_->high - range_->low);
  }
  // An integer of the range; [0, 2) when there is none.
  std::int64_t Integer() {
    const double low = range_ ? std::ceil(range_->low) : 0;
    const double span = (range_ ? std::ceil(range_->high) : 2) - low;
    return static_cast<std::int64_t>(low) + static_cast<std::int64_t>(random_.Below(
                                                span < 1 ? 1 : static_cast<std::uint64_t>(span)));
  }
  std::uint64_t Bits(int count) { return random_.Next() >> (64 - count); }

 private:
  Random random_;
  std::optional<InputRange> range_;
};

template <typename T>
std::string Integers(std::int64_t count, Source& source) {
  return Fill<T>(count, [&] { return static_cast<T>(source.Integer()); });
}

// Packed numbers below a byte: two or four a byte, the first in the low bits.
std::string Packed(std::int64_t count, int bits, Source& source) {
  const std::int64_t per_byte = 8 / bits;
  std::string content(static_cast<std::size_t>((count + per_byte - 1) / per_byte), '\0');
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<unsigned>(source.Integer()) & ((1U << bits) - 1U);
    auto& byte = content[static_cast<std::size_t>(i / per_byte)];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | value << (i % per_byte * bits));
  }
  return content;
}

std::string Content(DataType type, std::int64_t count, Source& source) {
  const auto real = [&] { return static_cast<float>(source.Real()); };
  switch (type) {
    case DataType::kFloat:
      return Fill<float>(count, real);
    case DataType::kDouble:
      return Fill<double>(count, [&] { return source.Real(); });
    case DataType::kComplex64:
      return Fill<float>(2 * count, real);
    case DataType::kComplex128:
      return Fill<double>(2 * count, [&] { return source.Real(); });
    case DataType::kFloat16:
      return Fill<std::uint16_t>(count, [&] { return ir::ToHalfBits(real()); });
    case DataType::kBfloat16:
      return Fill<std::uint16_t>(count, [&] { return ir::ToBfloat16Bits(real()); });
    // A sign, an exponent near 1 and any mantissa: finite in each of these formats.
    case DataType::kFloat8E4M3FN:
    case DataType::kFloat8E4M3FNUZ:
    case DataType::kFloat8E5M2:
    case DataType::kFloat8E5M2FNUZ:
      return Fill<std::uint8_t>(count, [&] {
        return static_cast<std::uint8_t>(source.Bits(1) << 7 | 0x30U | source.Bits(4));
      });
    case DataType::kFloat8E8M0:
      return Fill<std::uint8_t>(count,
                                [&] { return static_cast<std::uint8_t>(126U + source.Bits(1)); });
    case DataType::kInt64:
    case DataType::kUint64:
      return Integers<std::int64_t>(count, source);
    case DataType::kInt32:
    case DataType::kUint32:
      return Integers<std::int32_t>(count, source);
    case DataType::kInt16:
    case DataType::kUint16:
      return Integers<std::int16_t>(count, source);
    case DataType::kInt8:
    case DataType::kUint8:
      return Integers<std::int8_t>(count, source);
    case DataType::kBool:
      return Fill<std::uint8_t>(count, [&] { return static_cast<std::uint8_t>(source.Bits(1)); });
    default:
      return Packed(count, ir::BitWidth(type), source);
  }
}

// FNV-1a, so that an input's stream depends on its name and not on its place.
std::uint64_t HashOf(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

Result<ir::TensorPtr> FromFile(const ir::Value& input, const std::string& path) {
  Result<ir::TensorPtr> tensor =
      path.ends_with(".npy") ? ReadNpy(path) : onnxlib::ReadTensorFile(path);
  if (!tensor.ok()) return tensor;
  const bool same_rank = !input.type.shape || input.type.shape->size() == (*tensor)->dims.size();
  bool fits = (*tensor)->type == input.type.elem && same_rank;
  for (std::size_t i = 0; fits && input.type.shape && i < input.type.shape->size(); ++i) {
    const ir::Dim& dim = (*input.type.shape)[i];
    fits = !dim.known() || dim.value == (*tensor)->dims[i];
  }
  if (fits) return tensor;
  return InvalidInput(fmt::format("the file holds {}, input '{}' is {}",
                                  ir::Type::Tensor((*tensor)->type, (*tensor)->dims).ToString(),
                                  input.name, input.type.ToString()),
                      path);
}

Status CheckNames(const ir::Graph& graph, const InputOptions& options) {
  const auto check = [&](const std::string& name, const char* flag) -> Status {
    std::vector<std::string> names;
    for (const ir::ValueId id : graph.inputs) {
      if (graph.value(id).constant == nullptr) names.push_back(graph.value(id).name);
    }
    if (std::ranges::find(names, name) != names.end()) return {};
    return InvalidInput(fmt::format("the model has no input '{}'", name), flag,
                        fmt::format("its inputs are: {}", fmt::join(names, ", ")));
  };
  for (const auto& [name, path] : options.files) OPASS_RETURN_IF_ERROR(check(name, "--input"));
  for (const auto& [name, range] : options.ranges) {
    OPASS_RETURN_IF_ERROR(check(name, "--input-range"));
  }
  return {};
}

bool ParseNumber(std::string_view text, double& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  // Beyond 2^53 a double no longer tells integers apart.
  return error == std::errc() && end == text.data() + text.size() && std::fabs(out) <= 0x1p53;
}

}  // namespace

Status ParseInputFlag(std::string_view text, InputOptions& options) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return InvalidInput(fmt::format("'{}' is not of the form name=file", text), "--input",
                        "for example --input image=cat.npy");
  }
  const std::string path(text.substr(equals + 1));
  if (!path.ends_with(".npy") && !path.ends_with(".pb")) {
    return InvalidInput(fmt::format("'{}' is neither a .npy nor a .pb file", path), "--input");
  }
  options.files[std::string(text.substr(0, equals))] = path;
  return {};
}

Status ParseInputRangeFlag(std::string_view text, InputOptions& options) {
  const std::size_t equals = text.rfind('=');
  InputRange range;
  bool ok = equals != std::string_view::npos && equals > 0;
  if (ok) {
    const std::string_view bounds = text.substr(equals + 1);
    const std::size_t colon = bounds.find(':');
    ok = colon != std::string_view::npos && ParseNumber(bounds.substr(0, colon), range.low) &&
         ParseNumber(bounds.substr(colon + 1), range.high) && range.low <= range.high;
  }
  if (!ok) {
    return InvalidInput(fmt::format("'{}' is not of the form name=low:high", text), "--input-range",
                        "for example --input-range ids=0:30522 (high itself is left out)");
  }
  options.ranges[std::string(text.substr(0, equals))] = range;
  return {};
}

ir::TensorPtr MakeTensor(const ir::Type& type, std::uint64_t seed,
                         const std::optional<InputRange>& range) {
  const auto dims = type.StaticDims();
  const auto count = type.NumElements();
  if (!dims || !count || type.elem == DataType::kUndefined) return nullptr;
  Source source(seed, range);
  if (type.elem == DataType::kString) {
    auto tensor = std::make_shared<ir::Tensor>();
    tensor->type = type.elem;
    tensor->dims = *dims;
    for (std::int64_t i = 0; i < *count; ++i) {
      tensor->strings.push_back(fmt::format("{}", source.Integer()));
    }
    return tensor;
  }
  return ir::Tensor::Make(type.elem, *dims, Content(type.elem, *count, source));
}

Result<std::map<std::string, ir::TensorPtr>> MakeInputs(const ir::Graph& graph,
                                                        const InputOptions& options) {
  OPASS_RETURN_IF_ERROR(CheckNames(graph, options));
  std::map<std::string, ir::TensorPtr> inputs;
  for (const ir::ValueId id : graph.inputs) {
    const ir::Value& input = graph.value(id);
    if (input.constant != nullptr) continue;
    const std::string where = fmt::format("input '{}'", input.name);
    if (const auto file = options.files.find(input.name); file != options.files.end()) {
      OPASS_ASSIGN_OR_RETURN(inputs[input.name], FromFile(input, file->second));
      continue;
    }
    if (input.type.kind != ir::Type::Kind::kTensor) {
      return WithReason(NotPossible("only tensors can be made up as inputs", where),
                        "unsupported-input");
    }
    std::optional<InputRange> range;
    if (const auto found = options.ranges.find(input.name); found != options.ranges.end()) {
      range = found->second;
    }
    OPASS_RETURN_IF_ERROR(CheckFitsInMemory(input.type.SizeBytes().value_or(0), where));
    Random mix(options.seed ^ HashOf(input.name));
    ir::TensorPtr tensor = MakeTensor(input.type, mix.Next(), range);
    if (tensor == nullptr) {
      return InvalidInput(fmt::format("its type {} is not known in full", input.type.ToString()),
                          where, "give the dimensions with --shape or --dim");
    }
    inputs[input.name] = std::move(tensor);
  }
  return inputs;
}

}  // namespace opass::runtime
