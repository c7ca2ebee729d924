// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/parting_text.h"

#include "analysis/parting.h"
#include "base/utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <ranges>
#include <string_view>

namespace jitscope::analysis {

namespace {

std::string passText(const event::PassRun &pass) { return fmt::format("{} (stage {}, pass {})", pass.name, pass.stage, pass.seq); }

/// The last pass after which both sides are alike, by the number that it has on each.
std::string commonPassText(const Parting &parting) {
  const event::PassRun &left = *parting.lastCommon;
  const event::PassRun &right = parting.rightLastCommon.value_or(left);
  if (left.name == right.name && left.stage == right.stage && left.seq == right.seq) {
    return passText(left);
  }
  if (left.name == right.name && left.stage == right.stage) {
    return fmt::format("{} (stage {}, pass {} under {} and {} under {})", left.name, left.stage, left.seq, parting.leftPipeline,
                       right.seq, parting.rightPipeline);
  }
  return fmt::format("{} under {} and {} under {}", passText(left), parting.leftPipeline, passText(right), parting.rightPipeline);
}

std::string firstSentence(const Parting &parting) {
  const std::string until = parting.lastCommon ? fmt::format("{} has the same code under {} and {} up to {}.", parting.function,
                                                             parting.leftPipeline, parting.rightPipeline, commonPassText(parting))
                                               : fmt::format("{} has different code under {} and {} from the first change on.",
                                                             parting.function, parting.leftPipeline, parting.rightPipeline);
  const auto side = [](const std::string &pipeline, const std::optional<event::PassRun> &pass) {
    return pass ? fmt::format("{} goes on with {}", pipeline, passText(*pass)) : fmt::format("{} leaves it at that", pipeline);
  };
  return fmt::format("{} Then {}, and {}.", until, side(parting.leftPipeline, parting.left),
                     side(parting.rightPipeline, parting.right));
}

/// "inner, and that into outer"; of a long way, its ends: "link 2, and through 46 more functions into link 49".
std::string wayText(const std::vector<std::string> &inlinedInto) {
  constexpr std::size_t kMostNamed = 3;
  if (inlinedInto.size() > kMostNamed) {
    return fmt::format("{}, and through {} more functions into {}", inlinedInto.back(), inlinedInto.size() - 2,
                       inlinedInto.front());
  }
  return fmt::format("{}", fmt::join(inlinedInto.rbegin(), inlinedInto.rend(), ", and that into "));
}

/// A remark inside a sentence. Those on inlining name every call on the way, which may be fifty.
std::string briefText(const event::Remark &remark) {
  constexpr std::size_t kMostBytes = 240;
  if (remark.message.size() <= kMostBytes) {
    return remarkText(remark);
  }
  event::Remark brief = remark;
  brief.message = remark.message.substr(0, base::characterStart(remark.message, kMostBytes)) + "…";
  return remarkText(brief);
}

std::string calleeSentence(const Parting &parting, const CalleeChange &change) {
  const std::string &pipeline = change.isLeft ? parting.leftPipeline : parting.rightPipeline;
  const std::string &other = change.isLeft ? parting.rightPipeline : parting.leftPipeline;
  std::string text = fmt::format("Before {} was inlined into {}, {} had run {} on it, and {} had not", change.callee,
                                 wayText(change.inlinedInto), pipeline, passText(change.pass), other);
  return text + (change.remark.pass.empty() ? "." : ": " + briefText(change.remark) + ".");
}

std::optional<std::string> outcomeSentence(const Parting &parting) {
  const auto side = [](const std::string &pipeline, const event::Remark &remark, const event::Remark &other) {
    return remark.pass.empty() ? fmt::format("Under {}, {} says nothing there.", pipeline, other.pass)
                               : fmt::format("Under {}, {}.", pipeline, briefText(remark));
  };
  if (parting.leftRemark.pass.empty() && parting.rightRemark.pass.empty()) {
    return std::nullopt;
  }
  return side(parting.leftPipeline, parting.leftRemark, parting.rightRemark) + ' ' +
         side(parting.rightPipeline, parting.rightRemark, parting.leftRemark);
}

} // namespace

std::string remarkText(const event::Remark &remark) {
  std::string place;
  if (remark.line > 0) {
    place = remark.file.empty() ? fmt::format(" at line {}", remark.line) : fmt::format(" at {}:{}", remark.file, remark.line);
  }
  return fmt::format("{} {}{}: \"{}\"", remark.pass, nameOf(remark.kind), place, remark.message);
}

std::vector<std::string> sentencesOf(const Parting &parting) {
  std::vector<std::string> sentences;
  if (!parting.isKnown) {
    sentences.push_back(
        fmt::format("Where {} parts ways under {} and {} is not known: that is recorded in studies only, of functions "
                    "that passes changed.",
                    parting.function, parting.leftPipeline, parting.rightPipeline));
  } else if (parting.isEqual) {
    sentences.push_back(fmt::format("{} and {} made the same instructions of {}; only flags such as nsw may differ.",
                                    parting.leftPipeline, parting.rightPipeline, parting.function));
  } else {
    sentences.push_back(firstSentence(parting));
    constexpr std::size_t kMostCallees = 3;
    for (const CalleeChange &change : parting.callees | std::views::take(kMostCallees)) {
      sentences.push_back(calleeSentence(parting, change));
    }
    if (parting.callees.size() > kMostCallees) {
      sentences.push_back(fmt::format("{} more of the functions inlined had been changed on one side only.",
                                      parting.callees.size() - kMostCallees));
    }
  }
  if (std::optional<std::string> outcome = outcomeSentence(parting)) {
    sentences.push_back(*std::move(outcome));
  }
  return sentences;
}

} // namespace jitscope::analysis
