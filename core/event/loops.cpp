// SPDX-License-Identifier: GPL-3.0-or-later
#include "event/loops.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace jitscope::event {

namespace {

/// Greater is further.
auto progressOf(const LoopResult &loop) {
  constexpr std::array<int, 5> kRank{4, 3, 1, 2, 0}; // in the order of `LoopState`
  return std::tuple(kRank.at(static_cast<std::size_t>(loop.state)), loop.isScalable, loop.width, loop.interleave);
}

/// What LLVM tells users of clang to do is no help to others.
constexpr std::array<std::string_view, 3> kClangAdvice{" Use #pragma clang loop distribute(enable)",
                                                       " Enable vectorization of this loop ", " Try compiling with "};

std::string withoutAdvice(std::string reason) {
  for (const std::string_view head : kClangAdvice) {
    if (const std::size_t start = reason.find(head); start != std::string::npos) {
      // LLVM goes on with a sentence of its own where there is more to say.
      const std::size_t more = std::min({reason.find(" Backward ", start), reason.find(" Forward ", start),
                                         reason.find(" Unsafe ", start), reason.find(" Unknown ", start), reason.size()});
      reason.erase(start, more - start);
    }
  }
  while (reason.ends_with('.') || reason.ends_with(' ')) {
    reason.pop_back();
  }
  return reason;
}

} // namespace

LoopKey keyOf(const LoopResult &loop) {
  // Code of nobody's function is told by its file, or by who holds it where that is not known.
  const std::string &place = loop.functionId.isValid() || loop.line > 0 ? loop.file : loop.symbol;
  return {loop.functionId, place, loop.line, loop.column, loop.order};
}

std::vector<LoopResult> loopsAsWritten(const std::vector<LoopResult> &loops) {
  std::map<LoopKey, const LoopResult *> furthest;
  for (const LoopResult &loop : loops) {
    if (loop.isReached) {
      const LoopResult *&known = furthest[keyOf(loop)];
      known = known == nullptr || progressOf(*known) < progressOf(loop) ? &loop : known;
    }
  }
  std::vector<LoopResult> result;
  result.reserve(furthest.size());
  for (const auto &[key, loop] : furthest) {
    result.push_back(*loop);
  }
  std::ranges::stable_sort(
      result, {}, [](const LoopResult &loop) { return std::tie(loop.file, loop.line, loop.column, loop.functionId, loop.order); });
  return result;
}

std::vector<LoopResult> vectorizedLoops(const std::vector<LoopResult> &loops) {
  std::vector<LoopResult> result = loopsAsWritten(loops);
  std::erase_if(result, [](const LoopResult &loop) { return loop.state != LoopState::Vectorized; });
  return result;
}

bool isSameOutcome(const LoopResult &one, const LoopResult &other) {
  const auto outcome = [](const LoopResult &loop) {
    return std::tie(loop.state, loop.pass, loop.width, loop.isScalable, loop.interleave, loop.reason, loop.instruction,
                    loop.reasonLine, loop.reasonColumn);
  };
  return outcome(one) == outcome(other);
}

std::string widthText(const LoopResult &loop) {
  return loop.width == 0 ? std::string() : fmt::format("{}{}", loop.isScalable ? "vscale x " : "", loop.width);
}

std::string outcomeText(const LoopResult &loop) {
  switch (loop.state) {
  case LoopState::Vectorized: {
    const std::string width = widthText(loop);
    return fmt::format("vectorized{}{}", width.empty() ? "" : ", width " + width,
                       loop.interleave > 1 ? fmt::format(", interleave {}", loop.interleave) : std::string());
  }
  case LoopState::Interleaved:
    return fmt::format("scalar, interleave {}", loop.interleave);
  case LoopState::Unrolled:
    return "completely unrolled";
  case LoopState::Outer:
    return "holds other loops";
  case LoopState::Scalar:
    break;
  }
  return "scalar";
}

std::string reasonText(const LoopResult &loop) {
  if (loop.state == LoopState::Vectorized || loop.state == LoopState::Unrolled || loop.state == LoopState::Outer) {
    return {};
  }
  std::string text = withoutAdvice(loop.reason);
  if (text.empty()) {
    text = loop.pass.empty() ? "no vectorizer looked at it" : "LLVM gave no reason";
  }
  const bool isElsewhere = loop.reasonLine > 0 && (loop.reasonLine != loop.line || loop.reasonColumn != loop.column);
  const std::string place = !isElsewhere            ? std::string()
                            : loop.reasonColumn > 0 ? fmt::format("{}:{}", loop.reasonLine, loop.reasonColumn)
                                                    : fmt::format("line {}", loop.reasonLine);
  const std::string separator = loop.instruction.empty() || place.empty() ? "" : " at ";
  return loop.instruction.empty() && place.empty() ? text : fmt::format("{} ({}{}{})", text, loop.instruction, separator, place);
}

std::string locationText(const LoopResult &loop) {
  if (loop.line == 0) {
    return {};
  }
  return fmt::format("{}:{}{}", std::filesystem::path(loop.file).filename().string(), loop.line,
                     loop.column > 0 ? fmt::format(":{}", loop.column) : std::string());
}

} // namespace jitscope::event
