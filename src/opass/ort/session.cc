#include "opass/ort/session.h"

#include <fmt/format.h>

#include <cstddef>
#include <mutex>

#include "opass/ort/library.h"

namespace opass::ort {
namespace {

Result<Handle<OrtSessionOptions>> MakeOptions(const SessionOptions& wish, bool use_pool) {
  const Api& api = LoadedApi();
  OrtSessionOptions* raw = nullptr;
  OPASS_RETURN_IF_ERROR(ToStatus(api.CreateSessionOptions(&raw)));
  Handle<OrtSessionOptions> options(raw);
  OPASS_RETURN_IF_ERROR(ToStatus(api.SetSessionGraphOptimizationLevel(raw, kOptimizationOff)));
  OPASS_RETURN_IF_ERROR(ToStatus(api.SetSessionLogSeverityLevel(raw, kLogFatal)));
  OPASS_RETURN_IF_ERROR(ToStatus(api.DisableMemPattern(raw)));
  OPASS_RETURN_IF_ERROR(
      ToStatus(api.AddSessionConfigEntry(raw, "session.use_env_allocators", "1")));
  if (use_pool) {
    // A pool per session would cost a thousand models a thousand pools.
    OPASS_RETURN_IF_ERROR(ToStatus(api.DisablePerSessionThreads(raw)));
  } else {
    OPASS_RETURN_IF_ERROR(ToStatus(api.SetIntraOpNumThreads(raw, 1)));
    OPASS_RETURN_IF_ERROR(ToStatus(api.SetInterOpNumThreads(raw, 1)));
  }
  if (wish.disable_prepacking) {
    OPASS_RETURN_IF_ERROR(
        ToStatus(api.AddSessionConfigEntry(raw, "session.disable_prepacking", "1")));
  }
  return options;
}

Result<OrtEnv*> MakeEnv(int threads) {
  const Api& api = LoadedApi();
  OrtEnv* env = nullptr;
  if (threads == 1) {
    OPASS_RETURN_IF_ERROR(ToStatus(api.CreateEnv(kLogFatal, "opass", &env)));
    return env;
  }
  OrtThreadingOptions* raw = nullptr;
  OPASS_RETURN_IF_ERROR(ToStatus(api.CreateThreadingOptions(&raw)));
  const Handle<OrtThreadingOptions> options(raw);
  OPASS_RETURN_IF_ERROR(ToStatus(api.SetGlobalIntraOpNumThreads(raw, threads)));
  OPASS_RETURN_IF_ERROR(
      ToStatus(api.CreateEnvWithGlobalThreadPools(kLogFatal, "opass", raw, &env)));
  return env;
}

}  // namespace

Result<std::shared_ptr<Environment>> Environment::Make(int threads) {
  const Api& api = LoadedApi();
  std::shared_ptr<Environment> made(new Environment);
  made->pool_threads_ = threads;
  OPASS_ASSIGN_OR_RETURN(made->env_, MakeEnv(threads));
  OrtMemoryInfo* info = nullptr;
  OPASS_RETURN_IF_ERROR(
      ToStatus(api.CreateCpuMemoryInfo(kDeviceAllocator, kMemoryTypeDefault, &info)));
  made->info_.reset(info);
  made->allocator_ = std::make_unique<CountingAllocator>(info);
  OPASS_RETURN_IF_ERROR(ToStatus(api.RegisterAllocator(made->env_, made->allocator_->get())));
  return made;
}

Result<std::shared_ptr<Environment>> Environment::Get(int threads) {
  static std::mutex mutex;
  // Never destroyed: the runtime's own statics may be gone before ours.
  static auto* current = new std::shared_ptr<Environment>;
  if (threads < 1 || threads > 1024) {
    return InvalidInput(fmt::format("{} threads: the number must be from 1 to 1024", threads));
  }
  const std::lock_guard lock(mutex);
  OPASS_RETURN_IF_ERROR(Library::Get());
  if (*current != nullptr && (threads == 1 || (*current)->pool_threads_ == threads)) {
    return *current;
  }
  if (*current != nullptr && current->use_count() > 1) {
    return InternalError(fmt::format("ONNX Runtime is in use with {} threads, not {}",
                                     (*current)->pool_threads_, threads));
  }
  current->reset();
  OPASS_ASSIGN_OR_RETURN(*current, Make(threads));
  return *current;
}

Environment::~Environment() {
  const Api& api = LoadedApi();
  for (auto& options : options_) options.reset();
  if (env_ == nullptr) return;
  if (allocator_ != nullptr) (void)TakeAnswer(api.UnregisterAllocator(env_, info_.get()));
  api.ReleaseEnv(env_);
}

Result<OrtSessionOptions*> Environment::OptionsFor(const SessionOptions& options, bool use_pool) {
  auto& slot = options_[(options.disable_prepacking ? 1U : 0U) + (use_pool ? 2U : 0U)];
  if (slot == nullptr) {
    OPASS_ASSIGN_OR_RETURN(slot, MakeOptions(options, use_pool));
  }
  return slot.get();
}

Result<Session> Session::Create(std::shared_ptr<Environment> environment,
                                std::string_view model_bytes, int threads,
                                const SessionOptions& options, ExternalTensors external) {
  const Api& api = LoadedApi();
  OPASS_ASSIGN_OR_RETURN(OrtSessionOptions * shared, environment->OptionsFor(options, threads > 1));
  Handle<OrtSessionOptions> own;
  std::vector<Value> values;
  if (!external.empty()) {
    OrtSessionOptions* clone = nullptr;
    OPASS_RETURN_IF_ERROR(ToStatus(api.CloneSessionOptions(shared, &clone)));
    own.reset(clone);
    std::vector<const char*> names;
    std::vector<const OrtValue*> raw;
    for (const auto& [name, tensor] : external) {
      OPASS_ASSIGN_OR_RETURN(Value value, FromTensor(*tensor));
      names.push_back(name.c_str());
      raw.push_back(value.get());
      values.push_back(std::move(value));
    }
    OPASS_RETURN_IF_ERROR(
        ToStatus(api.AddExternalInitializers(clone, names.data(), raw.data(), raw.size())));
  }
  Session session;
  session.environment_ = std::move(environment);
  OrtSession* raw = nullptr;
  OPASS_RETURN_IF_ERROR(
      ToStatus(api.CreateSessionFromArray(session.environment_->env_, model_bytes.data(),
                                          model_bytes.size(), own ? own.get() : shared, &raw)));
  session.session_.reset(raw);
  session.external_ = std::move(external);
  return session;
}

Status Session::Run(std::span<const char* const> input_names,
                    std::span<const OrtValue* const> inputs,
                    std::span<const char* const> output_names, std::span<Value> outputs) {
  std::vector<OrtValue*> raw(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) raw[i] = outputs[i].get();
  OrtStatus* status = LoadedApi().Run(session_.get(), nullptr, input_names.data(), inputs.data(),
                                      inputs.size(), output_names.data(), raw.size(), raw.data());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] == nullptr && raw[i] != nullptr) outputs[i].reset(raw[i]);
  }
  return ToStatus(status, "run-failed");
}

}  // namespace opass::ort
