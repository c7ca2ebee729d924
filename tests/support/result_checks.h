// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QTest>

/// Checks of `Result`s in Qt Test, showing the error where one is met.
namespace jitscope::test {

/// How long to wait for what must come. It comes at once, but not on a machine that is busy, under a sanitizer.
constexpr int kPatienceMs = 60'000;

template <typename T> QByteArray messageOf(const base::Result<T> &result) {
  return result ? QByteArray("no error") : QByteArray::fromStdString(base::describe(result.error()));
}

} // namespace jitscope::test

/// Ends the test function unless the result, which is computed once, holds a value.
#define JS_VERIFY_RESULT(result)                                                                                                   \
  do {                                                                                                                             \
    const auto &jsResult = (result);                                                                                               \
    QVERIFY2(jsResult.has_value(), jitscope::test::messageOf(jsResult).constData());                                               \
  } while (false)
/// Ends the test function unless the result, which is computed once, holds an error with this code.
#define JS_COMPARE_ERROR(result, expectedCode)                                                                                     \
  do {                                                                                                                             \
    const auto &jsResult = (result);                                                                                               \
    QVERIFY2(!jsResult.has_value(), "an error was expected");                                                                      \
    QVERIFY2(jsResult.error().code == (expectedCode), jitscope::test::messageOf(jsResult).constData());                            \
  } while (false)
