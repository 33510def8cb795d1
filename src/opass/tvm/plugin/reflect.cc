#include "opass/tvm/plugin/reflect.h"

#include <tvm/ffi/reflection/accessor.h>

namespace opass::tvm {

ffi::Function Global(const char* name) { return ffi::Function::GetGlobalRequired(name); }

ffi::Any FieldOf(const ffi::Object* object, std::string_view name) {
  ffi::Any value;
  const bool found = ffi::reflection::ForEachFieldInfoWithEarlyStop(
      TVMFFIGetTypeInfo(object->type_index()), [&](const TVMFFIFieldInfo* field) {
        if (std::string_view(field->name.data, field->name.size) != name) return false;
        value = ffi::reflection::FieldGetter(field)(object);
        return true;
      });
  if (!found) {
    TVM_FFI_THROW(AttributeError) << object->GetTypeKey() << " has no field " << std::string(name);
  }
  return value;
}

bool IsVar(const Object& object) {
  return Is(object, "ir.Var") || Is(object, "relax.expr.DataflowVar");
}

std::string OpName(const Object& expression) {
  if (!Is(expression, "ir.Call")) return "";
  const Object op = Field(expression, "op");
  return Is(op, "ir.Op") ? std::string(Field<ffi::String>(op, "name")) : "";
}

NamedFunction Main(const Object& module) {
  for (const auto& [name, function] : Field<ffi::Map<Object, Object>>(module, "functions")) {
    if (Field<ffi::String>(name, "name_hint") == "main") return {name, function};
  }
  TVM_FFI_THROW(ValueError) << "the module has no function 'main'";
}

}  // namespace opass::tvm
