#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "opass/ir/tensor.h"
#include "opass/ort/abi.h"
#include "opass/support/result.h"

namespace opass::ort {

// Owned objects of the runtime.
struct Release {
  void operator()(OrtValue* value) const;
  void operator()(OrtSession* session) const;
  void operator()(OrtSessionOptions* options) const;
  void operator()(OrtMemoryInfo* info) const;
  void operator()(OrtThreadingOptions* options) const;
  void operator()(OrtTensorTypeAndShapeInfo* info) const;
};
template <typename T>
using Handle = std::unique_ptr<T, Release>;

// A tensor, a sequence or an optional of the runtime. Null stands for an output that the runtime
// shall allocate.
using Value = Handle<OrtValue>;

// Element types differ from ONNX's numbers above 23. 0: the runtime has none.
int ElementTypeOf(ir::DataType type);
ir::DataType DataTypeOf(int element_type);

// A tensor over the caller's memory, which must outlive it: no copy. `data` may not be null, also
// when the tensor is empty.
Result<Value> WrapMemory(std::byte* data, std::int64_t size_bytes, ir::DataType type,
                         const std::vector<std::int64_t>& dims);
// A tensor that holds the strings, or, for all other types, refers to the bytes of `tensor`, which
// must outlive it.
Result<Value> FromTensor(const ir::Tensor& tensor);

// The tensors in a value, copied: one for a tensor, all elements in order for a sequence of
// tensors. Error: any other kind of value.
Result<std::vector<ir::TensorPtr>> ReadTensors(OrtValue* value);
// Only a tensor.
Result<ir::TensorPtr> ReadTensor(OrtValue* value);
bool IsTensor(const OrtValue* value);

// The bytes of a tensor that is not made of strings, where they are.
Result<std::span<std::byte>> BytesOf(OrtValue* value);

}  // namespace opass::ort
