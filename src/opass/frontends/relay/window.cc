#include "opass/frontends/relay/window.h"

namespace opass::frontends::relay {

Window ReadWindow(Call& call, Dims kernel) {
  Window window;
  window.kernel = std::move(kernel);
  window.strides = call.Pair("strides", 1);
  window.dilation = call.Pair("dilation", 1);
  window.padding = call.Padding();
  return window;
}

Dims NumPlaces(const Window& window, const Dims& size) {
  Dims places;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t padded = size[i] + window.padding[i] + window.padding[i + 2];
    const std::int64_t span = window.dilation[i] * (window.kernel[i] - 1) + 1;
    places.push_back(padded < span ? 0 : (padded - span) / window.strides[i] + 1);
  }
  return places;
}

std::vector<ir::Attribute> AttributesOf(const Window& window) {
  return {{"kernel_shape", window.kernel},
          {"strides", window.strides},
          {"dilations", window.dilation},
          {"pads", window.padding}};
}

}  // namespace opass::frontends::relay
