// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

/// The only rule for counting loops: reports, comparisons, expectations, studies and the window use it.
///
/// Counted are the loops of one compile as they are written: a loop counts once, whether its code was inlined into several
/// functions, unswitched, or split by vectorization into checked versions and remainders. Only code that is emitted and that the
/// root reaches counts. A loop is vectorized when one of its copies there is: widened by the loop vectorizer, or with a body that
/// the SLP vectorizer turned into vectors, before or after the loop was unrolled. Interleaving alone is not vectorization. Several
/// compiles add up.
namespace jitscope::event {

/// The loops of a compile by that rule, by file, line and column: of several copies the one that got furthest.
[[nodiscard]] std::vector<LoopResult> loopsAsWritten(const std::vector<LoopResult> &loops);
/// The vectorized ones of them.
[[nodiscard]] std::vector<LoopResult> vectorizedLoops(const std::vector<LoopResult> &loops);
/// The key that identifies a loop, as it is written, within a session.
using LoopKey = std::tuple<base::FunctionId, std::string, int, int, std::uint32_t>;
[[nodiscard]] LoopKey keyOf(const LoopResult &loop);
/// Whether the same became of both, for the same reason.
[[nodiscard]] bool isSameOutcome(const LoopResult &one, const LoopResult &other);

/// "4", "vscale x 4", or "" where it is not known.
[[nodiscard]] std::string widthText(const LoopResult &loop);
/// What became of it: "vectorized, width 4, interleave 2", "scalar", "completely unrolled".
[[nodiscard]] std::string outcomeText(const LoopResult &loop);
/// Why it is scalar, in LLVM's words without what they say of pragmas and flags of clang; then the instruction, where it is known.
[[nodiscard]] std::string reasonText(const LoopResult &loop);
/// "numba.py:7:3"; without directories, and empty without debug information.
[[nodiscard]] std::string locationText(const LoopResult &loop);

} // namespace jitscope::event
