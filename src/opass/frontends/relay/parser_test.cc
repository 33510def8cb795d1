#include "opass/frontends/relay/parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace opass::frontends::relay {
namespace {

using Kind = Expression::Kind;

const std::string kHeader = "#[version = \"0.0.5\"]\n";

Program Parse(const std::string& text) {
  auto program = ParseProgram(text, "t.relay");
  EXPECT_TRUE(program.ok()) << program.error().ToString();
  return program.ok() ? *std::move(program) : Program();
}

// @main with these lines in it.
Program ParseBody(const std::string& body) {
  return Parse(kHeader + "def @main(%x: Tensor[(2, 3), float32]) {\n" + body + "\n}\n");
}

std::string ErrorOf(const std::string& text) {
  const auto program = ParseProgram(text, "t.relay");
  if (program.ok()) return "none";
  EXPECT_EQ(program.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(program.error().reason, "relay-syntax");
  return program.error().ToString();
}

std::string BodyError(const std::string& body) {
  return ErrorOf(kHeader + "def @main(%x: Tensor[(2, 3), float32]) {\n" + body + "\n}\n");
}

void ExpectStart(const std::string& text, const std::string& start) {
  EXPECT_TRUE(text.starts_with(start)) << text;
}

TEST(RelayParser, Parameters) {
  const Program program = Parse(
      kHeader +
      "def @main(%x0: Tensor[(2, 3), float32] /* ty=a */, %s: int32, %v: Tensor[(5,), uint8],\n"
      "          %w: Tensor[(64), bfloat16], %z: Tensor[(0, 9), int64]) -> (float32, float32) {\n"
      "  %x0 }");
  ASSERT_EQ(program.parameters.size(), 5U);
  EXPECT_EQ(program.parameters[0].name, "x0");
  EXPECT_EQ(program.parameters[0].dims, (std::vector<std::int64_t>{2, 3}));
  EXPECT_TRUE(program.parameters[1].dims.empty());
  EXPECT_EQ(program.parameters[1].type, ir::DataType::kInt32);
  EXPECT_EQ(program.parameters[2].dims, (std::vector<std::int64_t>{5}));
  EXPECT_EQ(program.parameters[3].type, ir::DataType::kBfloat16);
  EXPECT_EQ(program.parameters[4].dims, (std::vector<std::int64_t>{0, 9}));
  EXPECT_EQ(program.parameters[4].at.line, 3);
  EXPECT_EQ(program.parameters[4].at.column, 39);
}

TEST(RelayParser, StatementsAndResult) {
  const Program program = ParseBody(
      "  %0 = add(%x, 1.5f) /* ty=Tensor[(2, 3), float32] span=f:1:2 */;\n"
      "  let %y: float32 = -2;  // a line\n"
      "  let %x_1 /* ty=float32 */ = %0;\n"
      "  (%0, (%y,), ())");
  ASSERT_EQ(program.body.statements.size(), 3U);
  const Statement& add = program.body.statements[0];
  EXPECT_FALSE(add.is_let);
  EXPECT_EQ(add.value.name, "add");
  EXPECT_EQ(add.value.at.line, 3);
  EXPECT_EQ(add.value.at.column, 8);
  EXPECT_EQ(std::get<double>(add.value.children[1].literal.value), 1.5);
  const Statement& let = program.body.statements[1];
  EXPECT_TRUE(let.is_let);
  EXPECT_EQ(std::get<std::int64_t>(let.value.literal.value), -2);
  EXPECT_EQ(program.body.statements[2].value.kind, Kind::kVariable);
  const Expression& result = program.body.children[0];
  ASSERT_EQ(result.children.size(), 3U);
  EXPECT_EQ(result.children[1].kind, Kind::kTuple);
  EXPECT_EQ(result.children[1].children.size(), 1U);
  EXPECT_EQ(result.children[2].kind, Kind::kTuple);
  EXPECT_TRUE(result.children[2].children.empty());
}

TEST(RelayParser, ProjectionsAndNesting) {
  const Program program = ParseBody("exp((%x, (%x)).0.1)");
  const Expression& outer = program.body.children[0].children[0];
  EXPECT_EQ(outer.kind, Kind::kProjection);
  EXPECT_EQ(outer.index, 1U);
  EXPECT_EQ(outer.children[0].index, 0U);
  EXPECT_EQ(outer.children[0].children[0].kind, Kind::kTuple);
  EXPECT_EQ(outer.children[0].children[0].children[1].kind, Kind::kVariable);
}

TEST(RelayParser, BlocksInParentheses) {
  const Program program = ParseBody("%1 = (let %a = %x; %2 = exp(%a); (%2, %a)); (%1, %1)");
  const Expression& block = program.body.statements[0].value;
  EXPECT_EQ(block.kind, Kind::kBlock);
  EXPECT_EQ(block.statements.size(), 2U);
  EXPECT_EQ(block.children[0].children.size(), 2U);
}

TEST(RelayParser, Attributes) {
  const Program program =
      ParseBody("f(%x, a=1, b=-0.5f, c=[1, [2]], d=\"N\\\"C\", e=None, g=True, h=(1, 2), i=[])");
  const auto& attributes = program.body.children[0].attributes;
  ASSERT_EQ(attributes.size(), 8U);
  EXPECT_EQ(std::get<std::int64_t>(attributes[0].value.value), 1);
  EXPECT_EQ(std::get<double>(attributes[1].value.value), -0.5);
  const auto& list = std::get<AttributeValue::List>(attributes[2].value.value);
  EXPECT_EQ(std::get<std::int64_t>(std::get<AttributeValue::List>(list[1].value)[0].value), 2);
  EXPECT_EQ(std::get<std::string>(attributes[3].value.value), "N\"C");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(attributes[4].value.value));
  EXPECT_TRUE(std::get<bool>(attributes[5].value.value));
  EXPECT_EQ(std::get<AttributeValue::List>(attributes[6].value.value).size(), 2U);
  EXPECT_TRUE(std::get<AttributeValue::List>(attributes[7].value.value).empty());
}

TEST(RelayParser, Numbers) {
  const auto literal = [](const std::string& text) {
    return ParseBody("(" + text + ",)").body.children[0].children[0].literal;
  };
  EXPECT_EQ(std::get<double>(literal("1e-05f").value), 1e-05);
  EXPECT_EQ(literal("1f").type, ir::DataType::kFloat);
  EXPECT_EQ(literal("2.5").type, ir::DataType::kFloat);
  EXPECT_EQ(literal("1.5f64").type, ir::DataType::kDouble);
  EXPECT_EQ(literal("2.0bf16").type, ir::DataType::kBfloat16);
  EXPECT_EQ(literal("255u8").type, ir::DataType::kUint8);
  EXPECT_EQ(std::get<std::int64_t>(literal("-9223372036854775808i64").value), INT64_MIN);
  EXPECT_EQ(std::get<std::int64_t>(literal("-2147483648").value), INT32_MIN);
  EXPECT_TRUE(std::get<bool>(literal("True").value));
  EXPECT_NE(BodyError("2147483648").find("2147483648 does not fit int32"), std::string::npos);
  EXPECT_NE(BodyError("-129i8").find("-129i8 does not fit int8"), std::string::npos);
  EXPECT_NE(BodyError("3.5e38f").find("does not fit float32"), std::string::npos);
  EXPECT_NE(BodyError("1e999f64").find("does not fit float64"), std::string::npos);
  EXPECT_NE(BodyError("1.5i8").find("'1.5i8' is no number"), std::string::npos);
  EXPECT_NE(BodyError("1.5.5").find("found '.5'"), std::string::npos);
  EXPECT_NE(BodyError("12ab").find("'12ab' is no number"), std::string::npos);
}

TEST(RelayParser, TypeDeclarationsAreReadOver) {
  const Program program = Parse(
      kHeader +
      "type List[A] {\n  Cons(A, List[A]),\n  Nil,\n}\n"
      "type t {\n  nil,\n  t1(Tensor[(?), float32]),\n  t2(Tensor[(?, 2), float32], (A, B)),\n}\n"
      "def @main() { 1 }");
  EXPECT_EQ(program.body.children[0].kind, Kind::kLiteral);
  ExpectStart(ErrorOf(kHeader + "type t { nil("), "t.relay:2:14: expected a type, found the end");
  ExpectStart(ErrorOf(kHeader + "type t { nil"), "t.relay:2:13: expected '}', found the end");
}

constexpr const char* kMeta = R"(
#[metadata]
{ "root": 1, "nodes": [ {"type_key": ""},
  {"type_key": "Map", "keys": ["relay.attrs.AvgPool2DAttrs"], "data": [2]},
  {"type_key": "Array", "data": [3]},
  {"type_key": "relay.attrs.AvgPool2DAttrs",
   "attrs": {"ceil_mode": "0", "pool_size": "4", "layout": "6", "padding": "7"}},
  {"type_key": "Array", "data": [5, 5]},
  {"type_key": "IntImm", "attrs": {"dtype": "int32", "span": "0", "value": "7"}},
  {"type_key": "runtime.String", "repr_str": "NCHW"},
  {"type_key": "Array"} ] })";

