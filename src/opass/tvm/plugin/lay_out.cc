#include "opass/tvm/plugin/lay_out.h"

#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>

#include "opass/tvm/plugin/function_view.h"
#include "opass/tvm/plugin/pose.h"

namespace opass::tvm {
namespace {

// Kernels demand a byte offset of 0. This operation moves the data pointer there without a copy,
// and only where the offset is a multiple of this; others it copies out of the arena.
constexpr std::int64_t kFreeOffset = 64;

Object Int64(std::int64_t value) {
  return Call("ir.IntImm", DLDataType{kDLInt, 64, 1}, value, nullptr);
}

class Builder {
 public:
  Builder(const Object& lowered, const Layout& layout)
      : lowered_(lowered),
        layout_(layout),
        view_(ViewMain(lowered)),
        posed_(Pose(view_)),
        block_builder_(Call("relax.BlockBuilderCreate", nullptr)),
        is_done_(view_.bindings.size()),
        root_of_(view_.bindings.size(), kNoRoot) {}

  LaidOut Run() {
    Check();
    for (std::size_t i = 0; i < view_.roots.size(); ++i) {
      const memory::ValueId value = posed_.value_of[i];
      if (!value.valid() || !posed_.problem.value(value).in_arena) continue;
      root_of_[view_.roots[i].allocation] = i;
    }
    for (const memory::OpId op : layout_.order) {
      Require(view_.steps[op.index()].binding);
      calls_.push_back(ExpectedOf(view_.steps[op.index()]));
    }
    const Object body = Field(Main(lowered_).function, "body");
    // What the function returns may be named by bindings that no operator needs.
    RequireOf(Field(body, "body"));
    Objects blocks;
    blocks.push_back(Call("relax.BindingBlock", bindings_, nullptr));
    return {WithBlocks(lowered_, blocks), std::move(calls_)};
  }

 private:
  static constexpr std::size_t kNoRoot = static_cast<std::size_t>(-1);

  void Check() const {
    if (layout_.order.size() != view_.steps.size() ||
        layout_.offsets.size() != posed_.problem.values.size()) {
      TVM_FFI_THROW(ValueError) << "the layout is not one of this module";
    }
    for (const memory::Value& value : posed_.problem.values) {
      const std::size_t index = static_cast<std::size_t>(&value - posed_.problem.values.data());
      if (value.in_arena && layout_.offsets[index] % kFreeOffset != 0) {
        TVM_FFI_THROW(ValueError) << "the offset of " << value.name << " is no multiple of 64";
      }
    }
  }

  // The binding, after all those that its value needs.
  void Require(std::size_t index) {
    if (is_done_[index]) return;
    is_done_[index] = true;
    for (const ffi::Object* var : view_.bindings[index].uses) {
      const auto found = view_.binding_of.find(var);
      if (found != view_.binding_of.end()) Require(found->second);
    }
    root_of_[index] == kNoRoot ? bindings_.push_back(view_.bindings[index].binding)
                               : Allocate(index);
  }

  void RequireOf(const Object& expression) {
    if (IsVar(expression)) {
      const auto found = view_.binding_of.find(expression.get());
      if (found != view_.binding_of.end()) Require(found->second);
    } else if (Is(expression, "ir.Tuple")) {
      for (const Object& field : Field<Objects>(expression, "fields")) RequireOf(field);
    }
  }

  void Allocate(std::size_t index) {
    // (shape, type, device, scope)
    const auto arguments = Field<Objects>(view_.bindings[index].value, "args");
    if (!arena_.defined()) {
      const Object shape = Call("relax.ShapeExpr", Objects{Int64(layout_.arena_bytes)}, nullptr);
      arena_ = Bind("arena", Call("relax.op.memory.alloc_storage", shape, arguments[2],
                                  arguments[3], arguments[1]));
    }
    const Object var = view_.bindings[index].var;
    const std::int64_t offset = layout_.offsets[posed_.value_of[root_of_[index]].index()];
    Object tensor = Normalized(Call("relax.op.memory.alloc_tensor", arena_, Int64(offset),
                                    arguments[0], arguments[1], arguments[2]));
    if (offset != 0) {
      tensor = Normalized(
          Call("relax.op.memory.ensure_zero_offset", Bind("in_arena", std::move(tensor))));
    }
    bindings_.push_back(Call("relax.VarBinding", var, tensor, nullptr));
  }

  Object Normalized(const Object& value) {
    return Call("relax.BlockBuilderNormalize", block_builder_, value);
  }

  Object Bind(const char* name, const Object& value) {
    const Object normalized = Normalized(value);
    const Object var = Call("ir.Var", ffi::String(name), Field(normalized, "ty"), nullptr);
    bindings_.push_back(Call("relax.VarBinding", var, normalized, nullptr));
    return var;
  }

  ExpectedCall ExpectedOf(const Step& step) const {
    ExpectedCall call;
    for (std::size_t i = 0; i < step.written_arguments.size(); ++i) {
      const memory::ValueId value = posed_.value_of[step.writes[i]];
      if (posed_.problem.value(value).in_arena) {
        call.written.push_back({value, step.written_arguments[i]});
      }
    }
    return call;
  }

  const Object& lowered_;
  const Layout& layout_;
  FunctionView view_;
  Posed posed_;
  Object block_builder_;
  std::vector<bool> is_done_;         // per binding
  std::vector<std::size_t> root_of_;  // per binding that allocates in the arena
  Object arena_;
  Objects bindings_;
  std::vector<ExpectedCall> calls_;
};

}  // namespace

Object WithBlocks(const Object& module, const Objects& blocks) {
  const NamedFunction main = Main(module);
  const Object body = Field(main.function, "body");
  const Object sequence = Call("relax.SeqExpr", blocks, Field(body, "body"), nullptr);
  Global("relax.UpdateType")(sequence, Field(body, "ty"));
  const Object function = Call(
      "relax.Function", Field(main.function, "params"), sequence, Field(main.function, "ret_ty"),
      Field<bool>(main.function, "is_pure"), Field(main.function, "attrs"), nullptr);
  ffi::Map<Object, Object> functions;
  for (const auto& [name, other] : Field<ffi::Map<Object, Object>>(module, "functions")) {
    functions.Set(name, other.same_as(main.function) ? function : other);
  }
  return Call("ir.IRModule", functions, FieldOf(module.get(), "attrs"),
              FieldOf(module.get(), "global_infos"));
}

LaidOut LayOut(const Object& lowered, const Layout& layout) {
  return Builder(lowered, layout).Run();
}

}  // namespace opass::tvm
