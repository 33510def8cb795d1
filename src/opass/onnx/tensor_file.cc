#include "opass/onnx/tensor_file.h"

#include <filesystem>

#include "onnx/onnx_pb.h"
#include "opass/onnx/tensors.h"
#include "opass/support/file.h"

namespace opass::onnxlib {

Result<ir::TensorPtr> ReadTensorFile(const std::string& path) {
  OPASS_ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  ::onnx::TensorProto proto;
  if (content.empty() || !proto.ParseFromString(content)) {
    return InvalidInput("this is not a serialized TensorProto", path);
  }
  std::string folder = std::filesystem::path(path).parent_path().string();
  ExternalFiles files(folder.empty() ? "." : folder);
  return TakeTensor(proto, files, path);
}

}  // namespace opass::onnxlib