TEST(RelayParser, Metadata) {
  const std::string call = "def @main(%x: float32) { f(%x, meta[relay.attrs.AvgPool2DAttrs][0]) }";
  const Program program = Parse(kHeader + call + kMeta);
  const auto& attributes = program.body.children[0].attributes;
  ASSERT_EQ(attributes.size(), 4U);
  EXPECT_EQ(std::get<std::int64_t>(attributes[0].value.value), 0);
  const auto& size = std::get<AttributeValue::List>(attributes[1].value.value);
  EXPECT_EQ(std::get<std::int64_t>(size.at(1).value), 7);
  EXPECT_EQ(std::get<std::string>(attributes[2].value.value), "NCHW");
  ExpectStart(ErrorOf(kHeader + call), "t.relay:2:32: the metadata has no object meta[");
  std::string other = call;
  other.replace(other.find("[0]"), 3, "[1]");
  ExpectStart(ErrorOf(kHeader + other + kMeta), "t.relay:2:32: the metadata has no object");
  std::string loop = kMeta;
  loop.replace(loop.find("[5, 5]"), 6, "[4, 4]");
  EXPECT_NE(ErrorOf(kHeader + call + loop).find("has no readable 'pool_size'"), std::string::npos);
  ExpectStart(ErrorOf(kHeader + "def @main() { f(meta[relay.Constant][0]) }"),
              "t.relay:2:17: objects of type relay.Constant are not supported");
  EXPECT_FALSE(ParseProgram(kHeader + call + "\n#[metadata]\n{ \"root\"", "t.relay").ok());
}

