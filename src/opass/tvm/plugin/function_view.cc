#include "opass/tvm/plugin/function_view.h"

#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "opass/tvm/plugin/walk.h"

namespace opass::tvm {
namespace {

// Calls that give what is there another shape; TVM lowers all of them to vm.builtin.reshape.
constexpr std::string_view kViews[] = {"relax.reshape", "relax.flatten", "relax.expand_dims",
                                       "relax.squeeze", "relax.memory.view"};

using Roots = std::vector<std::size_t>;

Roots Merge(const Roots& a, const Roots& b) {
  Roots merged;
  std::ranges::set_union(a, b, std::back_inserter(merged));
  return merged;
}

Roots All(const Aliases& aliases) {
  Roots all;
  for (const Roots& field : aliases) all = Merge(all, field);
  return all;
}

class Viewer {
 public:
  explicit Viewer(const Object& module) : module_(module) {}

  FunctionView Run() {
    const Object function = Main(module_).function;
    const Object body = Field(function, "body");
    for (const Object& parameter : Field<Objects>(function, "params")) {
      Make(parameter, /*is_outside=*/true, /*is_written=*/true);
    }
    for (const Object& block : Field<Objects>(body, "blocks")) {
      for (const Object& binding : Field<Objects>(block, "bindings")) Add(binding);
    }
    for (const std::size_t root : All(AliasesOf(Field(body, "body")))) {
      view_.roots[root].is_outside = true;
    }
    return std::move(view_);
  }

 private:
  // New roots for the tensors of the variable's type.
  Roots Make(const Object& var, bool is_outside, bool is_written) {
    Aliases aliases;
    const Object type = Field(var, "ty");
    if (Is(type, "ir.TupleType")) {
      for (const Object& field : Field<Objects>(type, "fields")) {
        aliases.push_back(MakeTyped(var, field, is_outside, is_written));
      }
    } else {
      aliases.push_back(MakeTyped(var, type, is_outside, is_written));
    }
    const Roots all = All(aliases);
    aliases_[var.get()] = std::move(aliases);
    return all;
  }

  Roots MakeTyped(const Object& var, const Object& type, bool is_outside, bool is_written) {
    Roots roots;
    if (Is(type, "ir.TupleType")) {
      for (const Object& field : Field<Objects>(type, "fields")) {
        roots = Merge(roots, MakeTyped(var, field, is_outside, is_written));
      }
    } else if (Is(type, "relax.TensorType")) {
      Root root;
      root.name =
          std::string(Field<ffi::String>(var, "name")) + "#" + std::to_string(view_.roots.size());
      root.size_bytes = TensorBytes(type);
      root.is_outside = is_outside;
      root.is_written = is_written;
      root.allocation = view_.bindings.empty() ? 0 : view_.bindings.size() - 1;
      roots.push_back(view_.roots.size());
      view_.roots.push_back(std::move(root));
    }
    return roots;
  }

  void Add(const Object& binding) {
    BoundVar bound{binding, Field(binding, "var"), {}, {}, false};
    bound.value = Field(binding, "value");
    CollectUses(bound.value, bound.uses);
    const std::size_t index = view_.bindings.size();
    view_.binding_of[bound.var.get()] = index;
    view_.bindings.push_back(bound);
    const Object& value = bound.value;
    const std::string op = OpName(value);
    if (op == "relax.builtin.alloc_tensor") {
      Make(bound.var, /*is_outside=*/false, /*is_written=*/false);
    } else if (!Is(value, "ir.Call")) {
      aliases_[bound.var.get()] = AliasesOf(value);
    } else if (std::ranges::find(kViews, op) != std::end(kViews)) {
      aliases_[bound.var.get()] = AliasesOf(Field<Objects>(value, "args")[0]);
    } else {
      view_.bindings.back().is_step = true;
      AddStep(index, op);
    }
  }

