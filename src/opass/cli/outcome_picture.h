#pragma once

#include <string>

#include "opass/opass.h"
#include "opass/reports/picture.h"
#include "opass/support/result.h"

namespace opass::cli {

// The input in its own order and the planned model beside it.
reports::Picture OutcomePicture(const Outcome& outcome);

// Refuses a file name that says neither .html nor .svg; "" is well.
Status CheckPicturePath(const std::string& path);

// In the form that the file name says.
Status WritePicture(const reports::Picture& picture, const std::string& path);

}  // namespace opass::cli