TEST(RelayParser, ErrorsSayWhere) {
  ExpectStart(ErrorOf(""), "t.relay:1:1: expected '#', found the end of the text");
  ExpectStart(ErrorOf("#[version = \"0.0.4\"]"), "t.relay:1:13: version 0.0.4 is not known");
  ExpectStart(ErrorOf("#[other]"), "t.relay:1:3: expected 'version', found 'other'");
  ExpectStart(ErrorOf(kHeader + "let"), "t.relay:2:1: expected 'def @main' or 'type', found 'let'");
  ExpectStart(ErrorOf(kHeader + "def @f() { 1 }"), "t.relay:2:5: function '@f' is not supported");
  ExpectStart(ErrorOf(kHeader + "def @main() { 1 } def"), "t.relay:2:19: 'def' stands behind");
  ExpectStart(ErrorOf(kHeader + "def @main(%x) { %x }"), "t.relay:2:11: '%x' has no type");
  ExpectStart(ErrorOf(kHeader + "def @main(%x: int32, %x: int32) { 1 }"),
              "t.relay:2:22: two parameters are named '%x'");
  ExpectStart(ErrorOf(kHeader + "def @main(%x: Tensor[(?, 2), int32]) { 1 }"),
              "t.relay:2:23: a dimension of a parameter is open");
  ExpectStart(ErrorOf(kHeader + "def @main(%x: Tensor[(-2), int32]) { 1 }"),
              "t.relay:2:23: expected a dimension, found '-'");
  ExpectStart(ErrorOf(kHeader + "def @main(%x: Tensor[(99999999999999999999), int8]) { 1 }"),
              "t.relay:2:23: '99999999999999999999' is no dimension");
  ExpectStart(ErrorOf(kHeader + "def @main(%x: Tensor[(9999999, 9999999), int8]) { 1 }"),
              "t.relay:2:15: '%x' is too large");
  ExpectStart(ErrorOf(kHeader + "def @main(%x: complex) { 1 }"),
              "t.relay:2:15: there is no type 'complex'");
  ExpectStart(BodyError("/* open"), "t.relay:3:1: the comment has no end");
  ExpectStart(BodyError("f(\"open"), "t.relay:3:3: the string has no end");
  ExpectStart(BodyError("f(\"a\\n\")"), "t.relay:3:6: this escape is not known");
  ExpectStart(BodyError("$"), "t.relay:3:1: '$' begins nothing");
  ExpectStart(BodyError("\xff"), "t.relay:3:1: the byte 0xff begins nothing");
  ExpectStart(BodyError(std::string(1, '\0')), "t.relay:3:1: the byte 0x00 begins nothing");
  ExpectStart(BodyError("%" + std::string(300, 'a')), "t.relay:3:1: longer than 256 characters");
  ExpectStart(BodyError("f(%x, a=1, a=2)"), "t.relay:3:12: 'a' is given twice");
  ExpectStart(BodyError("f(a=1, meta[relay.attrs.MaxPool2DAttrs][0])"),
              "t.relay:3:8: attributes are given twice");
  ExpectStart(BodyError("f(a=%x)"), "t.relay:3:5: expected the value of an attribute");
  ExpectStart(BodyError("%0 = f(%x)"), "t.relay:4:1: expected ';', found '}'");
  ExpectStart(BodyError("let 5 = %x;"), "t.relay:3:5: expected a variable, found '5'");
  ExpectStart(BodyError("%x.99999999999999999999"), "t.relay:3:3: no tuple has so many fields");
}

