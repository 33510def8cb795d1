#include "opass/tvm/plugin/execute.h"

#include <malloc.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/module.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <string_view>

#include "opass/tvm/plugin/function_view.h"

namespace opass::tvm {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr int kNaiveAllocator = 1;  // memory::AllocatorType::kNaive

struct CpuMemory {
  void AllocData(DLTensor* tensor) {
    const auto bytes = static_cast<std::int64_t>(ffi::GetDataSize(*tensor));
    const std::int64_t rounded = std::max((bytes + kAlignment - 1) / kAlignment, std::int64_t{1});
    tensor->data = std::aligned_alloc(kAlignment, static_cast<std::size_t>(rounded * kAlignment));
    if (tensor->data == nullptr) throw std::bad_alloc();
  }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};

template <typename T>
void Fill(void* data, std::int64_t elements, std::mt19937_64& dice, T (*draw)(std::mt19937_64&)) {
  auto* values = static_cast<T*>(data);
  for (std::int64_t i = 0; i < elements; ++i) values[i] = draw(dice);
}

// Numbers in [-1, 1); whole numbers 0 and 1, which are indices of everything.
void FillRandom(const ffi::Tensor& tensor, std::mt19937_64& dice) {
  const DLDataType type = tensor.dtype();
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.shape()) elements *= size;
  void* data = tensor.data_ptr();
  if (type.code == kDLFloat && type.bits == 32) {
    Fill<float>(data, elements, dice, [](std::mt19937_64& d) {
      return static_cast<float>(static_cast<std::int32_t>(d() >> 40) - (1 << 23)) /
             static_cast<float>(1 << 23);
    });
  } else if (type.code == kDLFloat && type.bits == 64) {
    Fill<double>(data, elements, dice, [](std::mt19937_64& d) {
      return static_cast<double>(static_cast<std::int32_t>(d() >> 40) - (1 << 23)) / (1 << 23);
    });
  } else if (type.code == kDLFloat && type.bits == 16) {
    // 0.5 to 1 and -1 to -0.5, by their bits.
    Fill<std::uint16_t>(data, elements, dice, [](std::mt19937_64& d) {
      const std::uint64_t bits = d();
      return static_cast<std::uint16_t>(0x3800 | (bits & 0x3ff) | (bits >> 63 << 15));
    });
  } else if (type.bits == 64) {
    Fill<std::int64_t>(data, elements, dice,
                       [](std::mt19937_64& d) { return static_cast<std::int64_t>(d() >> 63); });
  } else if (type.bits == 32) {
    Fill<std::int32_t>(data, elements, dice,
                       [](std::mt19937_64& d) { return static_cast<std::int32_t>(d() >> 63); });
  } else if (type.bits == 16) {
    Fill<std::int16_t>(data, elements, dice,
                       [](std::mt19937_64& d) { return static_cast<std::int16_t>(d() >> 63); });
  } else {
    Fill<std::int8_t>(data, elements, dice,
                      [](std::mt19937_64& d) { return static_cast<std::int8_t>(d() >> 63); });
  }
}

std::vector<ffi::Any> MakeInputs(const Objects& parameters, std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  std::vector<ffi::Any> inputs;
  for (const Object& parameter : parameters) {
    const Object type = Field(parameter, "ty");
    if (!Is(type, "relax.TensorType")) {
      TVM_FFI_THROW(TypeError) << "the graph has an input that is no tensor";
    }
    TensorBytes(type);  // throws where the shape is not known
    std::vector<std::int64_t> shape;
    for (const Object& size : Field<Objects>(Field(type, "shape"), "values")) {
      shape.push_back(Field<std::int64_t>(size, "value"));
    }
    const ffi::Tensor tensor = ffi::Tensor::FromNDAlloc(
        CpuMemory(), ffi::Shape(shape.begin(), shape.end()),
        Field<DLDataType>(Field(type, "dtype"), "dtype"), DLDevice{kDLCPU, 0});
    FillRandom(tensor, dice);
    inputs.push_back(tensor);
  }
  return inputs;
}

