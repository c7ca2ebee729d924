// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <expected>
#include <type_traits>
#include <utility>

/// Error propagation in one line, in standard C++. Both macros work in functions that return a `base::Result`.
///
///   JITSCOPE_TRY(const Database database, Database::open(path));
///   JITSCOPE_TRY_VOID(database.execute(sql));
///
/// The expression may contain commas. Each macro expands to several statements, so a body of `if` or `for` needs its braces.

// NOLINTBEGIN(cppcoreguidelines-macro-usage, bugprone-macro-parentheses): only a macro can return from its caller
#define JITSCOPE_TRY_JOIN2(a, b) a##b
#define JITSCOPE_TRY_JOIN(a, b) JITSCOPE_TRY_JOIN2(a, b)
#define JITSCOPE_TRY_CHECK(result, ...)                                                                                            \
  auto &&result = (__VA_ARGS__);                                                                                                   \
  if (!result) {                                                                                                                   \
    return std::unexpected(std::move(result.error()));                                                                             \
  }
#define JITSCOPE_TRY_VALUE(result, declaration, ...)                                                                               \
  JITSCOPE_TRY_CHECK(result, __VA_ARGS__)                                                                                          \
  declaration = *std::move(result)

/// Evaluates an expression that gives a `base::Result<T>`. Returns its error from the enclosing function, or moves its value into
/// `declaration`, which is a declaration such as `auto name` or something that can be assigned to.
#define JITSCOPE_TRY(declaration, ...) JITSCOPE_TRY_VALUE(JITSCOPE_TRY_JOIN(tryResult, __LINE__), declaration, __VA_ARGS__)

/// Evaluates an expression that gives a `base::Result<T>` and returns its error from the enclosing function. A value is dropped,
/// hence none may be a guard that works as long as it lives.
#define JITSCOPE_TRY_VOID(...)                                                                                                     \
  do {                                                                                                                             \
    JITSCOPE_TRY_CHECK(tryResult, __VA_ARGS__)                                                                                     \
    static_assert(!::jitscope::base::isGuard<decltype(tryResult)>(), "name the guard with JITSCOPE_TRY, so that it lives on");     \
  } while (false)
// NOLINTEND(cppcoreguidelines-macro-usage, bugprone-macro-parentheses)

namespace jitscope::base {

/// Whether a result holds a guard: a type that says so with a member type `IsGuard`.
template <typename ResultType> consteval bool isGuard() {
  return requires { typename std::remove_cvref_t<ResultType>::value_type::IsGuard; };
}

/// The same result, its error with one more line of context (an outer place): `within(open(path), "while merging")`.
template <typename T, typename Place> Result<T> within(Result<T> result, Place &&place) {
  if (!result) {
    result.error().context.emplace_back(std::forward<Place>(place));
  }
  return result;
}

} // namespace jitscope::base
