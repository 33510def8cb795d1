#pragma once

#include <cstddef>
#include <cstdint>

// The part of ONNX Runtime's C interface that opass calls. The interface is a table of function
// pointers that only ever grows at its end, so a position is a promise; Library tests it at load.
// Positions are those of OrtApi in onnxruntime_c_api.h, counted from 0.
namespace opass::ort {

struct OrtStatus;
struct OrtEnv;
struct OrtSession;
struct OrtSessionOptions;
struct OrtRunOptions;
struct OrtValue;
struct OrtMemoryInfo;
struct OrtThreadingOptions;
struct OrtTensorTypeAndShapeInfo;

// The memory of kernels, given to the runtime by its caller. The fields after Reserve may be null.
struct OrtAllocator {
  std::uint32_t version;
  void* (*Alloc)(OrtAllocator* self, std::size_t size_bytes);
  void (*Free)(OrtAllocator* self, void* pointer);
  const OrtMemoryInfo* (*Info)(const OrtAllocator* self);
  void* (*Reserve)(OrtAllocator* self, std::size_t size_bytes);
  OrtStatus* (*GetStats)(const OrtAllocator* self, void** out);
  void* (*AllocOnStream)(OrtAllocator* self, std::size_t size_bytes, void* stream);
  OrtStatus* (*Shrink)(OrtAllocator* self);
};

struct OrtApiBase {
  const void* (*GetApi)(std::uint32_t version);
  const char* (*GetVersionString)();
};

// The first version of the table that holds every entry below.
inline constexpr std::uint32_t kApiVersion = 23;

// Status codes, levels and kinds of values, by their numbers in the C interface.
inline constexpr int kStatusInvalidArgument = 2;
inline constexpr int kStatusNotImplemented = 9;
inline constexpr int kLogFatal = 4;
inline constexpr int kOptimizationOff = 0;
inline constexpr int kDeviceAllocator = 0;
inline constexpr int kMemoryTypeDefault = 0;
inline constexpr int kValueTensor = 1;
inline constexpr int kValueSequence = 2;

// X(name, position, return type, (arguments))
#define OPASS_ORT_ENTRIES(X)                                                                       \
  X(CreateStatus, 0, OrtStatus*, (int code, const char* message))                                  \
  X(GetErrorCode, 1, int, (const OrtStatus* status))                                               \
  X(GetErrorMessage, 2, const char*, (const OrtStatus* status))                                    \
  X(CreateEnv, 3, OrtStatus*, (int log_level, const char* log_id, OrtEnv** out))                   \
  X(CreateSessionFromArray, 8, OrtStatus*,                                                         \
    (const OrtEnv* env, const void* model, std::size_t size_bytes,                                 \
     const OrtSessionOptions* options, OrtSession** out))                                          \
  X(Run, 9, OrtStatus*,                                                                            \
    (OrtSession * session, const OrtRunOptions* options, const char* const* input_names,           \
     const OrtValue* const* inputs, std::size_t num_inputs, const char* const* output_names,       \
     std::size_t num_outputs, OrtValue** outputs))                                                 \
  X(CreateSessionOptions, 10, OrtStatus*, (OrtSessionOptions * *out))                              \
  X(CloneSessionOptions, 12, OrtStatus*,                                                           \
    (const OrtSessionOptions* options, OrtSessionOptions** out))                                   \
  X(DisableMemPattern, 17, OrtStatus*, (OrtSessionOptions * options))                              \
  X(SetSessionLogSeverityLevel, 22, OrtStatus*, (OrtSessionOptions * options, int level))          \
  X(SetSessionGraphOptimizationLevel, 23, OrtStatus*, (OrtSessionOptions * options, int level))    \
  X(SetIntraOpNumThreads, 24, OrtStatus*, (OrtSessionOptions * options, int threads))              \
  X(SetInterOpNumThreads, 25, OrtStatus*, (OrtSessionOptions * options, int threads))              \
  X(SessionGetInputCount, 30, OrtStatus*, (const OrtSession* session, std::size_t* out))           \
  X(SessionGetOutputCount, 31, OrtStatus*, (const OrtSession* session, std::size_t* out))          \
  X(CreateTensorAsOrtValue, 48, OrtStatus*,                                                        \
    (OrtAllocator * allocator, const std::int64_t* dims, std::size_t rank, int type,               \
     OrtValue** out))                                                                              \
  X(CreateTensorWithDataAsOrtValue, 49, OrtStatus*,                                                \
    (const OrtMemoryInfo* info, void* data, std::size_t size_bytes, const std::int64_t* dims,      \
     std::size_t rank, int type, OrtValue** out))                                                  \
  X(GetTensorMutableData, 51, OrtStatus*, (OrtValue * value, void** out))                          \
  X(FillStringTensor, 52, OrtStatus*,                                                              \
    (OrtValue * value, const char* const* strings, std::size_t count))                             \
  X(GetStringTensorDataLength, 53, OrtStatus*, (const OrtValue* value, std::size_t* out))          \
  X(GetStringTensorContent, 54, OrtStatus*,                                                        \
    (const OrtValue* value, void* content, std::size_t size_bytes, std::size_t* offsets,           \
     std::size_t count))                                                                           \
  X(GetTensorElementType, 60, OrtStatus*, (const OrtTensorTypeAndShapeInfo* info, int* out))       \
  X(GetDimensionsCount, 61, OrtStatus*, (const OrtTensorTypeAndShapeInfo* info, std::size_t* out)) \
  X(GetDimensions, 62, OrtStatus*,                                                                 \
    (const OrtTensorTypeAndShapeInfo* info, std::int64_t* dims, std::size_t rank))                 \
  X(GetTensorTypeAndShape, 65, OrtStatus*,                                                         \
    (const OrtValue* value, OrtTensorTypeAndShapeInfo** out))                                      \
  X(GetValueType, 67, OrtStatus*, (const OrtValue* value, int* out))                               \
  X(CreateCpuMemoryInfo, 69, OrtStatus*, (int allocator, int memory_type, OrtMemoryInfo** out))    \
  X(GetAllocatorWithDefaultOptions, 78, OrtStatus*, (OrtAllocator * *out))                         \
  X(GetValue, 80, OrtStatus*,                                                                      \
    (const OrtValue* value, int index, OrtAllocator* allocator, OrtValue** out))                   \
  X(GetValueCount, 81, OrtStatus*, (const OrtValue* value, std::size_t* out))                      \
  X(ReleaseEnv, 92, void, (OrtEnv * env))                                                          \
  X(ReleaseStatus, 93, void, (OrtStatus * status))                                                 \
  X(ReleaseMemoryInfo, 94, void, (OrtMemoryInfo * info))                                           \
  X(ReleaseSession, 95, void, (OrtSession * session))                                              \
  X(ReleaseValue, 96, void, (OrtValue * value))                                                    \
  X(ReleaseTensorTypeAndShapeInfo, 99, void, (OrtTensorTypeAndShapeInfo * info))                   \
  X(ReleaseSessionOptions, 100, void, (OrtSessionOptions * options))                               \
  X(CreateEnvWithGlobalThreadPools, 119, OrtStatus*,                                               \
    (int log_level, const char* log_id, const OrtThreadingOptions* options, OrtEnv** out))         \
  X(DisablePerSessionThreads, 120, OrtStatus*, (OrtSessionOptions * options))                      \
  X(CreateThreadingOptions, 121, OrtStatus*, (OrtThreadingOptions * *out))                         \
  X(ReleaseThreadingOptions, 122, void, (OrtThreadingOptions * options))                           \
  X(AddSessionConfigEntry, 130, OrtStatus*,                                                        \
    (OrtSessionOptions * options, const char* key, const char* value))                             \
  X(SetGlobalIntraOpNumThreads, 147, OrtStatus*, (OrtThreadingOptions * options, int threads))     \
  X(RegisterAllocator, 176, OrtStatus*, (OrtEnv * env, OrtAllocator * allocator))                  \
  X(UnregisterAllocator, 177, OrtStatus*, (OrtEnv * env, const OrtMemoryInfo* info))               \
  X(AddExternalInitializers, 210, OrtStatus*,                                                      \
    (OrtSessionOptions * options, const char* const* names, const OrtValue* const* values,         \
     std::size_t count))

// The entries as members: api.Run(...).
struct Api {
#define OPASS_ORT_MEMBER(name, position, type, arguments) type(*name) arguments = nullptr;
  OPASS_ORT_ENTRIES(OPASS_ORT_MEMBER)
#undef OPASS_ORT_MEMBER
};

}  // namespace opass::ort
