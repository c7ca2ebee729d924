// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/sequence_alignment.h"

#include <algorithm>
#include <unordered_map>

#include <dtl/dtl.hpp>

namespace jitscope::analysis {

namespace {

using Tokens = std::span<const std::uint32_t>;

/// dtl gives up after two million steps and goes on from there, with wrong results for some inputs; below this product of lengths
/// it cannot come that far.
constexpr std::size_t kLargestProduct = 1'500'000;
/// Length of the parts into which what has no unique tokens is cut.
constexpr std::size_t kPartLength = 250;

class Aligner {
public:
  void run(Tokens left, Tokens right, std::size_t leftStart, std::size_t rightStart);
  Alignment result;

private:
  void search(Tokens left, Tokens right, std::size_t leftStart, std::size_t rightStart);
  void cut(Tokens left, Tokens right, std::size_t leftStart, std::size_t rightStart);
  void add(std::size_t left, std::size_t right) { result.matches.push_back({left, right}); }
};

/// Those of the pairs, which rise on the left, that rise on the right as well: as many as possible.
std::vector<Match> longestRising(const std::vector<Match> &pairs) {
  std::vector<std::size_t> tails; // tails[n]: the pair with the lowest right end among rising runs of n + 1 pairs
  std::vector<std::size_t> before(pairs.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto place =
        std::ranges::lower_bound(tails, pairs[i].right, {}, [&pairs](std::size_t index) { return pairs[index].right; });
    if (place != tails.begin()) {
      before[i] = *std::prev(place);
    }
    if (place == tails.end()) {
      tails.push_back(i);
    } else {
      *place = i;
    }
  }
  std::vector<Match> rising;
  for (std::size_t i = tails.empty() ? pairs.size() : tails.back(); i != pairs.size(); i = before[i]) {
    rising.push_back(pairs[i]);
  }
  std::ranges::reverse(rising);
  return rising;
}

/// Where tokens stand that occur exactly once on each side, by their order on the left.
std::vector<Match> uniquePairs(Tokens left, Tokens right) {
  struct Occurrences {
    std::size_t leftCount = 0;
    std::size_t rightCount = 0;
    std::size_t right = 0;
  };
  std::unordered_map<std::uint32_t, Occurrences> places;
  for (const std::uint32_t token : left) {
    ++places[token].leftCount;
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    Occurrences &place = places[right[i]];
    ++place.rightCount;
    place.right = i;
  }
  std::vector<Match> pairs;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Occurrences &place = places[left[i]];
    if (place.leftCount == 1 && place.rightCount == 1) {
      pairs.push_back({i, place.right});
    }
  }
  return longestRising(pairs);
}

void Aligner::run(Tokens left, Tokens right, std::size_t leftStart, std::size_t rightStart) {
  while (!left.empty() && !right.empty() && left.front() == right.front()) {
    add(leftStart++, rightStart++);
    left = left.subspan(1);
    right = right.subspan(1);
  }
  std::size_t tail = 0;
  while (tail < left.size() && tail < right.size() && left[left.size() - 1 - tail] == right[right.size() - 1 - tail]) {
    ++tail;
  }
  left = left.first(left.size() - tail);
  right = right.first(right.size() - tail);
  // One token on each side: they differ, or they would be gone.
  if (!left.empty() && !right.empty() && left.size() + right.size() > 2) {
    if (left.size() + 1 <= kLargestProduct / (right.size() + 1)) {
      search(left, right, leftStart, rightStart);
    } else {
      cut(left, right, leftStart, rightStart);
    }
  }
  for (std::size_t i = 0; i < tail; ++i) {
    add(leftStart + left.size() + i, rightStart + right.size() + i);
  }
}

void Aligner::search(Tokens left, Tokens right, std::size_t leftStart, std::size_t rightStart) {
  using Sequence = std::vector<std::uint32_t>;
  dtl::Diff<std::uint32_t, Sequence> diff(Sequence(left.begin(), left.end()), Sequence(right.begin(), right.end()));
  diff.compose();
  std::size_t atLeft = leftStart;
  std::size_t atRight = rightStart;
  const dtl::Ses<std::uint32_t> edits = diff.getSes();
  for (const auto &[token, info] : edits.getSequence()) {
    if (info.type == dtl::SES_COMMON) {
      add(atLeft++, atRight++);
    } else if (info.type == dtl::SES_DELETE) {
      ++atLeft;
    } else {
      ++atRight;
    }
  }
}

void Aligner::cut(Tokens left, Tokens right, std::size_t leftStart, std::size_t rightStart) {
  std::vector<Match> ends = uniquePairs(left, right);
  if (ends.empty()) {
    result.isCoarse = true;
    const std::size_t parts = std::max(left.size(), right.size()) / kPartLength + 1;
    for (std::size_t part = 1; part < parts; ++part) {
      ends.push_back({left.size() * part / parts, right.size() * part / parts});
    }
  }
  // Each part ends before a pair that belongs together or, in equal parts, just there; the next begins with it.
  ends.push_back({left.size(), right.size()});
  Match begin;
  for (const Match &end : ends) {
    run(left.subspan(begin.left, end.left - begin.left), right.subspan(begin.right, end.right - begin.right),
        leftStart + begin.left, rightStart + begin.right);
    begin = end;
  }
}

} // namespace

Alignment align(Tokens left, Tokens right) {
  Aligner aligner;
  aligner.run(left, right, 0, 0);
  return std::move(aligner.result);
}

} // namespace jitscope::analysis
