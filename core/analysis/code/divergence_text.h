// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace jitscope::event {
struct Remark;
}

namespace jitscope::analysis {

struct Divergence;

/// A divergence in words: where, why, and what came of it, a sentence or two each.
[[nodiscard]] std::vector<std::string> sentencesOf(const Divergence &divergence);

/// "loop-vectorize passed at numba.py:7: \"vectorized loop …\"".
[[nodiscard]] std::string remarkText(const event::Remark &remark);

} // namespace jitscope::analysis
