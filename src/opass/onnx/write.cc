#include "opass/onnx/write.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <ostream>
#include <unordered_map>

#include "opass/onnx/tensors.h"
#include "opass/onnx/to_proto.h"
#include "opass/support/bytes.h"
#include "opass/support/file.h"

namespace opass::onnxlib {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxMessageBytes = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMinExternalBytes = 1024;
constexpr std::int64_t kExternalAlignment = 64;

// Tags of the length-delimited fields that are written by hand: number << 3 | 2 (onnx.proto).
constexpr char kModelGraphTag = (7 << 3) | 2;
constexpr char kGraphInitializerTag = (5 << 3) | 2;
constexpr char kTensorRawDataTag = (9 << 3) | 2;

std::string Varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
  return bytes + static_cast<char>(value);
}

// An initializer in two parts: the bytes of its messages up to the raw data, and the raw data.
struct Piece {
  std::string head;
  std::span<const std::byte> raw;
};

Piece InitializerPiece(const ir::Value& value) {
  ::onnx::TensorProto header = TensorHeader(*value.constant);
  DescribeConstant(value, value.name, &header);
  std::string tensor = header.SerializeAsString();
  if (value.constant->type != ir::DataType::kString) {
    tensor += kTensorRawDataTag;
    tensor += Varint(value.constant->bytes.size());
  }
  std::string head(1, kGraphInitializerTag);
  head += Varint(tensor.size() + value.constant->bytes.size());
  return {head + tensor, value.constant->bytes};
}

// A model laid out as pieces whose concatenation is the message: protobuf lets fields come in any
// order, so the initializers stand last and are never copied.
struct Layout {
  std::string head;
  std::vector<Piece> initializers;
  std::int64_t size_bytes = 0;
};

// `place` answers kEmbed for what goes into the file.
Layout LayOut(const ir::Model& model, const PlaceConstant& place) {
  const auto streamed = [](const Placement& placement, bool is_main) {
    return is_main && placement.kind == Placement::Kind::kEmbed;
  };
  ::onnx::ModelProto proto =
      ModelToProto(model, [&](const ir::Tensor& tensor, bool is_main) -> Placement {
        Placement placement = place(tensor, is_main);
        if (streamed(placement, is_main)) placement.kind = Placement::Kind::kLeaveOut;
        return placement;
      });
  Layout layout;
  const std::string graph = proto.graph().SerializeAsString();
  proto.clear_graph();
  std::size_t graph_size = graph.size();
  const std::vector<bool> used = UsedValues(model.graph);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const ir::Value& value = model.graph.value(ir::ValueId(i));
    if (value.constant == nullptr || (!used[i] && !value.overridable)) continue;
    if (!streamed(place(*value.constant, true), true)) continue;
    layout.initializers.push_back(InitializerPiece(value));
    graph_size += layout.initializers.back().head.size() + value.constant->bytes.size();
  }
  layout.head = proto.SerializeAsString() + kModelGraphTag + Varint(graph_size) + graph;
  layout.size_bytes = static_cast<std::int64_t>(layout.head.size() - graph.size()) +
                      static_cast<std::int64_t>(graph_size);
  return layout;
}

Status CheckSize(const Layout& layout) {
  if (layout.size_bytes <= kMaxMessageBytes) return {};
  return WithReason(
      NotPossible(fmt::format("the model takes {} and an ONNX file holds 2 GB",
                              FormatBytes(layout.size_bytes)),
                  "", "keep the weights in a file of their own: --external-data copy"),
      "too-large");
}

void WriteBytes(std::span<const std::byte> bytes, std::ostream& stream) {
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

Status WriteLayout(const Layout& layout, const std::string& path) {
  OPASS_RETURN_IF_ERROR(CheckSize(layout));
  return WriteFileAtomically(path, [&](std::ostream& stream) -> Status {
    stream.write(layout.head.data(), static_cast<std::streamsize>(layout.head.size()));
    for (const Piece& piece : layout.initializers) {
      stream.write(piece.head.data(), static_cast<std::streamsize>(piece.head.size()));
      WriteBytes(piece.raw, stream);
    }
    return {};
  });
}

Placement EmbedAll(const ir::Tensor&, bool) { return {}; }

Placement KeepExternal(const ir::Tensor& tensor, bool) {
  if (!tensor.external) return {};
  return {Placement::Kind::kExternal, *tensor.external};
}

bool AnyExternal(const ir::Graph& graph) {
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    const ir::TensorPtr& constant = graph.value(ir::ValueId(i)).constant;
    if (constant != nullptr && constant->external) return true;
  }
  for (const ir::NodeId id : graph.order) {
    bool found = false;
    ir::ForEachSubgraph(graph.node(id),
                        [&](const ir::Graph& subgraph) { found = found || AnyExternal(subgraph); });
    if (found) return true;
  }
  return false;
}

