#include "opass/frontends/relay/lexer.h"

#include <fmt/format.h>

namespace opass::frontends::relay {
namespace {

using Kind = Token::Kind;

constexpr std::size_t kMaxWord = 256;
constexpr std::string_view kSymbols = "()[]{}<>,;:=?#-*";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsWord(char c) { return IsLetter(c) || IsDigit(c); }
bool IsOperator(char c) { return IsWord(c) || c == '.'; }
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

std::string Token::ToString() const {
  switch (kind) {
    case Kind::kEnd:
      return "the end of the text";
    case Kind::kVariable:
      return fmt::format("'%{}'", text);
    case Kind::kGlobal:
      return fmt::format("'@{}'", text);
    case Kind::kProjection:
      return fmt::format("'.{}'", text);
    case Kind::kString:
      return "a string";
    default:
      return fmt::format("'{}'", text);
  }
}

Error Lexer::ErrorAt(Position at, std::string message, std::string hint) const {
  return WithReason(
      InvalidInput(std::move(message), fmt::format("{}:{}:{}", where_, at.line, at.column),
                   std::move(hint)),
      "relay-syntax");
}

char Lexer::Peek(std::size_t ahead) const {
  return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0';
}

bool Lexer::IsNext(char c) const {
  std::size_t offset = offset_;
  while (offset < text_.size() && IsBlank(text_[offset])) ++offset;
  return offset < text_.size() && text_[offset] == c;
}

void Lexer::Advance() {
  if (text_[offset_++] == '\n') {
    ++at_.line;
    at_.column = 1;
  } else {
    ++at_.column;
  }
}

std::string_view Lexer::Take(bool (*belongs)(char)) {
  const std::size_t begin = offset_;
  while (offset_ < text_.size() && belongs(text_[offset_])) Advance();
  return text_.substr(begin, offset_ - begin);
}

// Digits, a fraction, an exponent, and the letters and digits of the type: 1.5e-05f16.
std::string_view Lexer::TakeNumber() {
  const std::size_t begin = offset_;
  Take(IsDigit);
  if (Peek() == '.' && IsDigit(Peek(1))) {
    Advance();
    Take(IsDigit);
  }
  const bool is_signed = Peek(1) == '-' || Peek(1) == '+';
  if (Peek() == 'e' && IsDigit(Peek(is_signed ? 2 : 1))) {
    Advance();
    if (is_signed) Advance();
    Take(IsDigit);
  }
  Take(IsWord);
  return text_.substr(begin, offset_ - begin);
}

Status Lexer::SkipComment() {
  const Position begin = at_;
  const bool is_line = Peek(1) == '/';
  Advance();
  Advance();
  while (offset_ < text_.size()) {
    if (is_line && Peek() == '\n') return {};
    if (!is_line && Peek() == '*' && Peek(1) == '/') {
      Advance();
      Advance();
      return {};
    }
    Advance();
  }
  return is_line ? Status() : Status(ErrorAt(begin, "the comment has no end"));
}

Status Lexer::SkipBlanks() {
  while (offset_ < text_.size()) {
    if (IsBlank(Peek())) {
      Advance();
    } else if (Peek() == '/' && (Peek(1) == '*' || Peek(1) == '/')) {
      OPASS_RETURN_IF_ERROR(SkipComment());
    } else {
      break;
    }
  }
  return {};
}

Result<Token> Lexer::ReadString(Token token) {
  token.kind = Kind::kString;
  Advance();
  while (offset_ < text_.size() && Peek() != '"' && Peek() != '\n') {
    if (Peek() == '\\') {
      Advance();
      if (Peek() != '"' && Peek() != '\\') {
        return ErrorAt(at_, "this escape is not known", "\\\" and \\\\ are");
      }
    }
    token.text += Peek();
    Advance();
  }
  if (Peek() != '"') return ErrorAt(token.at, "the string has no end");
  Advance();
  token.end = offset_;
  return token;
}

Result<Token> Lexer::Next() {
  OPASS_RETURN_IF_ERROR(SkipBlanks());
  Token token;
  token.at = at_;
  token.end = offset_;
  if (offset_ == text_.size()) return token;
  const char c = Peek();
  if (c == '"') return ReadString(std::move(token));
  std::string_view text;
  if ((c == '%' || c == '@') && IsWord(Peek(1))) {
    token.kind = c == '%' ? Kind::kVariable : Kind::kGlobal;
    Advance();
    text = Take(IsWord);
  } else if (c == '.' && IsDigit(Peek(1))) {
    token.kind = Kind::kProjection;
    Advance();
    text = Take(IsDigit);
  } else if (IsDigit(c)) {
    token.kind = Kind::kNumber;
    text = TakeNumber();
  } else if (IsLetter(c)) {
    token.kind = Kind::kName;
    text = Take(IsOperator);
  } else if (kSymbols.find(c) != std::string_view::npos && c != '\0') {
    token.kind = Kind::kSymbol;
    const std::size_t length = c == '-' && Peek(1) == '>' ? 2 : 1;
    text = text_.substr(offset_, length);
    for (std::size_t i = 0; i < length; ++i) Advance();
  } else {
    const bool is_printable = c > ' ' && c <= '~';
    return ErrorAt(token.at, is_printable ? fmt::format("'{}' begins nothing", c)
                                          : fmt::format("the byte 0x{:02x} begins nothing",
                                                        static_cast<unsigned char>(c)));
  }
  if (text.size() > kMaxWord) {
    return ErrorAt(token.at, fmt::format("longer than {} characters", kMaxWord));
  }
  token.text = text;
  token.end = offset_;
  return token;
}

}  // namespace opass::frontends::relay
