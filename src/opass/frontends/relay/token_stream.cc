#include "opass/frontends/relay/token_stream.h"

#include <fmt/format.h>

#include <utility>

namespace opass::frontends::relay {

Result<TokenStream> TokenStream::Open(std::string_view text, std::string where) {
  TokenStream stream(Lexer(text, std::move(where)));
  OPASS_ASSIGN_OR_RETURN(stream.peek_, stream.lexer_.Next());
  return stream;
}

Result<Token> TokenStream::Take() {
  OPASS_ASSIGN_OR_RETURN(Token next, lexer_.Next());
  return std::exchange(peek_, std::move(next));
}

Result<bool> TokenStream::Accept(std::string_view symbol) {
  if (!peek_.IsSymbol(symbol)) return false;
  OPASS_RETURN_IF_ERROR(Take());
  return true;
}

Result<bool> TokenStream::AcceptName(std::string_view name) {
  if (!peek_.Is(Token::Kind::kName, name)) return false;
  OPASS_RETURN_IF_ERROR(Take());
  return true;
}

Status TokenStream::Expect(std::string_view symbol) {
  if (!peek_.IsSymbol(symbol)) return Expected(fmt::format("'{}'", symbol));
  OPASS_RETURN_IF_ERROR(Take());
  return {};
}

Result<Token> TokenStream::Expect(Token::Kind kind, std::string_view what) {
  if (peek_.kind != kind) return Expected(what);
  return Take();
}

Error TokenStream::Expected(std::string_view what) const {
  return ErrorAt(peek_.at, fmt::format("expected {}, found {}", what, peek_.ToString()));
}

}  // namespace opass::frontends::relay