// Places large tensors one after another in a data file, each (shared) tensor once.
class DataFile {
 public:
  explicit DataFile(std::string location) : location_(std::move(location)) {}

  Placement Place(const ir::Tensor& tensor) {
    if (tensor.bytes.size() < kMinExternalBytes) return {};
    const auto [found, fresh] = offsets_.try_emplace(&tensor, end_);
    const std::int64_t size = static_cast<std::int64_t>(tensor.bytes.size());
    if (fresh) {
      tensors_.push_back(&tensor);
      end_ = RoundUp(end_ + size, kExternalAlignment);
    }
    return {Placement::Kind::kExternal, {location_, found->second, size}};
  }

  Status Write(const std::string& path) const {
    return WriteFileAtomically(path, [&](std::ostream& stream) -> Status {
      std::int64_t position = 0;
      for (const ir::Tensor* tensor : tensors_) {
        const std::string padding(static_cast<std::size_t>(offsets_.at(tensor) - position), '\0');
        stream.write(padding.data(), static_cast<std::streamsize>(padding.size()));
        WriteBytes(tensor->bytes, stream);
        position = offsets_.at(tensor) + static_cast<std::int64_t>(tensor->bytes.size());
      }
      return {};
    });
  }

 private:
  std::string location_;
  std::int64_t end_ = 0;
  std::vector<const ir::Tensor*> tensors_;
  std::unordered_map<const ir::Tensor*, std::int64_t> offsets_;
};

Status WriteCopy(const ir::Model& model, const std::string& path) {
  DataFile data(fs::path(path).filename().string() + ".data");
  const Layout layout = LayOut(
      model, [&](const ir::Tensor& tensor, bool) -> Placement { return data.Place(tensor); });
  OPASS_RETURN_IF_ERROR(CheckSize(layout));
  // The data first: a model that points to nothing must never be seen.
  OPASS_RETURN_IF_ERROR(data.Write(path + ".data"));
  return WriteLayout(layout, path);
}

Status WriteKeep(const ir::Model& model, const std::string& path,
                 std::vector<std::string>* warnings) {
  const auto warn = [&](std::string text) {
    if (warnings != nullptr) warnings->push_back(std::move(text));
  };
  const fs::path parent = fs::path(path).parent_path();
  if (AnyExternal(model.graph) &&
      !IsSameFile(parent.empty() ? "." : parent.string(), model.folder)) {
    warn(
        fmt::format("the output is in another folder than the external data, so the weights are "
                    "copied to '{}.data'",
                    path));
    return WriteCopy(model, path);
  }
  const Layout layout = LayOut(model, KeepExternal);
  if (layout.size_bytes > kMaxMessageBytes) {
    warn(
        fmt::format("the embedded weights are above 2 GB, so they are written to '{}.data'", path));
    return WriteCopy(model, path);
  }
  return WriteLayout(layout, path);
}

}  // namespace

Result<std::string> SerializeModel(const ir::Model& model) {
  const Layout layout = LayOut(model, EmbedAll);
  OPASS_RETURN_IF_ERROR(CheckSize(layout));
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(layout.size_bytes));
  bytes += layout.head;
  for (const Piece& piece : layout.initializers) {
    bytes += piece.head;
    bytes.append(reinterpret_cast<const char*>(piece.raw.data()), piece.raw.size());
  }
  return bytes;
}

Status WriteModelFile(const ir::Model& model, const std::string& path, const WriteOptions& options,
                      std::vector<std::string>* warnings) {
  switch (options.external) {
    case ExternalPolicy::kKeep:
      return WriteKeep(model, path, warnings);
    case ExternalPolicy::kCopy:
      return WriteCopy(model, path);
    case ExternalPolicy::kEmbed:
      return WriteLayout(LayOut(model, EmbedAll), path);
  }
  return InternalError("no such external data policy");
}

}  // namespace opass::onnxlib
