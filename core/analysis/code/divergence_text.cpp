// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/divergence_text.h"

#include "analysis/code/divergence.h"
#include "base/utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <ranges>
#include <string_view>

namespace jitscope::analysis {

namespace {

std::string passText(const event::PassRun &pass) {
  return fmt::format("{} (stage {}, pass {})", pass.name, nameOf(pass.stage), pass.seq);
}

/// The last pass after which both sides are alike, by the number that it has on each.
std::string commonPassText(const Divergence &divergence) {
  const event::PassRun &left = *divergence.lastCommon;
  const event::PassRun &right = divergence.rightLastCommon.value_or(left);
  if (left.name == right.name && left.stage == right.stage && left.seq == right.seq) {
    return passText(left);
  }
  if (left.name == right.name && left.stage == right.stage) {
    return fmt::format("{} (stage {}, pass {} under {} and {} under {})", left.name, nameOf(left.stage), left.seq,
                       divergence.leftPipeline, right.seq, divergence.rightPipeline);
  }
  return fmt::format("{} under {} and {} under {}", passText(left), divergence.leftPipeline, passText(right),
                     divergence.rightPipeline);
}

std::string firstSentence(const Divergence &divergence) {
  const std::string until = divergence.lastCommon
                                ? fmt::format("{} has the same code under {} and {} up to {}.", divergence.function,
                                              divergence.leftPipeline, divergence.rightPipeline, commonPassText(divergence))
                                : fmt::format("{} has different code under {} and {} from the first change on.",
                                              divergence.function, divergence.leftPipeline, divergence.rightPipeline);
  const auto side = [](const std::string &pipeline, const std::optional<event::PassRun> &pass) {
    return pass ? fmt::format("{} goes on with {}", pipeline, passText(*pass)) : fmt::format("{} stops there", pipeline);
  };
  return fmt::format("{} Then {}, and {}.", until, side(divergence.leftPipeline, divergence.left),
                     side(divergence.rightPipeline, divergence.right));
}

/// "inner, and that into outer"; of a long way, its ends: "link 2, and through 46 more functions into link 49".
std::string wayText(const std::vector<std::string> &inlinedInto) {
  constexpr std::size_t kMaxNamed = 3;
  if (inlinedInto.size() > kMaxNamed) {
    return fmt::format("{}, and through {} more functions into {}", inlinedInto.back(), inlinedInto.size() - 2,
                       inlinedInto.front());
  }
  return fmt::format("{}", fmt::join(inlinedInto.rbegin(), inlinedInto.rend(), ", and that into "));
}

/// A remark inside a sentence. Those on inlining name every call on the way, which may be fifty.
std::string briefText(const event::Remark &remark) {
  constexpr std::size_t kMaxBytes = 240;
  if (remark.message.size() <= kMaxBytes) {
    return remarkText(remark);
  }
  event::Remark brief = remark;
  brief.message = remark.message.substr(0, base::characterStart(remark.message, kMaxBytes)) + "…";
  return remarkText(brief);
}

std::string calleeSentence(const Divergence &divergence, const CalleeChange &change) {
  const std::string &pipeline = change.isLeft ? divergence.leftPipeline : divergence.rightPipeline;
  const std::string &other = change.isLeft ? divergence.rightPipeline : divergence.leftPipeline;
  std::string text = fmt::format("Before {} was inlined into {}, {} had run {} on it, and {} had not", change.callee,
                                 wayText(change.inlinedInto), pipeline, passText(change.pass), other);
  return text + (change.remark.pass.empty() ? "." : ": " + briefText(change.remark) + ".");
}

std::optional<std::string> outcomeSentence(const Divergence &divergence) {
  const auto side = [](const std::string &pipeline, const event::Remark &remark, const event::Remark &other) {
    return remark.pass.empty() ? fmt::format("Under {}, {} has no remark there.", pipeline, other.pass)
                               : fmt::format("Under {}, {}.", pipeline, briefText(remark));
  };
  if (divergence.leftRemark.pass.empty() && divergence.rightRemark.pass.empty()) {
    return std::nullopt;
  }
  return side(divergence.leftPipeline, divergence.leftRemark, divergence.rightRemark) + ' ' +
         side(divergence.rightPipeline, divergence.rightRemark, divergence.leftRemark);
}

} // namespace

std::string remarkText(const event::Remark &remark) {
  std::string place;
  if (remark.line > 0) {
    place = remark.file.empty() ? fmt::format(" at line {}", remark.line) : fmt::format(" at {}:{}", remark.file, remark.line);
  }
  return fmt::format("{} {}{}: \"{}\"", remark.pass, nameOf(remark.kind), place, remark.message);
}

std::vector<std::string> sentencesOf(const Divergence &divergence) {
  std::vector<std::string> sentences;
  if (!divergence.isKnown) {
    sentences.push_back(
        fmt::format("Where {} diverges under {} and {} is not known: only studies record it, for functions that passes changed.",
                    divergence.function, divergence.leftPipeline, divergence.rightPipeline));
  } else if (divergence.isEqual) {
    sentences.push_back(fmt::format("{} and {} produced the same instructions for {}; only flags such as nsw may differ.",
                                    divergence.leftPipeline, divergence.rightPipeline, divergence.function));
  } else {
    sentences.push_back(firstSentence(divergence));
    constexpr std::size_t kMaxCallees = 3;
    for (const CalleeChange &change : divergence.callees | std::views::take(kMaxCallees)) {
      sentences.push_back(calleeSentence(divergence, change));
    }
    if (divergence.callees.size() > kMaxCallees) {
      sentences.push_back(fmt::format("{} more of the functions inlined had been changed on one side only.",
                                      divergence.callees.size() - kMaxCallees));
    }
  }
  if (std::optional<std::string> outcome = outcomeSentence(divergence)) {
    sentences.push_back(*std::move(outcome));
  }
  return sentences;
}

} // namespace jitscope::analysis
