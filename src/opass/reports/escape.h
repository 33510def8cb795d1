#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace opass::reports {

// The text as content or attribute value of XML and HTML: markup becomes entities, control
// characters the pictures of them (U+2400 ...), and what is no UTF-8, or no character of XML,
// U+FFFD. The result is well-formed whatever a model's names hold.
std::string Escape(std::string_view text);

// The same of at most `max_characters` characters of the text; what is cut off is told by an
// ellipsis.
std::string EscapeShort(std::string_view text, std::size_t max_characters);

}  // namespace opass::reports
