#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "opass/reports/picture_layout.h"

// The few elements that the picture is made of, as text.
namespace opass::reports {

// Hundredths of a pixel as a number: 1250 -> "12.5".
std::string Px(std::int64_t hundredths);

// x="" y="" width="" height="" of a box.
std::string BoxAttributes(const Box& box);

// <text class="css_class" x="" y="">escaped</text>; `escaped` must be so already.
std::string TextElement(std::string_view css_class, std::int64_t x, std::int64_t y,
                        std::string_view escaped);

// "640.1 KiB (655488 bytes)"
std::string ExactBytes(std::int64_t bytes);

// Longer names are cut off: they bound the size of the file.
inline constexpr std::size_t kMaxNameCharacters = 120;
std::string ShortName(std::string_view name);

}  // namespace opass::reports
