#pragma once

#include "opass/frontends/relay/call.h"

// Windows that move over the last two dimensions of data in the layout NCHW.
namespace opass::frontends::relay {

struct Window {
  Dims kernel;    // [height, width]
  Dims strides;   // the same
  Dims dilation;  // the same
  Dims padding;   // [top, left, bottom, right]
};

// Strides, padding and dilation of a call; the kernel is the caller's.
Window ReadWindow(Call& call, Dims kernel);

// The places of the window in an input [height, width], rounded down. Less than 1 where it does not
// fit even once.
Dims NumPlaces(const Window& window, const Dims& size);

// The attributes of a convolution or pooling in ONNX.
std::vector<ir::Attribute> AttributesOf(const Window& window);

}  // namespace opass::frontends::relay
