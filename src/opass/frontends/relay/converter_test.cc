#include "opass/frontends/relay/converter.h"

#include <cstdio>
#include <fstream>
#include <set>

#include "opass/frontends/relay/test_text.h"

namespace opass::frontends::relay {
namespace {

const std::string kX = "%x: Tensor[(2, 3), float32]";

std::vector<std::string> NamesOf(const ir::Graph& graph, const std::vector<ir::ValueId>& ids) {
  std::vector<std::string> names;
  for (const ir::ValueId id : ids) names.push_back(graph.value(id).name);
  return names;
}

TEST(RelayConverter, ValuesAreNamedAsInTheText) {
  const Conversion conversion = Import(
      kX, "%0 = exp(%x); let %y = %0; %1 = split(%y, indices_or_sections=3, axis=1); (%y, %1.2)");
  const ir::Graph& graph = conversion.model.graph;
  EXPECT_EQ(NamesOf(graph, graph.inputs), std::vector<std::string>{"x"});
  EXPECT_EQ(NamesOf(graph, graph.outputs), (std::vector<std::string>{"0", "1.2"}));
  ASSERT_EQ(conversion.variables.size(), 4U);
  EXPECT_EQ(conversion.variables[2].name, "y");
  EXPECT_EQ(conversion.variables[2].item.value, conversion.variables[1].item.value);
  EXPECT_EQ(conversion.variables[3].item.num_tensors, 3U);
  EXPECT_EQ(conversion.model.opset(), 21);
}

TEST(RelayConverter, VariablesThatAreTensorsOfTheirOwn) {
  const Conversion conversion = Import(
      kX,
      "%0 = exp(%x); let %y = %0; let %c = 1; %1 = split(%y, indices_or_sections=3, axis=1); "
      "%2 = %1.0; (%2, %c)");
  std::string own;
  for (const Variable& variable : conversion.variables) {
    if (variable.is_new) own += variable.name + " ";
  }
  EXPECT_EQ(own, "x 0 1 ");
}

TEST(RelayConverter, InventedNamesMeetNoneOfTheText) {
  const Conversion conversion =
      Import(kX, "let %Exp_0 = exp(%x); %0 = exp(%Exp_0); let %z = shape_of(%0); (%0, %z)");
  EXPECT_TRUE(ir::Verify(conversion.model.graph).ok());
}

TEST(RelayConverter, BindingsNobodyReadsStay) {
  const Conversion conversion = Import(kX, "%0 = exp(%x); let %dead = sqrt(%0); %0");
  EXPECT_EQ(conversion.model.graph.order.size(), 2U);
}

TEST(RelayConverter, EveryOutputIsAValueOfItsOwn) {
  OPASS_SKIP_WITHOUT_ORT();
  const std::string body = "let %c = 7; %0 = exp(%x); (%x, (%c, %0), %0, %x, %c)";
  const Conversion conversion = Import(kX, body);
  const ir::Graph& graph = conversion.model.graph;
  EXPECT_EQ(graph.outputs[0], graph.inputs[0]);
  const auto names = NamesOf(graph, graph.outputs);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 6U);
  const auto outputs = OutputsOf(kX, body, {Numbers(6, 0)});
  const Numbers zeros(6, 0);
  const Numbers ones(6, 1);
  EXPECT_EQ(outputs, (std::vector<Numbers>{zeros, {7}, ones, ones, zeros, {7}}));
}

TEST(RelayConverter, Literals) {
  OPASS_SKIP_WITHOUT_ORT();
  const auto outputs =
      OutputsOf("", "(-2, 1.5f, 255u8, -9007199254740993i64, True, 0.1f16, 3.0f64, 1.0bf16)", {});
  ASSERT_EQ(outputs.size(), 8U);
  EXPECT_EQ(outputs[0], Numbers{-2});
  EXPECT_EQ(outputs[1], Numbers{1.5});
  EXPECT_EQ(outputs[2], Numbers{255});
  EXPECT_EQ(outputs[4], Numbers{1});
  EXPECT_EQ(outputs[5], Numbers{0.0999755859375});
  EXPECT_EQ(outputs[6], Numbers{3});
  EXPECT_EQ(outputs[7], Numbers{1});
  const Conversion conversion = Import("", "(-9007199254740993i64,)");
  const ir::Graph& graph = conversion.model.graph;
  const ir::Node& copy = graph.node(graph.order[0]);
  EXPECT_EQ(ir::AsInt64s(*graph.value(copy.inputs[0]).constant)->at(0), -9007199254740993);
}

TEST(RelayConverter, ALetEndsWithItsBlock) {
  OPASS_SKIP_WITHOUT_ORT();
  EXPECT_EQ(Value("%x: int32", "let %a = 1; %0 = (let %a = add(%x, 5); %a); add(%a, %0)", {{10}}),
            Numbers{16});
  EXPECT_EQ(Value("%x: int32", "let %a = 1; let %a = add(%a, %x); %a", {{10}}), Numbers{11});
  EXPECT_EQ(ImportError(kX, "%0 = (let %a = exp(%x); %a); %a"), "3:30: '%a' is not defined");
}

TEST(RelayConverter, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(ImportError(kX, "%0 = exp(%y); %0"), "3:10: '%y' is not defined");
  EXPECT_EQ(ImportError(kX, "%0 = %x; %0 = %x; %0"), "3:10: '%0' is defined twice");
  EXPECT_EQ(ImportError(kX, "nn.magic(%x)"), "3:1: operator 'nn.magic' is not supported");
  EXPECT_EQ(ImportError(kX, "add(%x)"), "3:1: add takes 2 arguments, not 1");
  EXPECT_EQ(ImportError(kX, "exp((%x, %x))"), "3:1: exp takes no tuple");
  EXPECT_EQ(ImportError(kX, "concatenate(%x, axis=0)"), "3:1: concatenate takes a tuple");
  EXPECT_EQ(ImportError(kX, "exp(%x, fast=1)"),
            "3:1: exp(float32[2,3]): attribute 'fast' is not supported");
  EXPECT_EQ(ImportError(kX, "(%x, %x).2"), "3:9: the tuple has 2 fields");
  EXPECT_EQ(ImportError(kX, "%x.0"), "3:3: this is no tuple");
  EXPECT_EQ(ImportError(kX, "((), ())"), "3:1: the result holds no tensor");
  EXPECT_EQ(ImportError(kX, "nn.dropout(%x)"),
            "3:1: the mask of nn.dropout does not exist at inference");
  EXPECT_EQ(ImportError(kX, "%0 = nn.dropout(%x); exp(%0.1)"),
            "3:22: exp: the mask of nn.dropout does not exist at inference");
  EXPECT_EQ(ImportError(kX, "zeros(shape=[1000000000, 1000000000], dtype=\"int8\")"),
            "3:1: zeros(): the result is too large");
  EXPECT_EQ(ImportRelay("/nonexistent.relay").error().where, "/nonexistent.relay");
}

TEST(RelayConverter, TuplesHaveLimits) {
  std::string wide = "%0 = (%x, %x);";
  std::string deep = "%0 = (%x,);";
  for (int i = 1; i < 100; ++i) {
    const std::string one = std::to_string(i);
    const std::string before = std::to_string(i - 1);
    wide += " %" + one + " = (%" + before + ", %" + before + ");";
    deep += " %" + one + " = (%" + before + ",);";
  }
  EXPECT_NE(ImportError(kX, wide + " %99").find("the tuple is too large"), std::string::npos);
  EXPECT_NE(ImportError(kX, deep + " %99").find("the tuple is too large"), std::string::npos);
}

TEST(RelayConverter, ReadsFilesByEndingAndByBeginning) {
  const std::string folder = testing::TempDir();
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  };
  EXPECT_TRUE(IsRelayFile(write("a.relay", "")));
  EXPECT_TRUE(IsRelayFile(write("a.txt", MainText("", "1"))));
  EXPECT_FALSE(IsRelayFile(write("a.onnx", "#[other")));
  EXPECT_FALSE(IsRelayFile(folder + "/a.missing"));
  EXPECT_TRUE(ImportRelay(folder + "/a.txt").ok());
  for (const char* name : {"a.relay", "a.txt", "a.onnx"})
    std::remove((folder + "/" + name).c_str());
}

}  // namespace
}  // namespace opass::frontends::relay
