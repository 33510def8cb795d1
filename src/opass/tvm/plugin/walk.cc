#include "opass/tvm/plugin/walk.h"

#include <tvm/ffi/reflection/accessor.h>

#include <algorithm>
#include <unordered_set>

namespace opass::tvm {
namespace {

// The objects in a value: itself, or what a container holds.
void Push(const ffi::Any& value, std::vector<Object>& stack) {
  if (auto list = value.as<ffi::Array<ffi::Any>>()) {
    for (const ffi::Any& item : *list) Push(item, stack);
  } else if (auto map = value.as<ffi::Map<ffi::Any, ffi::Any>>()) {
    for (const auto& [key, item] : *map) {
      Push(key, stack);
      Push(item, stack);
    }
  } else if (auto object = value.as<Object>()) {
    if (object->defined()) stack.push_back(*object);
  }
}

void PushFields(const Object& object, std::vector<Object>& stack) {
  ffi::reflection::ForEachFieldInfo(TVMFFIGetTypeInfo(object->type_index()),
                                    [&](const TVMFFIFieldInfo* field) {
                                      Push(ffi::reflection::FieldGetter(field)(object), stack);
                                    });
}

}  // namespace

void Walk(const Object& root, const std::function<void(const Object&)>& visit) {
  std::vector<Object> stack{root};
  std::unordered_set<const ffi::Object*> seen;
  while (!stack.empty()) {
    const Object object = std::move(stack.back());
    stack.pop_back();
    if (!seen.insert(object.get()).second) continue;
    visit(object);
    PushFields(object, stack);
  }
}

std::vector<bool> StoredParameters(const Object& kernel) {
  const auto parameters = Field<Objects>(kernel, "params");
  std::vector<bool> stored(parameters.size());
  Walk(Field(kernel, "body"), [&](const Object& object) {
    if (!Is(object, "tirx.BufferStore")) return;
    const Object buffer = Field(object, "buffer");
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[static_cast<std::int64_t>(i)].same_as(buffer)) stored[i] = true;
    }
  });
  return stored;
}

std::int64_t ScratchBytes(const Object& kernel) {
  std::int64_t bytes = 0;
  Walk(Field(kernel, "body"), [&](const Object& object) {
    if (!Is(object, "s_tir.SBlock")) return;
    for (const Object& buffer : Field<Objects>(object, "alloc_buffers")) {
      const Object type = Field(buffer, "ty");
      const auto element = Field<DLDataType>(Field(type, "dtype"), "dtype");
      std::int64_t size = (static_cast<std::int64_t>(element.bits) * element.lanes + 7) / 8;
      for (const Object& dimension : Field<Objects>(type, "shape")) {
        // A size that depends on the run is not counted.
        size *= Is(dimension, "ir.IntImm") ? Field<std::int64_t>(dimension, "value") : 0;
      }
      bytes += size;
    }
  });
  return bytes;
}

std::int64_t LargestWorkspace(const Object& module) {
  std::int64_t largest = 0;
  for (const auto& [name, function] : Field<ffi::Map<Object, Object>>(module, "functions")) {
    if (!Is(function, "tirx.PrimFunc")) continue;
    std::int64_t bytes = 0;
    Walk(Field(function, "body"), [&](const Object& object) {
      if (OpName(object) != "tirx.TVMBackendAllocWorkspace") return;
      // (device type, device, bytes, type code, bits)
      const Object size = Field<Objects>(object, "args")[2];
      if (!Is(size, "ir.IntImm")) {
        TVM_FFI_THROW(ValueError) << "a kernel needs a workspace of unknown size";
      }
      bytes += Field<std::int64_t>(size, "value");
    });
    largest = std::max(largest, bytes);
  }
  return largest;
}

}  // namespace opass::tvm