void TakeOutputs(const ffi::Any& value, std::vector<Tensor>& outputs) {
  if (const auto list = value.as<ffi::Array<ffi::Any>>()) {
    for (const ffi::Any& item : *list) TakeOutputs(item, outputs);
    return;
  }
  const auto tensor = value.as<ffi::Tensor>();
  if (!tensor) TVM_FFI_THROW(TypeError) << "the graph has an output that is no tensor";
  Tensor output;
  output.type = ffi::DLDataTypeToString(tensor->dtype());
  output.shape.assign(tensor->shape().begin(), tensor->shape().end());
  output.bytes.resize(ffi::GetDataSize(*tensor->GetDLTensorPtr()));
  if (!output.bytes.empty()) {
    std::memcpy(output.bytes.data(), tensor->data_ptr(), output.bytes.size());
  }
  outputs.push_back(std::move(output));
}

// A virtual machine of its own, so that what watches one run does not slow down another.
class Machine {
 public:
  explicit Machine(const Object& loadable) {
    const ffi::Any made =
        loadable.as<ffi::Module>().value()->GetFunction("vm_load_executable").value()();
    module_ = made.cast<ffi::Module>();
    // Its device and allocator, then those of the host.
    Get("vm_initialization")(static_cast<int>(kDLCPU), 0, kNaiveAllocator, static_cast<int>(kDLCPU),
                             0, kNaiveAllocator);
  }

  void SetInstrument(const ffi::Function& instrument) { Get("set_instrument")(instrument); }

  ffi::Any Run(const std::vector<ffi::Any>& inputs) {
    const std::vector<ffi::AnyView> views(inputs.begin(), inputs.end());
    ffi::Any output;
    Get("main").CallPacked(views.data(), static_cast<std::int32_t>(views.size()), &output);
    return output;
  }

 private:
  ffi::Function Get(const char* name) { return module_.value()->GetFunction(name).value(); }

  ffi::Optional<ffi::Module> module_;
};

std::int64_t AllocatedBytes() {
  const auto info = mallinfo2();
  return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
}

// What the virtual machine tells of its calls.
class Observer {
 public:
  Observer(const std::vector<ExpectedCall>& calls, RunReport& report)
      : calls_(calls), report_(report), before_bytes_(AllocatedBytes()) {}

  // (function, symbol, before the call?, result, arguments...)
  void Observe(const ffi::PackedArgs& told) {
    constexpr int kArguments = 4;
    report_.high_water_bytes = std::max(report_.high_water_bytes, AllocatedBytes() - before_bytes_);
    if (!told[2].cast<bool>()) return;
    const std::string symbol = told[1].cast<ffi::String>();
    if (std::string_view(symbol).starts_with("vm.builtin.") || calls_.empty()) return;
    if (num_calls_ >= calls_.size()) {
      TVM_FFI_THROW(RuntimeError) << "the virtual machine calls more kernels than there are";
    }
    for (const ExpectedCall::Written& written : calls_[num_calls_].written) {
      const auto tensor = told[static_cast<int>(kArguments + written.argument)].cast<ffi::Tensor>();
      const DLTensor* data = tensor.GetDLTensorPtr();
      report_.writes.push_back(
          {written.value, reinterpret_cast<std::uint64_t>(data->data) + data->byte_offset});
    }
    ++num_calls_;
  }

  std::size_t num_calls() const { return num_calls_; }

 private:
  const std::vector<ExpectedCall>& calls_;
  RunReport& report_;
  std::int64_t before_bytes_;
  std::size_t num_calls_ = 0;
};

}  // namespace

RunReport Execute(const Object& loadable, const Objects& parameters,
                  const std::vector<ExpectedCall>& calls, const RunOptions& options) {
  const std::vector<ffi::Any> inputs = MakeInputs(parameters, options.seed);
  RunReport report;
  Machine plain(loadable);
  plain.Run(inputs);  // fills the pools of the kernels
  std::vector<double> seconds;
  for (int i = 0; i < std::max(options.num_runs, 1); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const ffi::Any output = plain.Run(inputs);
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(seconds);
  report.median_seconds = seconds[seconds.size() / 2];
  Machine watched(loadable);
  Observer observer(calls, report);
  watched.SetInstrument(ffi::Function::FromPacked([&](ffi::PackedArgs told, ffi::Any* answer) {
    observer.Observe(told);
    *answer = 0;  // run it
  }));
  TakeOutputs(watched.Run(inputs), report.outputs);
  if (observer.num_calls() != calls.size()) {
    TVM_FFI_THROW(RuntimeError) << "the virtual machine called " << observer.num_calls()
                                << " kernels of " << calls.size();
  }
  return report;
}

}  // namespace opass::tvm
