#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "opass/frontends/relay/ast.h"
#include "opass/support/result.h"

namespace opass::frontends::relay {

struct Token {
  enum class Kind {
    kEnd,
    kName,        // nn.conv2d, let, float32
    kVariable,    // %x: `text` is x
    kGlobal,      // @main: `text` is main
    kProjection,  // .0: `text` is 0
    kNumber,      // 1, 1.5f, 1e-05f, 3i64: `text` holds all of it
    kString,      // `text` is what stands between the quotes, escapes resolved
    kSymbol,      // one character, or "->"
  };

  Kind kind = Kind::kEnd;
  std::string text;
  Position at;
  std::size_t end = 0;  // offset behind the token

  bool Is(Kind other, std::string_view with) const { return kind == other && text == with; }
  bool IsSymbol(std::string_view symbol) const { return Is(Kind::kSymbol, symbol); }
  // As an error message shows it.
  std::string ToString() const;
};

// Cuts a text into tokens, one at a time; blanks and comments (/* */ and //) fall away.
class Lexer {
 public:
  // The text must live as long as the lexer; `where` names it in errors.
  Lexer(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

  // The next token; kEnd at the end, for ever. Errors: a character that begins nothing, a string or
  // a comment without an end, a name or a number longer than 256 characters.
  Result<Token> Next();

  // Whether the next character, blanks aside, is this one.
  bool IsNext(char c) const;

  // An error of the text at this place: "file:line:column: message".
  Error ErrorAt(Position at, std::string message, std::string hint = "") const;

 private:
  Status SkipBlanks();
  Status SkipComment();
  Result<Token> ReadString(Token token);
  void Advance();
  char Peek(std::size_t ahead = 0) const;
  std::string_view Take(bool (*belongs)(char));
  std::string_view TakeNumber();

  std::string_view text_;
  std::string where_;
  std::size_t offset_ = 0;
  Position at_;
};

}  // namespace opass::frontends::relay
