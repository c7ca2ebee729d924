// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::analysis {

/// What is counted. All but the last are better when they are fewer.
enum class Count : std::uint8_t {
  Compiles,       ///< executables made, ahead of time or by a call
  PaidCalls,      ///< calls that paid for a compile
  Templates,      ///< argument signatures that a function was asked for
  CodeBytes,      ///< bytes of machine code of all compiles of a function together
  VectorizedLoops ///< loops in the compiles of a function, by the rule of event/loops.h
};

/// The spelling that people and files see, e.g. "vectorized loops".
std::string_view nameOf(Count count);
[[nodiscard]] constexpr bool moreIsBetter(Count count) { return count == Count::VectorizedLoops; }

/// A count of the whole session or of one function, by which two sessions are matched.
struct CountKey {
  Count count = Count::Compiles;
  std::string function; ///< empty for the whole session
  bool eager = false;

  friend auto operator<=>(const CountKey &, const CountKey &) = default;
};

using SessionCounts = std::map<CountKey, std::uint64_t>;

/// Counts that do not depend on the speed of the machine, so two runs of the same program have exactly the same ones. Functions of
/// one name are counted together.
[[nodiscard]] base::Result<SessionCounts> readSessionCounts(session::SessionReader &reader);

} // namespace jitscope::analysis
