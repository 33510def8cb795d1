#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opass/memory/problem.h"
#include "opass/support/id.h"
#include "opass/support/result.h"

// Apache TVM in this process, behind an interface that knows nothing of TVM: a shared library of
// its own implements it (plugin/), loaded on demand (load.h), so that the tool is built and runs
// without TVM. Everything that plans, searches and judges is on this side.
namespace opass::tvm {

// A module that the session holds. Equal modules need not have the same id: Hash tells.
using ModuleId = Id<struct ModuleTag>;
// A compiled module.
using ExecutableId = Id<struct ExecutableTag>;

// The dimensions of an ONNX graph input, or the value of a named dimension.
struct InputShape {
  std::string name;
  std::vector<std::int64_t> dims;
};
struct NamedDimension {
  std::string name;
  std::int64_t value = 0;
};

// TVM's own ways from a Relax module to machine code on a CPU.
enum class Pipeline {
  kDefault,  // tvm.compile: no fusion
  kFused,    // relax.get_default_pipeline of the CPU
};

// Where the module of a pass differs from the one before.
struct PassResult {
  ModuleId module;      // not valid: nothing changed
  std::string failure;  // what TVM said, when the pass failed: also "nothing changed"
};

// What TVM's memory planner (StaticPlanBlockMemory) asks for; graph inputs and outputs not counted.
struct StockPlan {
  std::int64_t planned_bytes = 0;
  std::int64_t num_storages = 0;
};

struct Compiled {
  ExecutableId executable;
  // The largest scratch buffer that a kernel allocates for itself while it runs, which no memory
  // plan shows.
  std::int64_t workspace_bytes = 0;
};

// A pipeline of TVM's, unmodified, watched while it ran.
struct StockCompiled : Compiled {
  ModuleId lowered;  // as it was just before its memory was planned
  StockPlan plan;
};

// An answer to the Problem of a lowered module.
struct Layout {
  std::vector<memory::OpId> order;
  std::vector<std::int64_t> offsets;  // per value; of no meaning outside the arena
  std::int64_t arena_bytes = 0;
};

struct Tensor {
  std::string type;  // "float32"
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;
};

// Where a kernel wrote a value of the Problem.
struct Write {
  memory::ValueId value;
  std::uint64_t address = 0;
};

struct RunOptions {
  std::uint64_t seed = 0;  // of the inputs
  int num_runs = 1;        // that are timed
};

struct RunReport {
  std::vector<Tensor> outputs;
  double median_seconds = 0;
  // The most that a run had allocated at once, at the calls of its kernels; outputs and what the
  // virtual machine itself needs are in it. Memory comes straight from the system's allocator.
  std::int64_t high_water_bytes = 0;
  std::vector<Write> writes;  // of a module that ApplyLayout made
};

// Calls come from one thread. Every Error of TVM is a kNotPossible with its message.
class Session {
 public:
  virtual ~Session() = default;

  virtual std::string Version() const = 0;

  // TVM's ONNX importer.
  virtual Result<ModuleId> Import(const std::string& path, const std::vector<InputShape>& shapes,
                                  const std::vector<NamedDimension>& dims) = 0;

  // The passes that RunPass knows, in an order in which a compiler would run each of them once.
  virtual std::vector<std::string> Passes() const = 0;
  // None changes a module with in-place calls. Error: there is none of that name.
  virtual Result<PassResult> RunPass(ModuleId module, const std::string& name) = 0;
  // Equal for structurally equal modules.
  virtual std::uint64_t Hash(ModuleId module) = 0;
  virtual std::int64_t NumBindings(ModuleId module) = 0;
  // The inputs of the main function by position: "x: float32 1x3x32x32".
  virtual Result<std::vector<std::string>> Inputs(ModuleId module) = 0;

  // What a pipeline makes of the module, unmodified.
  virtual Result<StockCompiled> CompileStock(ModuleId module, Pipeline pipeline) = 0;
  // Its passes before memory is planned.
  virtual Result<ModuleId> Lower(ModuleId module, Pipeline pipeline) = 0;

  // The memory problem of a module's main function, imported or lowered. Graph inputs, outputs and
  // constants are outside the arena. Kernels of an imported module have the scratch that they make
  // for themselves as workspace; lowered ones allocate it elsewhere, and have none. Errors: control
  // flow, sizes that are not known.
  virtual Result<memory::Problem> Pose(ModuleId module) = 0;
  // A lowered module whose operators run in the layout's order and whose values lie in one arena at
  // the layout's offsets, instead of TVM's own memory plan.
  virtual Result<ModuleId> ApplyLayout(ModuleId lowered, const Layout& layout) = 0;
  virtual Result<Compiled> Compile(ModuleId laid_out) = 0;

  virtual Result<RunReport> Run(ExecutableId executable, const RunOptions& options) = 0;
  // A shared library that TVM's runtime loads.
  virtual Status Export(ExecutableId executable, const std::string& path) = 0;

  // The module is not needed any more.
  virtual void Release(ModuleId module) = 0;
};

// What the plugin exports, under its name as a string. Both sides are built together: the version
// of the interface is compared, and changes with every line of this file that has a meaning.
inline constexpr std::uint32_t kInterfaceVersion = 3;
struct PluginAnswer {
  std::uint32_t interface_version = 0;
  Session* session = nullptr;  // lives as long as the process
  std::string error;           // why there is none
};
inline constexpr const char* kFactoryName = "opass_tvm_open_session";

}  // namespace opass::tvm

extern "C" {
using OpassTvmOpenSession = void (*)(opass::tvm::PluginAnswer* answer);
}
