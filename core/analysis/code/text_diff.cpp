// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/text_diff.h"

#include "analysis/code/sequence_alignment.h"

#include <algorithm>
#include <unordered_map>

namespace jitscope::analysis {

namespace {

bool isSpace(std::string_view word) { return word.find_first_not_of(' ') == std::string_view::npos; }

/// The words that are not common, those with only a space between them as one.
std::vector<TextSpan> spansOf(const std::vector<std::string_view> &words, const std::vector<bool> &isCommon) {
  std::vector<TextSpan> spans;
  std::size_t at = 0;
  bool joins = false; // nothing but spaces since the last span
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t length = words[i].size();
    if (!isCommon[i] && !isSpace(words[i])) {
      if (joins) {
        spans.back().length = at + length - spans.back().begin;
      } else {
        spans.push_back({at, length});
      }
      joins = true;
    } else if (!isSpace(words[i])) {
      joins = false;
    }
    at += length;
  }
  return spans;
}

} // namespace

std::string_view nameOf(RowKind kind) {
  switch (kind) {
  case RowKind::Equal:
    return "equal";
  case RowKind::Changed:
    return "changed";
  case RowKind::LeftOnly:
    return "left";
  case RowKind::RightOnly:
    break;
  }
  return "right";
}

std::vector<Hunk> hunksOf(const TextDiff &diff, std::size_t context) {
  std::vector<Hunk> hunks;
  for (std::size_t i = 0; i < diff.rows.size(); ++i) {
    if (diff.rows[i].kind == RowKind::Equal) {
      continue;
    }
    const std::size_t first = i > context ? i - context : 0;
    const std::size_t end = std::min(i + context + 1, diff.rows.size());
    if (!hunks.empty() && first <= hunks.back().firstRow + hunks.back().rowCount) {
      hunks.back().rowCount = end - hunks.back().firstRow;
    } else {
      hunks.push_back({first, end - first});
    }
  }
  return hunks;
}

void markWords(const std::vector<std::string_view> &left, const std::vector<std::string_view> &right, DiffRow &row) {
  std::unordered_map<std::string_view, std::uint32_t> ids;
  const auto numbered = [&ids](const std::vector<std::string_view> &words) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(words.size());
    for (const std::string_view word : words) {
      numbers.push_back(ids.try_emplace(word, static_cast<std::uint32_t>(ids.size())).first->second);
    }
    return numbers;
  };
  const std::vector<std::uint32_t> leftNumbers = numbered(left);
  const std::vector<std::uint32_t> rightNumbers = numbered(right);
  std::vector<bool> leftCommon(left.size(), false);
  std::vector<bool> rightCommon(right.size(), false);
  for (const Match &match : align(leftNumbers, rightNumbers).matches) {
    leftCommon[match.left] = true;
    rightCommon[match.right] = true;
  }
  row.leftSpans = spansOf(left, leftCommon);
  row.rightSpans = spansOf(right, rightCommon);
}

} // namespace jitscope::analysis
