#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "opass/reports/picture_layout.h"

// What both forms of the picture say beside the drawing.
namespace opass::reports {

// A sample of how something is drawn, 22 by 13 pixels, and what it means.
struct LegendEntry {
  std::string sample;
  std::string meaning;
};

// Of what occurs in the sides only.
std::vector<LegendEntry> Legend(const Picture& picture, const std::vector<SideLayout>& layouts);

// One row of the figures: a name and a text for each side.
struct FigureRow {
  std::string name;
  std::vector<std::string> of_side;
  std::vector<std::string> change;  // against the first side; empty: the first, or none
};

std::vector<FigureRow> FigureRows(const Picture& picture);

// What of the sides is not drawn one by one, as escaped sentences; empty: all is.
std::string LimitsText(const Picture& picture, const std::vector<SideLayout>& layouts);

std::vector<SideLayout> LayOutSides(const Picture& picture, const Scales& scales);

}  // namespace opass::reports