  void AddStep(std::size_t index, const std::string& op) {
    const Object var = view_.bindings[index].var;
    const Object value = view_.bindings[index].value;
    const auto arguments = Field<Objects>(value, "args");
    Step step;
    step.binding = index;
    step.name = NameOf(value, op) + "#" + std::to_string(view_.steps.size());
    if (op == "relax.call_tir_inplace") {
      AddInPlace(step, value, var);
    } else {
      ReadArguments(step, value, arguments);
      const Roots made = Make(var, /*is_outside=*/IsLowered(value), /*is_written=*/true);
      step.writes = Merge(step.writes, made);
      if (!IsLowered(value)) step.written_arguments.clear();
    }
    if (op == "relax.call_tir") {
      if (const Object kernel = KernelOf(arguments[0]); kernel.defined()) {
        step.scratch_bytes = ScratchBytes(kernel);
      }
    }
    for (const std::size_t root : step.writes) view_.roots[root].is_written = true;
    view_.steps.push_back(std::move(step));
  }

  // A call of a kernel: what it writes is among its arguments.
  static bool IsLowered(const Object& value) { return !Is(Field(value, "op"), "ir.Op"); }

  static std::string NameOf(const Object& value, const std::string& op) {
    const Object callee = Field(value, "op");
    if (op == "relax.call_tir" || op == "relax.call_tir_inplace") {
      return Field<ffi::String>(Field<Objects>(value, "args")[0], "name_hint");
    }
    if (Is(callee, "ir.GlobalVar")) return Field<ffi::String>(callee, "name_hint");
    if (Is(callee, "relax.expr.ExternFunc")) return Field<ffi::String>(callee, "global_symbol");
    return op.empty() ? std::string(callee->GetTypeKey()) : op;
  }

  void ReadArguments(Step& step, const Object& value, const Objects& arguments) {
    const std::vector<bool>* stored = StoredBy(Field(value, "op"));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      for (const std::size_t root : All(AliasesOf(arguments[static_cast<std::int64_t>(i)]))) {
        if (IsLowered(value) && !view_.roots[root].is_written) {
          if (std::ranges::find(step.writes, root) != step.writes.end()) continue;
          step.writes.push_back(root);
          step.written_arguments.push_back(i);
          continue;
        }
        step.reads = Merge(step.reads, {root});
        if (stored != nullptr && i < stored->size() && (*stored)[i]) {
          step.updates = Merge(step.updates, {root});
        }
      }
    }
    // Both lists go by the root.
    std::vector<std::pair<std::size_t, std::size_t>> both;
    for (std::size_t i = 0; i < step.writes.size(); ++i) {
      both.emplace_back(step.writes[i], step.written_arguments[i]);
    }
    std::ranges::sort(both);
    for (std::size_t i = 0; i < both.size(); ++i) {
      std::tie(step.writes[i], step.written_arguments[i]) = both[i];
    }
  }

  // A kernel of the module; undefined: it is somebody else's.
  Object KernelOf(const Object& callee) const {
    if (!Is(callee, "ir.GlobalVar")) return {};
    for (const auto& [name, function] : Field<ffi::Map<Object, Object>>(module_, "functions")) {
      if (name.same_as(callee) && Is(function, "tirx.PrimFunc")) return function;
    }
    return {};
  }

  // What a kernel of the module stores to; null: it is not known.
  const std::vector<bool>* StoredBy(const Object& callee) {
    const auto found = stored_.find(callee.get());
    if (found != stored_.end()) return &found->second;
    const Object kernel = KernelOf(callee);
    if (!kernel.defined()) return nullptr;
    return &(stored_[callee.get()] = StoredParameters(kernel));
  }

