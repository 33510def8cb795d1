#include "opass/onnx/read.h"

#include <fcntl.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>

#include "opass/onnx/from_proto.h"
#include "opass/onnx/utf8.h"

namespace opass::onnxlib {
namespace {

namespace io = google::protobuf::io;

constexpr int kMaxMessageBytes = std::numeric_limits<int>::max();
// Three levels of messages a subgraph (node, attribute, graph); GraphReader has its own limit.
constexpr int kMaxMessageDepth = 150;

Result<ir::Model> ReadStream(io::ZeroCopyInputStream& stream, const std::string& where,
                             const std::string& folder) {
  const auto malformed = [&] {
    return WithReason(InvalidInput("not an ONNX model: the message is malformed or cut off", where),
                      "malformed-file");
  };
  try {
    ::onnx::ModelProto proto;
    {
      io::CodedInputStream coded(&stream);
      coded.SetTotalBytesLimit(kMaxMessageBytes);
      coded.SetRecursionLimit(kMaxMessageDepth);
      if (!proto.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage()) {
        return malformed();
      }
    }
    auto model = ModelFromProto(proto, where, folder);
    if (!model.ok()) {
      model.error().message = Printable(std::move(model.error().message));
      model.error().where = Printable(std::move(model.error().where));
    }
    return model;
  } catch (const std::bad_alloc&) {
    return EnvironmentError("not enough memory for the model", where);
  } catch (const std::exception& exception) {
    return WithReason(InvalidInput(exception.what(), where), "malformed-file");
  }
}

Error OpenError(const std::string& path, int code) {
  const bool input = code == ENOENT || code == ENOTDIR;
  return input ? InvalidInput(std::strerror(code), path)
               : EnvironmentError(std::strerror(code), path);
}

Status CheckFile(int descriptor, const std::string& path) {
  struct stat info = {};
  if (fstat(descriptor, &info) != 0) return OpenError(path, errno);
  if (S_ISDIR(info.st_mode)) return InvalidInput("is a directory, not a model", path);
  if (S_ISREG(info.st_mode) && info.st_size > kMaxMessageBytes) {
    return WithReason(
        InvalidInput("an ONNX file holds at most 2 GB", path, "save the weights as external data"),
        "too-large");
  }
  return {};
}

}  // namespace

Result<ir::Model> ReadModelFile(const std::string& path) {
  if (path == "-") {
    // Not the descriptor: whoever asked what kind of model it is has looked ahead.
    io::IstreamInputStream stream(&std::cin);
    return ReadStream(stream, "standard input", "");
  }
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return OpenError(path, errno);
  io::FileInputStream stream(descriptor);
  stream.SetCloseOnDelete(true);
  OPASS_RETURN_IF_ERROR(CheckFile(descriptor, path));
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return ReadStream(stream, path, parent.empty() ? "." : parent.string());
}

Result<ir::Model> ReadModelBytes(const std::string& bytes, const std::string& where,
                                 const std::string& folder) {
  if (bytes.size() > static_cast<std::size_t>(kMaxMessageBytes)) {
    return WithReason(InvalidInput("an ONNX file holds at most 2 GB", where), "too-large");
  }
  io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  return ReadStream(stream, where, folder);
}

}  // namespace opass::onnxlib
