// opass bench scale: a generated model with many nodes and large weights through `opass optimize
// --no-verify` in a process of its own; its time and its peak memory.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>

#include "opass/bench/benchmark.h"
#include "opass/bench/text_table.h"
#include "opass/onnx/write.h"
#include "opass/opass.h"
#include "opass/support/json.h"

namespace opass::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kAllowedBytes = 200'000'000;  // beside 2.5 times the file
constexpr double kAllowedFactor = 2.5;

struct Settings {
  int nodes = 3000;
  int weight_megabytes = 100;
};

// Blocks of Conv, Relu, Conv, Add on 16 channels, with a weight matrix every ten blocks that makes
// up the wanted size.
class Generator {
 public:
  explicit Generator(const Settings& settings) : settings_(settings) {}

  ir::Model Make() {
    model_.ir_version = 8;
    model_.opsets[""] = 17;
    model_.graph.name = "scale";
    ir::ValueId x = Value("x", {1, kChannels, kSide, kSide});
    model_.graph.inputs = {x};
    const int num_blocks = (settings_.nodes - 2) / 4;
    const std::int64_t kernel_bytes = kChannels * kChannels * 9 * 4;
    const std::int64_t rest =
        std::int64_t{settings_.weight_megabytes} * 1'000'000 - 2 * num_blocks * kernel_bytes;
    for (int i = 0; i < num_blocks; ++i) {
      const ir::ValueId a = Conv(x, fmt::format("a{}", i));
      const ir::ValueId b = Op("Relu", {a}, fmt::format("b{}", i), kShape);
      const ir::ValueId c = Conv(b, fmt::format("c{}", i));
      x = Op("Add", {x, c}, fmt::format("d{}", i), kShape);
    }
    const std::int64_t features = kChannels * kSide * kSide;
    x = Op("Flatten", {x}, "flat", {1, features});
    const std::int64_t columns = std::max<std::int64_t>(1, rest / (4 * features));
    x = Op("MatMul", {x, Weight("w", {features, columns})}, "y", {1, columns});
    model_.graph.outputs = {x};
    return std::move(model_);
  }

 private:
  static constexpr std::int64_t kChannels = 16;
  static constexpr std::int64_t kSide = 16;
  const std::vector<std::int64_t> kShape = {1, kChannels, kSide, kSide};

  ir::ValueId Value(const std::string& name, const std::vector<std::int64_t>& dims) {
    return model_.graph.AddValue(name, ir::Type::Tensor(ir::DataType::kFloat, dims));
  }
  ir::ValueId Weight(const std::string& name, const std::vector<std::int64_t>& dims) {
    std::vector<float> values(static_cast<std::size_t>(*ir::NumElements(dims)));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 0.01f * static_cast<float>((i * 7919 + name.size()) % 17) - 0.08f;
    }
    return model_.graph.AddConstant(name, ir::Tensor::FromFloats(dims, values));
  }
  ir::ValueId Op(const std::string& op_type, std::vector<ir::ValueId> inputs,
                 const std::string& name, const std::vector<std::int64_t>& dims) {
    ir::Node node;
    node.op_type = op_type;
    node.name = name + "_node";
    node.inputs = std::move(inputs);
    node.outputs = {Value(name, dims)};
    if (op_type == "Conv") {
      node.attributes = {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}};
    }
    return model_.graph.node(model_.graph.AddNode(node)).outputs[0];
  }
  ir::ValueId Conv(ir::ValueId x, const std::string& name) {
    return Op("Conv", {x, Weight(name + "_w", {kChannels, kChannels, 3, 3})}, name, kShape);
  }

  Settings settings_;
  ir::Model model_;
};

struct Usage {
  double seconds = 0;
  std::int64_t peak_bytes = 0;
  int status = 0;
};

// This very program as `opass optimize`, so that the figures are those of the tool.
Usage RunTool(const std::string& model, const std::string& output) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "opass", "optimize", model.c_str(), "-o", output.c_str(), "--no-verify",
          "--quiet", static_cast<char*>(nullptr));
    _exit(127);
  }
  Usage usage;
  rusage resources = {};
  wait4(child, &usage.status, 0, &resources);
  usage.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  usage.peak_bytes = resources.ru_maxrss * 1024;
  return usage;
}

Result<int> Run(const Settings& settings, bool as_json) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("opass_scale_{}", getpid());
  fs::create_directories(folder);
  TextTable table({"weights", "file", "seconds", "peak memory", "allowed"});
  Json json = {{"nodes", settings.nodes}, {"runs", Json::array()}};
  bool met = true;
  for (const auto policy : {onnxlib::ExternalPolicy::kEmbed, onnxlib::ExternalPolicy::kCopy}) {
    const bool embedded = policy == onnxlib::ExternalPolicy::kEmbed;
    const std::string model = (folder / (embedded ? "embedded.onnx" : "external.onnx")).string();
    OPASS_RETURN_IF_ERROR(
        onnxlib::WriteModelFile(Generator(settings).Make(), model, {.external = policy}, nullptr));
    std::int64_t file_bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().string().starts_with(model)) {
        file_bytes += static_cast<std::int64_t>(entry.file_size());
      }
    }
    const Usage usage = RunTool(model, (folder / "out.onnx").string());
    const double allowed = kAllowedFactor * static_cast<double>(file_bytes) + kAllowedBytes;
    met = met && usage.status == 0 && static_cast<double>(usage.peak_bytes) <= allowed;
    json["runs"].push_back({{"weights", embedded ? "embedded" : "external"},
                            {"file_bytes", file_bytes},
                            {"ok", usage.status == 0},
                            {"seconds", usage.seconds},
                            {"peak_memory_bytes", usage.peak_bytes},
                            {"allowed_bytes", static_cast<std::int64_t>(allowed)}});
    table.Add({embedded ? "embedded" : "external", std::to_string(file_bytes),
               usage.status == 0 ? fmt::format("{:.2f}", usage.seconds) : "FAILED",
               std::to_string(usage.peak_bytes), fmt::format("{:.0f}", allowed)});
  }
  std::error_code code;
  fs::remove_all(folder, code);
  if (as_json) {
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{} nodes\n{}", settings.nodes, table.ToString());
  }
  return met ? 0 : ExitCode(ErrorCode::kRefused);
}

std::function<Result<int>()> Setup(CLI::App& app, const bool& json) {
  auto settings = std::make_shared<Settings>();
  app.add_option("--nodes", settings->nodes)->check(CLI::Range(10, 200000))->capture_default_str();
  app.add_option("--weights-mb", settings->weight_megabytes, "10^6 bytes of weights")
      ->check(CLI::Range(1, 1900))
      ->capture_default_str();
  return [settings, &json] { return Run(*settings, json); };
}

}  // namespace

extern const Benchmark benchmark_scale;
const Benchmark benchmark_scale = {
    .name = "scale",
    .summary = "Time and memory of optimize on a model with thousands of nodes and large weights",
    .examples =
        "  opass bench scale\n"
        "  opass bench scale --nodes 20000 --weights-mb 1000\n",
    .setup = Setup,
};

}  // namespace opass::bench