TEST(RelayParser, WhatIsNoStraightLine) {
  ExpectStart(BodyError("fn (%y: int32) { %y }"), "t.relay:3:1: 'fn' is not supported here");
  ExpectStart(BodyError("if (%x) { 1 } else { 2 }"), "t.relay:3:1: 'if' is not supported here");
  ExpectStart(BodyError("f(%x, if(1))"), "t.relay:3:7: 'if' is not supported here");
  ExpectStart(BodyError("@f(%x)"), "t.relay:3:1: calls of functions are not supported");
  ExpectStart(BodyError("%x(1)"), "t.relay:3:3: only operators can be called");
  ExpectStart(BodyError("Nil"), "t.relay:3:1: 'Nil' is not called");
}

TEST(RelayParser, NestingIsBounded) {
  const auto nested = [](const std::string& open, const std::string& close, int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += "%x";
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_EQ(ParseBody(nested("(", ")", 60)).body.children[0].kind, Kind::kVariable);
  for (const int depth : {66, 100'000}) {
    for (const auto& [open, close] :
         {std::pair("(", ")"), std::pair("f(", ")"), std::pair("(1, ", ")"), std::pair("", ".0"),
          std::pair("(let %a = ", "; %a)")}) {
      EXPECT_NE(BodyError(nested(open, close, depth)).find("nests more than 64 levels"),
                std::string::npos)
          << open << depth;
    }
    EXPECT_NE(BodyError("f(a=" + nested("[", "]", depth)).find("nests more than 64 levels"),
              std::string::npos);
    const std::string type = nested("L[", "]", depth);
    EXPECT_NE(ErrorOf(kHeader + "type t { a(" + type + ") }").find("nests more than 64 levels"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace opass::frontends::relay
