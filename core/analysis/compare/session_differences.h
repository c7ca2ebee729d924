// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace jitscope::session {
struct SessionInfo;
struct SessionRow;
} // namespace jitscope::session

/// Differences besides the program that may explain why two sessions differ.
namespace jitscope::analysis {

struct Comparison;

/// Whether times of both can be held against each other: same model and number of CPUs, and same features.
[[nodiscard]] bool haveSameCpu(const session::SessionInfo &base, const session::SessionInfo &contender);

/// Whether both are one session, or copies of one.
[[nodiscard]] bool areSameSession(const session::SessionInfo &base, const session::SessionInfo &contender);

/// CPU, LLVM, options, script and so on, one sentence for each that differs.
[[nodiscard]] std::vector<std::string> differencesOf(const session::SessionRow &base, const session::SessionRow &contender);

/// Why the comparison must not be called good though nothing in it is worse. Nothing for a session and its own copy, once its
/// recording has ended.
[[nodiscard]] std::vector<std::string> insufficiencies(const Comparison &comparison, bool sameCpu);

} // namespace jitscope::analysis
