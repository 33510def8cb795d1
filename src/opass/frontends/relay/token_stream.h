#pragma once

#include <string>
#include <string_view>

#include "opass/frontends/relay/lexer.h"

namespace opass::frontends::relay {

// The tokens of a text with one of them in view.
class TokenStream {
 public:
  static Result<TokenStream> Open(std::string_view text, std::string where);

  const Token& peek() const { return peek_; }
  // Whether this character stands behind the token in view.
  bool FollowedBy(char c) const { return lexer_.IsNext(c); }
  // Takes the token in view; the Error is that of the token after it.
  Result<Token> Take();
  // Takes it if it is this symbol, or this name.
  Result<bool> Accept(std::string_view symbol);
  Result<bool> AcceptName(std::string_view name);
  // Takes it, which must be this symbol, or of this kind ("a variable").
  Status Expect(std::string_view symbol);
  Result<Token> Expect(Token::Kind kind, std::string_view what);

  Error ErrorAt(Position at, std::string message, std::string hint = "") const {
    return lexer_.ErrorAt(at, std::move(message), std::move(hint));
  }
  // "expected `what`, found ..." at the token in view.
  Error Expected(std::string_view what) const;

 private:
  explicit TokenStream(Lexer lexer) : lexer_(std::move(lexer)) {}

  Lexer lexer_;
  Token peek_;
};

}  // namespace opass::frontends::relay
