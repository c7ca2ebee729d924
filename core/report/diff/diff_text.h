// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace jitscope::analysis {
struct CodeComparison;
}

namespace jitscope::report {

struct DiffTextOptions {
  bool colour = false;
  std::size_t width = 100; ///< columns; longer lines are cut around what differs
  bool isSideBySide = false;
  bool isFull = false; ///< every row that differs, and lines in full
  std::size_t context = 2;
};

/// A comparison for a terminal: what is compared, where the pipelines diverge, the code that differs, the remarks that differ. Of
/// equal code one line says so.
[[nodiscard]] std::string renderDiff(const analysis::CodeComparison &comparison, const DiffTextOptions &options);

} // namespace jitscope::report
