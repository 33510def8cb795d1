#include "opass/onnx/utf8.h"

#include <gtest/gtest.h>

namespace opass::onnxlib {
namespace {

TEST(Utf8, AcceptsWellFormedText) {
  for (const char* text : {"", "conv/1:0", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                           "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, RefusesTheRest) {
  for (const char* text : {"\x80", "\xc3", "\xc0\xaf", "\xc3(", "\xe2\x82", "\xe0\x80\x80",
                           "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, PrintableHidesOnlyWhatIsBroken) {
  EXPECT_EQ(Printable("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(Printable("a\xff"
                      "b"),
            "a?b");
}

}  // namespace
}  // namespace opass::onnxlib