  // call_tir_inplace(kernel, (arguments...)): per result the argument that it overwrites, or -1.
  void AddInPlace(Step& step, const Object& value, const Object& var) {
    const Object arguments = Field<Objects>(value, "args")[1];
    step.reads = All(AliasesOf(arguments));
    const auto fields = Field<Objects>(arguments, "fields");
    const auto indices = Field<ffi::Array<std::int64_t>>(Field(value, "attrs"), "inplace_indices");
    const Object type = Field(var, "ty");
    const bool is_tuple = Is(type, "ir.TupleType");
    Aliases results;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::int64_t index = indices[static_cast<std::int64_t>(i)];
      const Object field =
          is_tuple ? Field<Objects>(type, "fields")[static_cast<std::int64_t>(i)] : type;
      if (index < 0) {
        results.push_back(MakeTyped(var, field, /*is_outside=*/false, /*is_written=*/true));
        step.writes = Merge(step.writes, results.back());
      } else {
        results.push_back(All(AliasesOf(fields[index])));
        step.updates = Merge(step.updates, results.back());
      }
    }
    aliases_[var.get()] = std::move(results);
  }

  Aliases AliasesOf(const Object& value) {
    if (IsVar(value)) {
      const auto found = aliases_.find(value.get());
      return found == aliases_.end() ? Aliases{} : found->second;
    }
    if (Is(value, "ir.Tuple")) {
      Aliases fields;
      for (const Object& field : Field<Objects>(value, "fields")) {
        fields.push_back(All(AliasesOf(field)));
      }
      return fields;
    }
    if (Is(value, "ir.TupleGetItem")) {
      const Aliases of = AliasesOf(Field(value, "tuple_value"));
      const auto index = static_cast<std::size_t>(Field<std::int64_t>(value, "index"));
      return index < of.size() ? Aliases{of[index]} : of;
    }
    return {};
  }

  void CollectUses(const Object& value, std::vector<const ffi::Object*>& uses) {
    if (Is(value, "relax.expr.If") || Is(value, "relax.expr.Function")) {
      TVM_FFI_THROW(ValueError) << "the graph has control flow, whose memory opass does not plan";
    }
    if (IsVar(value)) {
      uses.push_back(value.get());
    } else if (Is(value, "ir.Call")) {
      for (const Object& argument : Field<Objects>(value, "args")) CollectUses(argument, uses);
    } else if (Is(value, "ir.Tuple")) {
      for (const Object& field : Field<Objects>(value, "fields")) CollectUses(field, uses);
    } else if (Is(value, "ir.TupleGetItem")) {
      CollectUses(Field(value, "tuple_value"), uses);
    }
  }

  const Object& module_;
  FunctionView view_;
  std::unordered_map<const ffi::Object*, Aliases> aliases_;
  std::unordered_map<const ffi::Object*, std::vector<bool>> stored_;  // per kernel
};

}  // namespace

std::int64_t TensorBytes(const Object& type) {
  const auto dtype = Field<DLDataType>(Field(type, "dtype"), "dtype");
  std::int64_t bits = static_cast<std::int64_t>(dtype.bits) * dtype.lanes;
  const ffi::Any shape = FieldOf(type.get(), "shape");
  const auto expression = shape.as<Object>();
  if (!expression || !Is(*expression, "relax.expr.ShapeExpr")) {
    TVM_FFI_THROW(ValueError) << "a tensor has a shape that is not known before the run; fix the "
                                 "dimensions of the inputs with --shape or --dim";
  }
  std::int64_t elements = 1;
  for (const Object& dimension : Field<Objects>(*expression, "values")) {
    if (!Is(dimension, "ir.IntImm")) {
      TVM_FFI_THROW(ValueError) << "a tensor has a dimension that is not known before the run; fix "
                                   "the dimensions of the inputs with --shape or --dim";
    }
    if (__builtin_mul_overflow(elements, Field<std::int64_t>(dimension, "value"), &elements)) {
      TVM_FFI_THROW(ValueError) << "a tensor has more than 2^63 elements";
    }
  }
  // Types of less than a byte take one.
  std::int64_t bytes = 0;
  bits = std::max<std::int64_t>(8, (bits + 7) / 8 * 8);
  if (__builtin_mul_overflow(elements, bits / 8, &bytes)) {
    TVM_FFI_THROW(ValueError) << "a tensor has more than 2^63 bytes";
  }
  return bytes;
}

FunctionView ViewMain(const Object& module) { return Viewer(module).Run(); }

}  // namespace opass::tvm
