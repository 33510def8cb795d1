#pragma once

#include <gtest/gtest.h>

#include "opass/ort/library.h"

// For tests that run kernels: a build that names no library has none to run. A library that is
// named but does not work fails the tests.
#define OPASS_SKIP_WITHOUT_ORT()                                                       \
  do {                                                                                 \
    if (!::opass::ort::LibraryIsConfigured()) {                                        \
      GTEST_SKIP() << "no libonnxruntime.so: configure with -DOPASS_ORT_LIBRARY=PATH"; \
    }                                                                                  \
    const auto opass_library = ::opass::ort::Library::Get();                           \
    ASSERT_TRUE(opass_library.ok()) << opass_library.error().ToString();               \
  } while (false)
