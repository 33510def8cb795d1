#include "opass/bench/rebench_expected.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "opass/bench/csv.h"
#include "opass/bench/npz.h"
#include "opass/support/file.h"
#include "opass/support/json.h"

namespace opass::bench {
namespace {

template <typename Value>
std::vector<Value> List(const Json& object, const char* key) {
  return object.at(key).get<std::vector<Value>>();
}

ExpectedInput InputOf(const Json& json, const std::string& mode) {
  ExpectedInput input;
  input.name = json.at("name").get<std::string>();
  input.seed = json.at("seed").get<std::uint64_t>();
  input.positive = json.value("mode", mode) == "pos";
  input.scale_log2 = json.value("scale_log2", 0);
  input.first4 = List<double>(json, "first4");
  return input;
}

ExpectedOutput OutputOf(const Json& json) {
  ExpectedOutput output;
  output.type = json.at("dtype").get<std::string>();
  output.dims = List<std::int64_t>(json, "shape");
  output.mean = json.at("mean").get<double>();
  output.l2 = json.at("l2").get<double>();
  output.absmax = json.at("absmax").get<double>();
  output.first8 = List<double>(json, "first8");
  output.samples64 = List<double>(json, "samples64");
  return output;
}

Status ReadJson(const std::string& path, Expected& expected) {
  OPASS_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  OPASS_ASSIGN_OR_RETURN(const Json json, ParseJson(text, path));
  try {
    const std::string mode = json.at("mode").get<std::string>();
    for (const Json& input : json.at("inputs")) expected.inputs.push_back(InputOf(input, mode));
    for (const Json& output : json.at("outputs")) expected.outputs.push_back(OutputOf(output));
  } catch (const Json::exception& error) {
    return InvalidInput(error.what(), path);
  }
  return {};
}

Status ReadVariables(const std::string& path, Expected& expected) {
  OPASS_ASSIGN_OR_RETURN(std::vector<CsvRow> rows, ReadCsv(path));
  for (CsvRow& row : rows) {
    expected.variables.push_back({row["var"], row["field"], row["op"], row["dtype"], row["shape"],
                                  std::strtod(row["mean"].c_str(), nullptr),
                                  std::strtod(row["l2"].c_str(), nullptr)});
  }
  return {};
}

}  // namespace

Result<Expected> ReadExpected(const std::string& folder, const std::string& graph) {
  const std::string stem = folder + "/expected/" + graph;
  Expected expected;
  OPASS_RETURN_IF_ERROR(ReadJson(stem + ".json", expected));
  if (std::filesystem::exists(stem + ".types.csv")) {
    OPASS_RETURN_IF_ERROR(ReadVariables(stem + ".types.csv", expected));
  }
  if (!std::filesystem::exists(stem + ".npz")) return expected;
  OPASS_ASSIGN_OR_RETURN(const auto arrays, ReadNpz(stem + ".npz"));
  for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
    const auto found = arrays.find(fmt::format("out_{}", i));
    if (found != arrays.end()) expected.outputs[i].stored = found->second;
  }
  return expected;
}

}  // namespace opass::bench
