// Texts that somebody broke: never a crash, and every error has a place.
#include <gtest/gtest.h>

#include <random>

#include "opass/frontends/relay/parser.h"

namespace opass::frontends::relay {
namespace {

constexpr std::string_view kSeed = R"(#[version = "0.0.5"]
type List[A] {
  Cons(A, List[A]),
  Nil,
}
def @main(%x0: Tensor[(1, 4, 6, 6), float32] /* ty=a */, %x1: Tensor[(0, 9), int32], %s: int32) {
  %0 = nn.max_pool2d(%x0, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0], ceil_mode=0);
  %1 = split(%x0, indices_or_sections=2, axis=1);
  %2 = (%1.0, %1.1);
  %3 = concatenate(%2, axis=-1);
  let %x2: int32 = -1;
  %4 = shape_of(%3, dtype="int32");
  %5 = dyn.reshape(%x0, %4, newshape=[], allowzero=0);
  %6 = ( let %x3 = add(%5, 1e-05f); (%x3, %s) );
  %7 = nn.avg_pool2d(%x0, meta[relay.attrs.AvgPool2DAttrs][0]);
  (%0, %6, (%7, %x2,), clip(%5, a_min=-0.2f, a_max=0.4f))
}
#[metadata]
{ "root": 1, "nodes": [ {"type_key": ""},
  {"type_key": "Map", "keys": ["relay.attrs.AvgPool2DAttrs"], "data": [2]},
  {"type_key": "Array", "data": [3]},
  {"type_key": "relay.attrs.AvgPool2DAttrs", "attrs": {"ceil_mode": "0", "pool_size": "4"}},
  {"type_key": "Array", "data": [5, 5]},
  {"type_key": "IntImm", "attrs": {"dtype": "int32", "value": "3"}} ] }
)";

// One to four small damages: bytes replaced, removed, doubled, and pieces moved.
std::string Damage(std::mt19937_64& random) {
  std::string text(kSeed);
  const auto draw = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  for (std::size_t i = draw(4) + 1; i > 0; --i) {
    const std::size_t at = draw(text.size());
    const std::size_t length = draw(std::min<std::size_t>(12, text.size() - at)) + 1;
    switch (draw(6)) {
      case 0:
        text[at] = static_cast<char>(random() & 255U);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(draw(text.size()), text.substr(at, length));
        break;
      case 4:
        text[at] = "()[]{},;=%.-0129\"/*"[draw(19)];
        break;
      default:
        if (at > 40) text.resize(at);
    }
  }
  return text;
}

TEST(RelayHostile, DamagedTextsAreRefusedWithAPlace) {
  std::mt19937_64 random(20261201);
  int num_read = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = Damage(random);
    const auto program = ParseProgram(text, "t.relay");
    num_read += program.ok() ? 1 : 0;
    if (program.ok()) continue;
    EXPECT_EQ(program.error().code, ErrorCode::kInvalidInput) << text;
    EXPECT_TRUE(program.error().where.starts_with("t.relay:")) << program.error().ToString();
  }
  // Some damages mean nothing; most do.
  EXPECT_GT(num_read, 500);
  EXPECT_LT(num_read, 15'000);
}

}  // namespace
}  // namespace opass::frontends::relay
