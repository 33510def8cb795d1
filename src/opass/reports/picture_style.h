#pragma once

#include <string_view>

namespace opass::reports {

// CSS of the drawing: the colours of Okabe and Ito (Color Universal Design, 2008), which people
// with any kind of colour vision tell apart, on light and dark paper. No kind is told by colour
// alone.
extern const std::string_view kPictureStyle;

// The hatching that the style refers to.
extern const std::string_view kPictureDefs;

// CSS and script of the page around it. The script builds no markup: it moves the text of <title>
// elements into one box that follows the mouse, or the arrow keys in a focused drawing.
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace opass::reports
