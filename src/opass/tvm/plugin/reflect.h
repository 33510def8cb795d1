#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>
#include <string_view>

// TVM's objects without TVM's headers, which its packages do not contain: fields by name, kinds by
// type key, functions by their global name. A wrong name throws ffi::Error; session.cc catches it.
namespace opass::tvm {

namespace ffi = ::tvm::ffi;
using Object = ffi::ObjectRef;
using Objects = ffi::Array<Object>;

ffi::Function Global(const char* name);

template <typename... Args>
Object Call(const char* name, Args&&... args) {
  return Global(name)(std::forward<Args>(args)...).template cast<Object>();
}

ffi::Any FieldOf(const ffi::Object* object, std::string_view name);
template <typename T = Object>
T Field(const Object& object, std::string_view name) {
  return FieldOf(object.get(), name).cast<T>();
}

inline bool Is(const Object& object, std::string_view type_key) {
  return object.defined() && object->GetTypeKey() == type_key;
}
bool IsVar(const Object& object);
// The name of the operator that an expression calls; empty when it calls none.
std::string OpName(const Object& expression);

// The name and the function "main" of a module.
struct NamedFunction {
  Object name;
  Object function;
};
NamedFunction Main(const Object& module);

}  // namespace opass::tvm
