// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace jitscope::analysis {
struct CompileTotals;
}

namespace jitscope::report {

/// What compiling cost, in a sentence: "10 compiles in 7,814 calls took 5.30 s of 26.7 s (19.9 %), 98.4 % of it in trace". The
/// phase is named where it takes more than half. `durationNs` is the time that the figures are about, 0 where it is not known.
[[nodiscard]] std::string headlineText(std::uint64_t calls, const analysis::CompileTotals &totals, std::uint64_t durationNs);

} // namespace jitscope::report
