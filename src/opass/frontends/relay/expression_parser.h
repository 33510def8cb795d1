#pragma once

#include "opass/frontends/relay/ast.h"
#include "opass/frontends/relay/metadata.h"
#include "opass/frontends/relay/token_stream.h"

namespace opass::frontends::relay {

inline constexpr int kMaxNesting = 64;

// Parses blocks and what stands in them. The stream and the metadata must outlive it.
class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, const Metadata& metadata)
      : tokens_(tokens), metadata_(metadata) {}

  // Statements and a result up to the symbol, which is taken: "let %y = relu(%x); %y }".
  Result<Expression> ParseBlock(std::string_view end, int depth);

 private:
  // Statements go to the block; what is answered is the expression behind them.
  Result<Expression> ParseStatements(Expression& block, int depth);
  Status ParseLet(Expression& block, int depth);
  Status AddStatement(Statement statement, Expression& block, int depth);
  Result<Expression> ParseExpression(int depth);
  // Behind "(": a tuple, an expression in parentheses, or a block.
  Result<Expression> ParseParentheses(Position at, int depth);
  Result<Expression> ParseTuple(Position at, Expression first, int depth);
  Result<Expression> ParseProjections(Expression tuple, int depth);
  Result<Expression> ParseNamed(int depth);
  Status ParseArgument(int depth, Expression& call);
  Status ParseMeta(Position at, Expression& call);
  Result<AttributeValue> ParseAttributeValue(int depth);
  Result<AttributeValue> ParseAttributeList(int depth);
  Result<Literal> ParseLiteral();
  Status CheckDepth(int depth) const;

  TokenStream& tokens_;
  const Metadata& metadata_;
};

}  // namespace opass::frontends::relay
