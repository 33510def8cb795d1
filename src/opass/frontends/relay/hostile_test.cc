// Texts that somebody broke: never a crash, and every error has a place.
#include <gtest/gtest.h>

#include <random>

#include "opass/frontends/relay/converter.h"
#include "opass/frontends/relay/import.h"
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
  int num_converted = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = Damage(random);
    const auto program = ParseProgram(text, "t.relay");
    num_read += program.ok() ? 1 : 0;
    if (program.ok()) {
      const auto conversion = Convert(*program, "t.relay");
      num_converted += conversion.ok() ? 1 : 0;
      if (conversion.ok()) continue;
      EXPECT_TRUE(conversion.error().where.starts_with("t.relay:")) << text;
      continue;
    }
    EXPECT_EQ(program.error().code, ErrorCode::kInvalidInput) << text;
    EXPECT_TRUE(program.error().where.starts_with("t.relay:")) << program.error().ToString();
  }
  // Some damages mean nothing; most do.
  EXPECT_GT(num_converted, 200);
  EXPECT_GT(num_read, num_converted);
  EXPECT_LT(num_read, 15'000);
}

// Attributes with numbers from everywhere: sizes must not overflow on the way to the answer, and
// what is accepted must be what ONNX infers.
TEST(RelayHostile, NumbersFromEverywhere) {
  constexpr const char* kCalls[] = {
      "nn.conv2d(%x, %w, strides=[A, B], padding=[C, D], dilation=[B, A])",
      "nn.conv2d_transpose(%x, %w, strides=[A, B], padding=[C, D], output_padding=[C, C])",
      "nn.conv2d_backward_weight(%x, %w, strides=[A, B], padding=[C, D], kernel_size=[B, A])",
      "nn.max_pool2d(%x, pool_size=[A, B], strides=[C, D], padding=[D, A])",
      "nn.avg_pool2d_grad(%x, %w, pool_size=[A, B])",
      "nn.batch_to_space_nd(%x, block_shape=[A, B], crops=[[C, D], [D, C]])",
      "nn.space_to_batch_nd(%x, block_shape=[A, B], paddings=[[C, D], [D, C]])",
      "nn.depth_to_space(%x, block_size=A)",
      "nn.upsampling(%x, scale_h=A, scale_w=B)",
      "image.resize2d(%x, size=[A, B])",
      "reshape(%x, newshape=[A, B, C, D])",
      "strided_slice(%x, begin=[A, B], end=[C, D], strides=[D, A])",
      "strided_slice(%x, begin=[A, B], end=[C, D], slice_mode=\"size\", axes=[D, C])",
      "split(%x, indices_or_sections=[A, B], axis=C).0",
      "split(%x, indices_or_sections=A, axis=B).0",
      "expand_dims(%x, axis=A, num_newaxis=B)",
      "transpose(%x, axes=[A, B, C, D])",
      "squeeze(%x, axis=[A])",
      "topk(%x, k=A, axis=B).0",
      "one_hot(cast(%x, dtype=\"int32\"), 1f, 0f, depth=A, axis=B)",
      "zeros(shape=[A, B, C], dtype=\"float32\")",
      "layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NCHWAc\")",
  };
  constexpr const char* kNumbers[] = {"0", "1", "2",  "3", "4",          "5",
                                      "7", "8", "-1", "6", "2147483647", "-2147483648"};
  std::mt19937_64 random(7);
  int num_accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string call = kCalls[random() % std::size(kCalls)];
    for (const char letter : {'A', 'B', 'C', 'D'}) {
      const std::string number = kNumbers[random() % std::size(kNumbers)];
      for (std::size_t at = 0; (at = call.find(letter, at)) != std::string::npos; ++at) {
        const bool is_word = at > 0 && call[at - 1] >= 'A' && call[at - 1] <= 'Z';
        if (!is_word || call.substr(at - 1, 2) == "WA") call.replace(at, 1, number);
      }
    }
    const std::string text =
        "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4, 8, 6, 6), float32], "
        "%w: Tensor[(8, 8, 3, 3), float32]) { " +
        call + " }";
    const auto conversion = ImportRelayText(text, "t.relay");
    num_accepted += conversion.ok() ? 1 : 0;
    if (conversion.ok()) continue;
    // Not a word from ONNX: what is refused is refused by us, with a place.
    EXPECT_TRUE(conversion.error().where.starts_with("t.relay:2:"))
        << call << "\n"
        << conversion.error().ToString();
  }
  EXPECT_GT(num_accepted, 200);
}

}  // namespace
}  // namespace opass::frontends::relay
