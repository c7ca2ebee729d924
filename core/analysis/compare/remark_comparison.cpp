// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compare/remark_comparison.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace jitscope::analysis {

namespace {

using event::Remark;
using event::RemarkKind;

using Place = std::tuple<std::string_view, int, std::string_view>;
using Meaning = std::tuple<std::string_view, int, std::string_view, RemarkKind, std::string_view>;

Place placeOf(const Remark &remark) { return {remark.file, remark.line, remark.pass}; }

Meaning meaningOf(const Remark &remark) {
  return std::tuple_cat(placeOf(remark), std::tuple(remark.kind, comparedMessage(remark.pass, remark.message)));
}

bool hasPassed(const std::vector<Remark> &remarks) {
  return std::ranges::find(remarks, RemarkKind::Passed, &Remark::kind) != remarks.end();
}

int rankOf(std::string_view pass) {
  constexpr std::array<std::string_view, 6> kByWeight{"loop-vectorize", "slp-vectorizer", "loop-unroll", "inline", "licm", "gvn"};
  return static_cast<int>(std::ranges::find(kByWeight, pass) - kByWeight.begin());
}

} // namespace

std::string_view comparedMessage(std::string_view pass, std::string_view message) {
  // "'f' inlined into 'g' with (cost=-15, threshold=225) at callsite …"
  return pass == "inline" ? message.substr(0, message.find(" with (cost=")) : message;
}

std::vector<RemarkDifference> compareRemarks(const std::vector<Remark> &left, const std::vector<Remark> &right) {
  std::set<Meaning> onLeft;
  std::set<Meaning> onRight;
  for (const Remark &remark : left) {
    onLeft.insert(meaningOf(remark));
  }
  for (const Remark &remark : right) {
    onRight.insert(meaningOf(remark));
  }
  std::map<Place, RemarkDifference> byPlace;
  const auto add = [&byPlace](const std::vector<Remark> &remarks, const std::set<Meaning> &others,
                              std::vector<Remark> RemarkDifference::*side) {
    std::set<Meaning> seen;
    for (const Remark &remark : remarks) {
      const Meaning meaning = meaningOf(remark);
      if (!others.contains(meaning) && seen.insert(meaning).second) {
        RemarkDifference &difference = byPlace[placeOf(remark)];
        difference.file = remark.file;
        difference.line = remark.line;
        difference.pass = remark.pass;
        (difference.*side).push_back(remark);
      }
    }
  };
  add(left, onRight, &RemarkDifference::left);
  add(right, onLeft, &RemarkDifference::right);
  std::vector<RemarkDifference> result;
  for (auto &[place, difference] : byPlace) {
    std::ranges::stable_sort(difference.left, {}, &Remark::kind);
    std::ranges::stable_sort(difference.right, {}, &Remark::kind);
    result.push_back(std::move(difference));
  }
  std::ranges::stable_sort(result, [](const RemarkDifference &one, const RemarkDifference &other) {
    return std::tuple(one.file, one.line, rankOf(one.pass), one.pass) <
           std::tuple(other.file, other.line, rankOf(other.pass), other.pass);
  });
  return result;
}

const RemarkDifference *mostTelling(const std::vector<RemarkDifference> &differences) {
  const auto weight = [](const RemarkDifference &difference) {
    const bool isDecided = hasPassed(difference.left) != hasPassed(difference.right);
    const bool hasBoth = !difference.left.empty() && !difference.right.empty();
    return std::tuple(rankOf(difference.pass), !isDecided, !hasBoth, difference.line);
  };
  const auto best = std::ranges::min_element(differences, {}, weight);
  return best == differences.end() ? nullptr : &*best;
}

const Remark *mostTelling(const std::vector<Remark> &remarks) {
  const auto weight = [](const Remark &remark) { return std::tuple(remark.kind == RemarkKind::Passed, remark.message.size()); };
  const auto best = std::ranges::max_element(remarks, {}, weight);
  return best == remarks.end() ? nullptr : &*best;
}

} // namespace jitscope::analysis
