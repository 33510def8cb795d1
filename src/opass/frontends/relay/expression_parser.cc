#include "opass/frontends/relay/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/frontends/relay/numbers.h"
#include "opass/frontends/relay/types_parser.h"

namespace opass::frontends::relay {
namespace {

using Kind = Token::Kind;
using ExpressionKind = Expression::Kind;

constexpr const char* kStraightLine = "only a straight line of operators is supported";

Expression Make(ExpressionKind kind, const Token& token) {
  Expression expression;
  expression.kind = kind;
  expression.at = token.at;
  expression.name = token.text;
  return expression;
}

}  // namespace

Status ExpressionParser::CheckDepth(int depth) const {
  if (depth <= kMaxNesting) return {};
  return tokens_.ErrorAt(tokens_.peek().at,
                         fmt::format("nests more than {} levels deep", kMaxNesting));
}

Result<Expression> ExpressionParser::ParseBlock(std::string_view end, int depth) {
  Expression block = Make(ExpressionKind::kBlock, {});
  block.at = tokens_.peek().at;
  OPASS_ASSIGN_OR_RETURN(Expression result, ParseStatements(block, depth));
  block.children.push_back(std::move(result));
  OPASS_RETURN_IF_ERROR(tokens_.Expect(end));
  return block;
}

Result<Expression> ExpressionParser::ParseStatements(Expression& block, int depth) {
  while (true) {
    if (tokens_.peek().Is(Kind::kName, "let")) {
      OPASS_RETURN_IF_ERROR(ParseLet(block, depth));
      continue;
    }
    if (tokens_.peek().kind != Kind::kVariable) return ParseExpression(depth);
    OPASS_ASSIGN_OR_RETURN(const Token variable, tokens_.Take());
    if (!tokens_.peek().IsSymbol("=")) {
      return ParseProjections(Make(ExpressionKind::kVariable, variable), depth);
    }
    Statement statement;
    statement.name = variable.text;
    statement.at = variable.at;
    OPASS_RETURN_IF_ERROR(AddStatement(std::move(statement), block, depth));
  }
}

Status ExpressionParser::ParseLet(Expression& block, int depth) {
  OPASS_RETURN_IF_ERROR(tokens_.Take());
  OPASS_ASSIGN_OR_RETURN(const Token variable, tokens_.Expect(Kind::kVariable, "a variable"));
  OPASS_ASSIGN_OR_RETURN(const bool has_type, tokens_.Accept(":"));
  if (has_type) OPASS_RETURN_IF_ERROR(SkipType(tokens_, depth));
  Statement statement;
  statement.name = variable.text;
  statement.at = variable.at;
  statement.is_let = true;
  return AddStatement(std::move(statement), block, depth);
}

// The value, from "=" on.
Status ExpressionParser::AddStatement(Statement statement, Expression& block, int depth) {
  OPASS_RETURN_IF_ERROR(tokens_.Expect("="));
  OPASS_ASSIGN_OR_RETURN(statement.value, ParseExpression(depth + 1));
  OPASS_RETURN_IF_ERROR(tokens_.Expect(";"));
  block.statements.push_back(std::move(statement));
  return {};
}

Result<Expression> ExpressionParser::ParseExpression(int depth) {
  OPASS_RETURN_IF_ERROR(CheckDepth(depth));
  const Token token = tokens_.peek();
  switch (token.kind) {
    case Kind::kVariable: {
      OPASS_RETURN_IF_ERROR(tokens_.Take());
      return ParseProjections(Make(ExpressionKind::kVariable, token), depth);
    }
    case Kind::kGlobal:
      return tokens_.ErrorAt(token.at, "calls of functions are not supported", kStraightLine);
    case Kind::kName:
      return ParseNamed(depth);
    default:
      break;
  }
  OPASS_ASSIGN_OR_RETURN(const bool is_open, tokens_.Accept("("));
  if (is_open) {
    OPASS_ASSIGN_OR_RETURN(Expression inner, ParseParentheses(token.at, depth));
    return ParseProjections(std::move(inner), depth);
  }
  if (token.kind != Kind::kNumber && !token.IsSymbol("-")) {
    return tokens_.Expected("an expression");
  }
  Expression expression = Make(ExpressionKind::kLiteral, token);
  OPASS_ASSIGN_OR_RETURN(expression.literal, ParseLiteral());
  return expression;
}

Result<Expression> ExpressionParser::ParseParentheses(Position at, int depth) {
  Expression block = Make(ExpressionKind::kBlock, {});
  block.at = at;
  OPASS_ASSIGN_OR_RETURN(const bool is_empty, tokens_.Accept(")"));
  if (is_empty) {
    block.kind = ExpressionKind::kTuple;
    return block;
  }
  OPASS_ASSIGN_OR_RETURN(Expression first, ParseStatements(block, depth + 1));
  if (block.statements.empty() && tokens_.peek().IsSymbol(",")) {
    return ParseTuple(at, std::move(first), depth);
  }
  OPASS_RETURN_IF_ERROR(tokens_.Expect(")"));
  if (block.statements.empty()) return first;
  block.children.push_back(std::move(first));
  return block;
}

Result<Expression> ExpressionParser::ParseTuple(Position at, Expression first, int depth) {
  Expression tuple = Make(ExpressionKind::kTuple, {});
  tuple.at = at;
  tuple.children.push_back(std::move(first));
  while (true) {
    OPASS_ASSIGN_OR_RETURN(const bool has_comma, tokens_.Accept(","));
    if (!has_comma || tokens_.peek().IsSymbol(")")) break;
    OPASS_ASSIGN_OR_RETURN(Expression field, ParseExpression(depth + 1));
    tuple.children.push_back(std::move(field));
  }
  OPASS_RETURN_IF_ERROR(tokens_.Expect(")"));
  return tuple;
}

Result<Expression> ExpressionParser::ParseProjections(Expression tuple, int depth) {
  while (tokens_.peek().kind == Kind::kProjection) {
    OPASS_RETURN_IF_ERROR(CheckDepth(++depth));
    OPASS_ASSIGN_OR_RETURN(const Token token, tokens_.Take());
    const auto index = ParseDigits(token.text);
    if (!index) return tokens_.ErrorAt(token.at, "no tuple has so many fields");
    Expression projection = Make(ExpressionKind::kProjection, token);
    projection.index = static_cast<std::size_t>(*index);
    projection.children.push_back(std::move(tuple));
    tuple = std::move(projection);
  }
  if (!tokens_.peek().IsSymbol("(")) return tuple;
  return tokens_.ErrorAt(tokens_.peek().at, "only operators can be called", kStraightLine);
}

// An operator with its arguments, or a truth value.
Result<Expression> ExpressionParser::ParseNamed(int depth) {
  OPASS_ASSIGN_OR_RETURN(const Token name, tokens_.Take());
  if (name.text == "True" || name.text == "False") {
    Expression literal = Make(ExpressionKind::kLiteral, name);
    literal.literal = {ir::DataType::kBool, name.text == "True"};
    return literal;
  }
  for (const char* word : {"fn", "if", "match", "ref", "let", "free_var", "meta"}) {
    if (name.text == word) {
      return tokens_.ErrorAt(name.at, fmt::format("'{}' is not supported here", word),
                             kStraightLine);
    }
  }
  Expression call = Make(ExpressionKind::kCall, name);
  if (!tokens_.peek().IsSymbol("(")) {
    return tokens_.ErrorAt(name.at, fmt::format("'{}' is not called", name.text));
  }
  OPASS_RETURN_IF_ERROR(tokens_.Take());
  while (!tokens_.peek().IsSymbol(")")) {
    OPASS_RETURN_IF_ERROR(ParseArgument(depth + 1, call));
    OPASS_ASSIGN_OR_RETURN(const bool more, tokens_.Accept(","));
    if (!more) break;
  }
  OPASS_RETURN_IF_ERROR(tokens_.Expect(")"));
  return ParseProjections(std::move(call), depth);
}

// An expression, name=value, or meta[type][index]. A name that is no attribute is a call.
Status ExpressionParser::ParseArgument(int depth, Expression& call) {
  const Token token = tokens_.peek();
  if (token.Is(Kind::kName, "meta")) return ParseMeta(token.at, call);
  const bool may_be_attribute = token.kind == Kind::kName && tokens_.FollowedBy('=');
  if (!may_be_attribute) {
    OPASS_ASSIGN_OR_RETURN(Expression argument, ParseExpression(depth));
    call.children.push_back(std::move(argument));
    return {};
  }
  if (std::ranges::count(call.attributes, token.text, &Attribute::name) > 0) {
    return tokens_.ErrorAt(token.at, fmt::format("'{}' is given twice", token.text));
  }
  OPASS_RETURN_IF_ERROR(tokens_.Take());
  OPASS_RETURN_IF_ERROR(tokens_.Expect("="));
  OPASS_ASSIGN_OR_RETURN(AttributeValue value, ParseAttributeValue(depth));
  call.attributes.push_back({token.text, std::move(value), token.at});
  return {};
}

// All attributes of the call at once.
Status ExpressionParser::ParseMeta(Position at, Expression& call) {
  OPASS_RETURN_IF_ERROR(tokens_.Take());
  OPASS_RETURN_IF_ERROR(tokens_.Expect("["));
  OPASS_ASSIGN_OR_RETURN(const Token type, tokens_.Expect(Kind::kName, "a type of objects"));
  OPASS_RETURN_IF_ERROR(tokens_.Expect("]"));
  OPASS_RETURN_IF_ERROR(tokens_.Expect("["));
  OPASS_ASSIGN_OR_RETURN(const Token number, tokens_.Expect(Kind::kNumber, "a number"));
  OPASS_RETURN_IF_ERROR(tokens_.Expect("]"));
  const auto index = ParseDigits(number.text);
  if (!index || !call.attributes.empty()) {
    return tokens_.ErrorAt(at, index ? "attributes are given twice" : "no such object");
  }
  auto attributes = metadata_.AttributesOf(type.text, static_cast<std::size_t>(*index), at);
  if (!attributes.ok()) return tokens_.ErrorAt(at, attributes.error().message);
  call.attributes = *std::move(attributes);
  return {};
}

Result<AttributeValue> ExpressionParser::ParseAttributeValue(int depth) {
  OPASS_RETURN_IF_ERROR(CheckDepth(depth));
  const Token token = tokens_.peek();
  AttributeValue attribute;
  if (token.IsSymbol("[") || token.IsSymbol("(")) return ParseAttributeList(depth);
  if (token.kind == Kind::kString) {
    attribute.value = token.text;
  } else if (token.kind == Kind::kName && (token.text == "True" || token.text == "False")) {
    attribute.value = token.text == "True";
  } else if (token.kind != Kind::kName || token.text != "None") {
    if (token.kind != Kind::kNumber && !token.IsSymbol("-")) {
      return tokens_.Expected("the value of an attribute");
    }
    OPASS_ASSIGN_OR_RETURN(const Literal literal, ParseLiteral());
    std::visit([&](auto value) { attribute.value = value; }, literal.value);
    return attribute;
  }
  OPASS_RETURN_IF_ERROR(tokens_.Take());
  return attribute;
}

Result<AttributeValue> ExpressionParser::ParseAttributeList(int depth) {
  OPASS_ASSIGN_OR_RETURN(const Token open, tokens_.Take());
  const std::string_view end = open.text == "[" ? "]" : ")";
  AttributeValue::List list;
  while (!tokens_.peek().IsSymbol(end)) {
    OPASS_ASSIGN_OR_RETURN(AttributeValue item, ParseAttributeValue(depth + 1));
    list.push_back(std::move(item));
    OPASS_ASSIGN_OR_RETURN(const bool more, tokens_.Accept(","));
    if (!more) break;
  }
  OPASS_RETURN_IF_ERROR(tokens_.Expect(end));
  return AttributeValue{std::move(list)};
}

Result<Literal> ExpressionParser::ParseLiteral() {
  const Position at = tokens_.peek().at;
  OPASS_ASSIGN_OR_RETURN(const bool is_negative, tokens_.Accept("-"));
  OPASS_ASSIGN_OR_RETURN(const Token token, tokens_.Expect(Kind::kNumber, "a number"));
  Number number = ParseNumber(token.text, is_negative);
  if (!number.problem.empty()) return tokens_.ErrorAt(at, std::move(number.problem));
  return number.literal;
}

}  // namespace opass::frontends::relay
