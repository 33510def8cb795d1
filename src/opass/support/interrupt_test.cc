#include "opass/support/interrupt.h"

#include <gtest/gtest.h>

#include <thread>

namespace opass {
namespace {

constexpr double kNoTime = 1e-9;
constexpr double kLong = 1000;

// In another thread, which adopts `deadline`.
bool InterruptedElsewhere(Deadline* deadline) {
  bool interrupted = false;
  std::thread([&] {
    const AdoptDeadline adopted(deadline);
    interrupted = Interrupted();
  }).join();
  return interrupted;
}

TEST(Deadline, EndsWorkOnceItsTimeIsOver) {
  EXPECT_FALSE(Interrupted());
  {
    const Deadline none(0);
    EXPECT_FALSE(none.SecondsLeft());
    EXPECT_FALSE(Interrupted());
    const Deadline far(kLong);
    EXPECT_GT(*far.SecondsLeft(), kLong / 2);
    EXPECT_FALSE(Interrupted());
    EXPECT_FALSE(far.passed());
    const Deadline over(kNoTime);
    EXPECT_EQ(*over.SecondsLeft(), 0);
    EXPECT_FALSE(over.passed());  // nobody was told
    EXPECT_TRUE(Interrupted());
    EXPECT_FALSE(InterruptedByUser());
    EXPECT_TRUE(over.passed());
    EXPECT_FALSE(far.passed());
  }
  EXPECT_FALSE(Interrupted());
}

TEST(Deadline, NoneEndsLaterThanTheOneAroundIt) {
  const Deadline outer(kNoTime);
  const Deadline inner(kLong);
  const Deadline none(0);
  EXPECT_EQ(*none.SecondsLeft(), 0);
  EXPECT_TRUE(Interrupted());
  EXPECT_TRUE(none.passed());
  EXPECT_TRUE(inner.passed());
  EXPECT_TRUE(outer.passed());
}

TEST(Deadline, HoldsInItsThreadAndInThoseThatAdoptIt) {
  Deadline over(kNoTime);
  EXPECT_FALSE(InterruptedElsewhere(nullptr));
  EXPECT_FALSE(over.passed());
  EXPECT_TRUE(InterruptedElsewhere(Deadline::Current()));
  EXPECT_TRUE(over.passed());
}

}  // namespace
}  // namespace opass
