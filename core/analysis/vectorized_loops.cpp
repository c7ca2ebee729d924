// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/vectorized_loops.h"

#include "analysis/remark_arguments.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <tuple>

namespace jitscope::analysis {

namespace {

/// 0 for what is no number.
std::uint32_t numberIn(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

} // namespace

std::vector<VectorizedLoop> vectorizedLoops(const std::vector<event::Remark> &remarks) {
  constexpr std::string_view kScalable = "vscale x ";
  std::vector<VectorizedLoop> loops;
  for (const event::Remark &remark : remarks) {
    if (remark.kind != event::RemarkKind::Passed || remark.pass != "loop-vectorize" || remark.name != "Vectorized") {
      continue;
    }
    std::string factor = argumentOf(remark, "VectorizationFactor");
    VectorizedLoop loop{remark.functionId, remark.function, remark.file, remark.line, remark.column, 0, false, 1};
    loop.isScalable = factor.starts_with(kScalable);
    loop.width = numberIn(loop.isScalable ? std::string_view(factor).substr(kScalable.size()) : std::string_view(factor));
    loop.interleave = std::max(numberIn(argumentOf(remark, "InterleaveCount")), 1U);
    if (loop.width > 0 && std::ranges::find(loops, loop) == loops.end()) {
      loops.push_back(std::move(loop));
    }
  }
  std::ranges::stable_sort(loops, {}, [](const VectorizedLoop &loop) { return std::tie(loop.file, loop.line, loop.column); });
  return loops;
}

} // namespace jitscope::analysis
