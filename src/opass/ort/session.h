#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opass/ort/allocator.h"
#include "opass/ort/value.h"
#include "opass/support/result.h"

namespace opass::ort {

struct SessionOptions {
  // Kernels then use weights as they are stored, and give the same bits whether a weight is an
  // initializer or a computed value.
  bool disable_prepacking = false;
};

// Initializers of a model that are not in its bytes: their TensorProto says "external data", and
// the runtime takes them from here instead.
using ExternalTensors = std::vector<std::pair<std::string, ir::TensorPtr>>;

// The runtime's environment: its threads and the memory of all its sessions.
class Environment {
 public:
  // The runtime has one environment per process. It is kept between calls; another number of
  // threads than 1 needs that nobody else holds an environment with a different one. One thread
  // means the caller's own; with more, all sessions share one pool.
  static Result<std::shared_ptr<Environment>> Get(int threads = 1);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  CountingAllocator& allocator() { return *allocator_; }
  int pool_threads() const { return pool_threads_; }

 private:
  friend class Session;
  Environment() = default;
  static Result<std::shared_ptr<Environment>> Make(int threads);
  Result<OrtSessionOptions*> OptionsFor(const SessionOptions& options, bool use_pool);

  OrtEnv* env_ = nullptr;
  int pool_threads_ = 1;
  Handle<OrtMemoryInfo> info_;
  std::unique_ptr<CountingAllocator> allocator_;
  std::array<Handle<OrtSessionOptions>, 4> options_;
};

// A loaded model, run without any optimization: nodes are computed as they are written.
class Session {
 public:
  // `threads` is 1 or the environment's number. The bytes of the model may be freed afterwards, the
  // external tensors are kept. Errors are kNotPossible with the reason "missing-kernel" or
  // "runtime-refused".
  static Result<Session> Create(std::shared_ptr<Environment> environment,
                                std::string_view model_bytes, int threads,
                                const SessionOptions& options = {}, ExternalTensors external = {});

  // Where an output is null the runtime allocates it. Error: kNotPossible, reason "run-failed".
  Status Run(std::span<const char* const> input_names, std::span<const OrtValue* const> inputs,
             std::span<const char* const> output_names, std::span<Value> outputs);

  Environment& environment() { return *environment_; }

 private:
  Session() = default;
  std::shared_ptr<Environment> environment_;  // before the session: released after it
  ExternalTensors external_;
  Handle<OrtSession> session_;
};

}  // namespace opass::ort
