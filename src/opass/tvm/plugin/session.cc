#include "opass/tvm/session.h"

#include <fcntl.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <unistd.h>

#include <exception>
#include <map>
#include <mutex>
#include <utility>

#include "opass/tvm/plugin/execute.h"
#include "opass/tvm/plugin/function_view.h"
#include "opass/tvm/plugin/lay_out.h"
#include "opass/tvm/plugin/pose.h"
#include "opass/tvm/plugin/python.h"
#include "opass/tvm/plugin/reflect.h"
#include "opass/tvm/plugin/walk.h"

namespace opass::tvm {
namespace {

// Passes that TVM wrote in Python share state of the whole process: one at a time.
std::mutex& PythonMutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// Runs `work`, whose answer is a Result or a Status; what TVM throws becomes an Error.
template <typename Work>
auto Guarded(const std::string& what, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const ffi::Error& error) {
    return NotPossible(what + ": " + FirstLine(error.message()));
  } catch (const std::bad_alloc&) {
    return EnvironmentError("out of memory");
  } catch (const std::exception& error) {
    return NotPossible(what + ": " + error.what());
  }
}

std::uint64_t HashOf(const Object& module) {
  // Weights by their address alone: passes that leave them alone share them.
  return ffi::StructuralHash::Hash(module, /*map_free_vars=*/false,
                                   /*skip_tensor_content=*/true);
}

// TVM warns once for every constant that it writes. While this lives, nothing reaches standard
// error; errors are exceptions.
class Silence {
 public:
  Silence() : kept_(dup(STDERR_FILENO)), nowhere_(open("/dev/null", O_WRONLY | O_CLOEXEC)) {
    if (kept_ >= 0 && nowhere_ >= 0) dup2(nowhere_, STDERR_FILENO);
  }
  ~Silence() {
    if (kept_ >= 0) dup2(kept_, STDERR_FILENO);
    if (kept_ >= 0) close(kept_);
    if (nowhere_ >= 0) close(nowhere_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int kept_;
  int nowhere_;
};

// Does the main function have calls that overwrite their arguments?
bool HasInPlaceCalls(const Object& module) {
  const Object body = Field(Main(module).function, "body");
  for (const Object& block : Field<Objects>(body, "blocks")) {
    for (const Object& binding : Field<Objects>(block, "bindings")) {
      if (OpName(Field(binding, "value")) == "relax.call_tir_inplace") return true;
    }
  }
  return false;
}

StockPlan PlanOf(const Object& planned) {
  StockPlan plan;
  const Object body = Field(Main(planned).function, "body");
  for (const Object& block : Field<Objects>(body, "blocks")) {
    for (const Object& binding : Field<Objects>(block, "bindings")) {
      const Object value = Field(binding, "value");
      if (OpName(value) != "relax.memory.alloc_storage") continue;
      const Object size = Field<Objects>(value, "args")[0];
      plan.planned_bytes += Field<std::int64_t>(Field<Objects>(size, "values")[0], "value");
      ++plan.num_storages;
    }
  }
  return plan;
}

// "x: float32 1x3x32x32"
std::string Described(const Object& parameter) {
  std::string text = std::string(Field<ffi::String>(parameter, "name")) + ":";
  const Object type = Field(parameter, "ty");
  if (!Is(type, "relax.TensorType")) return text + " no tensor";
  TensorBytes(type);  // throws where the shape is not known
  text +=
      " " + std::string(ffi::DLDataTypeToString(Field<DLDataType>(Field(type, "dtype"), "dtype")));
  const char* separator = " ";
  for (const Object& size : Field<Objects>(Field(type, "shape"), "values")) {
    text += separator + std::to_string(Field<std::int64_t>(size, "value"));
    separator = "x";
  }
  return text;
}

class TvmSession final : public Session {
 public:
  std::string Version() const override { return Global("opass.version")().cast<ffi::String>(); }

  Result<ModuleId> Import(const std::string& path, const std::vector<InputShape>& shapes,
                          const std::vector<NamedDimension>& dims) override {
    return Guarded("TVM cannot import this model", [&]() -> Result<ModuleId> {
      ffi::Array<ffi::Any> told_shapes;
      for (const InputShape& shape : shapes) {
        ffi::Array<std::int64_t> sizes(shape.dims.begin(), shape.dims.end());
        told_shapes.push_back(ffi::Array<ffi::Any>{ffi::String(shape.name), sizes});
      }
      ffi::Array<ffi::Any> told_dims;
      for (const NamedDimension& dim : dims) {
        told_dims.push_back(ffi::Array<ffi::Any>{ffi::String(dim.name), dim.value});
      }
      const std::lock_guard lock(PythonMutex());
      return Keep(Call("opass.import_onnx", ffi::String(path), told_shapes, told_dims));
    });
  }

  std::vector<std::string> Passes() const override {
    std::vector<std::string> names;
    for (const ffi::String& name : Global("opass.pass_names")().cast<ffi::Array<ffi::String>>()) {
      names.push_back(name);
    }
    return names;
  }

  Result<PassResult> RunPass(ModuleId module, const std::string& name) override {
    PassResult result;
    try {
      if (HasInPlaceCalls(at(module))) {
        // They move and merge bindings by what these read: with TopologicalSort outputs are wrong.
        result.failure = "TVM's passes do not know of in-place calls, which must come last";
        return result;
      }
      const std::lock_guard lock(PythonMutex());
      const Object pass = Call("opass.make_pass", ffi::String(name));
      const Object changed = Call("transform.RunPass", pass, at(module));
      if (HashOf(changed) != HashOf(at(module))) result.module = Keep(changed);
    } catch (const ffi::Error& error) {
      result.failure = FirstLine(error.message());
    }
    return result;
  }

  std::uint64_t Hash(ModuleId module) override { return HashOf(at(module)); }

  std::int64_t NumBindings(ModuleId module) override {
    std::int64_t count = 0;
    const Object body = Field(Main(at(module)).function, "body");
    for (const Object& block : Field<Objects>(body, "blocks")) {
      count += static_cast<std::int64_t>(Field<Objects>(block, "bindings").size());
    }
    return count;
  }

  Result<std::vector<std::string>> Inputs(ModuleId module) override {
    return Guarded("the inputs cannot be read", [&]() -> Result<std::vector<std::string>> {
      std::vector<std::string> inputs;
      for (const Object& parameter : Field<Objects>(Main(at(module)).function, "params")) {
        inputs.push_back(Described(parameter));
      }
      return inputs;
    });
  }

  Result<StockCompiled> CompileStock(ModuleId module, Pipeline pipeline) override {
    return Guarded("TVM cannot compile this model", [&]() -> Result<StockCompiled> {
      const std::lock_guard lock(PythonMutex());
      const auto parts = Global("opass.compile_stock")(at(module), pipeline == Pipeline::kFused)
                             .cast<ffi::Array<ffi::Any>>();
      StockCompiled compiled;
      compiled.executable = KeepExecutable(parts, at(module), {});
      compiled.workspace_bytes = parts[1].cast<std::int64_t>();
      compiled.lowered = Keep(parts[2].cast<Object>());
      compiled.plan = PlanOf(parts[3].cast<Object>());
      return compiled;
    });
  }

  Result<ModuleId> Lower(ModuleId module, Pipeline pipeline) override {
    return Guarded("TVM cannot lower this module", [&]() -> Result<ModuleId> {
      const std::lock_guard lock(PythonMutex());
      const Object passes = Call("opass.lowering", pipeline == Pipeline::kFused);
      return Keep(Call("transform.RunPass", passes, at(module)));
    });
  }

  Result<memory::Problem> Pose(ModuleId module) override {
    return Guarded("this module cannot be planned", [&]() -> Result<memory::Problem> {
      return std::move(tvm::Pose(ViewMain(at(module))).problem);
    });
  }

  Result<ModuleId> ApplyLayout(ModuleId lowered, const Layout& layout) override {
    return Guarded("the plan cannot be put into the module", [&]() -> Result<ModuleId> {
      LaidOut laid_out = LayOut(at(lowered), layout);
      const ModuleId id = Keep(std::move(laid_out.module));
      calls_[id] = std::move(laid_out.calls);
      return id;
    });
  }

  Result<Compiled> Compile(ModuleId laid_out) override {
    return Guarded("TVM cannot compile this module", [&]() -> Result<Compiled> {
      const std::lock_guard lock(PythonMutex());
      const auto parts =
          Global("opass.compile_laid_out")(at(laid_out)).cast<ffi::Array<ffi::Any>>();
      Compiled compiled;
      compiled.executable = KeepExecutable(parts, at(laid_out), calls_[laid_out]);
      compiled.workspace_bytes = parts[1].cast<std::int64_t>();
      return compiled;
    });
  }

  Result<RunReport> Run(ExecutableId executable, const RunOptions& options) override {
    return Guarded("TVM cannot run this module", [&]() -> Result<RunReport> {
      const Executable& kept = executables_[executable.index()];
      return Execute(Call("opass.loadable", kept.index), kept.parameters, kept.calls, options);
    });
  }

  Status Export(ExecutableId executable, const std::string& path) override {
    return Guarded("TVM cannot write the library", [&]() -> Status {
      const std::lock_guard lock(PythonMutex());
      const Silence silence;
      Global("opass.export")(executables_[executable.index()].index, ffi::String(path));
      return {};
    });
  }

  void Release(ModuleId module) override {
    modules_[module.index()] = Object();
    calls_.erase(module);
  }

 private:
  struct Executable {
    std::int64_t index = 0;  // in the script's list
    Objects parameters;
    std::vector<ExpectedCall> calls;
  };

  const Object& at(ModuleId id) const { return modules_[id.index()]; }

  ModuleId Keep(Object module) {
    modules_.push_back(std::move(module));
    return ModuleId(modules_.size() - 1);
  }

  ExecutableId KeepExecutable(const ffi::Array<ffi::Any>& parts, const Object& module,
                              std::vector<ExpectedCall> calls) {
    executables_.push_back({parts[0].cast<std::int64_t>(),
                            Field<Objects>(Main(module).function, "params"), std::move(calls)});
    return ExecutableId(executables_.size() - 1);
  }

  std::vector<Object> modules_;  // by id; undefined: released
  std::map<ModuleId, std::vector<ExpectedCall>> calls_;
  std::vector<Executable> executables_;
};

void Open(PluginAnswer& answer) {
  answer.interface_version = kInterfaceVersion;
  answer.error = StartPython();
  if (!answer.error.empty()) return;
  ffi::Function::SetGlobal("opass.largest_workspace", ffi::Function::FromTyped(LargestWorkspace));
  // Never deleted: what it holds must outlive the interpreter, which does not end either.
  static auto* session = new TvmSession;
  answer.session = session;
}

}  // namespace
}  // namespace opass::tvm

extern "C" __attribute__((visibility("default"))) void opass_tvm_open_session(
    opass::tvm::PluginAnswer* answer) {
  try {
    opass::tvm::Open(*answer);
  } catch (const std::exception& error) {
    answer->error = error.what();
  }
}
