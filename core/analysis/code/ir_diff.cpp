// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/ir_diff.h"

#include "analysis/code/ir_alignment.h"
#include "analysis/code/ir_names.h"

#include <utility>
#include <vector>

namespace jitscope::analysis {

namespace {

/// Lines that stand beside each other; one of them may be missing.
struct LinePair {
  const IrLine *left = nullptr;
  const IrLine *right = nullptr;
  std::uint32_t leftNumber = 0;
  std::uint32_t rightNumber = 0;
};

std::vector<LinePair> pairUp(const std::vector<IrLine> &left, const std::vector<IrLine> &right, const Alignment &alignment) {
  std::vector<LinePair> pairs;
  std::size_t atLeft = 0;
  std::size_t atRight = 0;
  const auto addLeft = [&] {
    pairs.push_back({&left[atLeft], nullptr, static_cast<std::uint32_t>(atLeft + 1), 0});
    ++atLeft;
  };
  const auto addRight = [&] {
    pairs.push_back({nullptr, &right[atRight], 0, static_cast<std::uint32_t>(atRight + 1)});
    ++atRight;
  };
  for (const Match &match : alignment.matches) {
    while (atLeft < match.left) {
      addLeft();
    }
    while (atRight < match.right) {
      addRight();
    }
    pairs.push_back(
        {&left[atLeft], &right[atRight], static_cast<std::uint32_t>(atLeft + 1), static_cast<std::uint32_t>(atRight + 1)});
    ++atLeft;
    ++atRight;
  }
  while (atLeft < left.size()) {
    addLeft();
  }
  while (atRight < right.size()) {
    addRight();
  }
  return pairs;
}

using Locals = std::vector<std::string_view>;

/// What a line gives a name to, in its order.
Locals definedBy(const IrLine &line) {
  Locals defined;
  for (std::size_t i = 0; i < line.tokens.size(); ++i) {
    if (line.definition == i || (line.isHead && line.tokens[i].kind == IrTokenKind::Local)) {
      defined.emplace_back(line.tokens[i].text);
    }
  }
  return defined;
}

/// What a line refers to by a number that is nobody's name: metadata, attribute groups, symbols without a name.
Locals numbersIn(const IrLine &line) {
  Locals numbers;
  for (const IrToken &token : line.tokens) {
    const bool isNumber = token.kind == IrTokenKind::Metadata || token.kind == IrTokenKind::AttributeGroup;
    if (isNumber || (token.kind == IrTokenKind::Global && isNumbered(token.text))) {
      numbers.emplace_back(token.text);
    }
  }
  return numbers;
}

void name(const Locals &left, const Locals &right, IrNames &names) {
  // As many on both sides with the same sigils belong together one by one.
  bool isPairwise = left.size() == right.size();
  for (std::size_t i = 0; isPairwise && i < left.size(); ++i) {
    isPairwise = left[i].front() == right[i].front();
  }
  for (std::size_t i = 0; isPairwise && i < left.size(); ++i) {
    names.addPair(left[i], right[i]);
  }
  if (!isPairwise) {
    for (const std::string_view local : left) {
      names.addLeft(local);
    }
    for (const std::string_view local : right) {
      names.addRight(local);
    }
  }
}

IrNames nameAll(const std::vector<LinePair> &pairs) {
  IrNames names;
  for (const LinePair &pair : pairs) {
    name(pair.left != nullptr ? definedBy(*pair.left) : Locals{}, pair.right != nullptr ? definedBy(*pair.right) : Locals{}, names);
    name(pair.left != nullptr ? numbersIn(*pair.left) : Locals{}, pair.right != nullptr ? numbersIn(*pair.right) : Locals{}, names);
  }
  return names;
}

/// The words of a line under their new names.
template <typename NameOf> std::vector<std::string> wordsOf(const IrLine &line, const NameOf &nameOf) {
  std::vector<std::string> words;
  words.reserve(line.tokens.size());
  for (const IrToken &token : line.tokens) {
    switch (token.kind) {
    case IrTokenKind::Label:
      words.push_back(nameOf(token.text).substr(1) + ':');
      break;
    case IrTokenKind::Local:
    case IrTokenKind::Global:
    case IrTokenKind::Metadata:
    case IrTokenKind::AttributeGroup:
      words.push_back(nameOf(token.text));
      break;
    default:
      words.push_back(token.text);
    }
  }
  return words;
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) {
    text += word;
  }
  return text;
}

DiffRow rowOf(const LinePair &pair, const IrNames &names) {
  DiffRow row;
  row.leftLine = pair.leftNumber;
  row.rightLine = pair.rightNumber;
  std::vector<std::string> leftWords;
  std::vector<std::string> rightWords;
  if (pair.left != nullptr) {
    leftWords = wordsOf(*pair.left, [&names](const std::string &text) -> const std::string & { return names.left(text); });
    row.left = joined(leftWords);
    row.isLabel = pair.left->isLabel();
  }
  if (pair.right != nullptr) {
    rightWords = wordsOf(*pair.right, [&names](const std::string &text) -> const std::string & { return names.right(text); });
    row.right = joined(rightWords);
    row.isLabel = pair.right->isLabel();
  }
  if (pair.left == nullptr) {
    row.kind = RowKind::RightOnly;
  } else if (pair.right == nullptr) {
    row.kind = RowKind::LeftOnly;
  } else if (row.left != row.right) {
    row.kind = RowKind::Changed;
    markWords({leftWords.begin(), leftWords.end()}, {rightWords.begin(), rightWords.end()}, row);
  }
  return row;
}

} // namespace

TextDiff diffIr(std::string_view left, std::string_view right, const IrTextOptions &options) {
  const std::vector<IrLine> leftLines = readIr(left, options);
  const std::vector<IrLine> rightLines = readIr(right, options);
  const Alignment alignment = alignIr(leftLines, rightLines);
  const std::vector<LinePair> pairs = pairUp(leftLines, rightLines, alignment);
  const IrNames names = options.originalNames ? IrNames() : nameAll(pairs);
  TextDiff diff;
  diff.isCoarse = alignment.isCoarse;
  diff.rows.reserve(pairs.size());
  for (const LinePair &pair : pairs) {
    diff.rows.push_back(rowOf(pair, names));
    diff.changed += diff.rows.back().kind == RowKind::Changed ? 1U : 0U;
    diff.leftOnly += diff.rows.back().kind == RowKind::LeftOnly ? 1U : 0U;
    diff.rightOnly += diff.rows.back().kind == RowKind::RightOnly ? 1U : 0U;
  }
  return diff;
}

} // namespace jitscope::analysis
