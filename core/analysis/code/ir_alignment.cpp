// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/ir_alignment.h"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace jitscope::analysis {

namespace {

using Lines = std::span<const IrLine>;
using Hashes = std::vector<std::uint64_t>;

std::uint64_t hashOf(std::string_view text) { return std::hash<std::string_view>{}(text); }

/// As boost::hash_combine mixes, in 64 bits.
void mix(std::uint64_t &seed, std::uint64_t value) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
  seed ^= value + kGolden + (seed << 12U) + (seed >> 4U);
  seed *= 0xff51afd7ed558ccd;
}

/// A line without the names of what it uses.
std::string formOf(const IrLine &line) {
  std::string form;
  for (const IrToken &token : line.tokens) {
    switch (token.kind) {
    case IrTokenKind::Local:
      form += '%';
      break;
    case IrTokenKind::Label:
      form += "%:";
      break;
    case IrTokenKind::Metadata:
      form += '!';
      break;
    case IrTokenKind::AttributeGroup:
      form += '#';
      break;
    default:
      form += token.text;
    }
  }
  return form;
}

Hashes formHashes(Lines lines) {
  Hashes hashes;
  hashes.reserve(lines.size());
  for (const IrLine &line : lines) {
    hashes.push_back(hashOf(formOf(line)));
  }
  return hashes;
}

/// What a line computes, as far as it can be told by following its operands a few steps: equal expressions of parameters, constants
/// and symbols have equal hashes. Phis are not followed, for they lead in circles. Labels are told by their names.
Hashes expressionHashes(Lines lines) {
  constexpr int kSteps = 4;
  std::unordered_map<std::string_view, std::size_t> definers;
  std::unordered_map<std::string_view, std::uint64_t> fixed; // parameters by their place
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const IrLine &line = lines[i];
    if (line.definition && !line.isLabel()) {
      definers.emplace(line.tokens[*line.definition].text, i);
    }
    for (const IrToken &token : line.tokens) {
      if (line.isHead && token.kind == IrTokenKind::Local) {
        fixed.emplace(token.text, hashOf("parameter") + fixed.size());
      }
    }
  }
  const Hashes forms = formHashes(lines);
  Hashes current = forms;
  for (int step = 0; step < kSteps; ++step) {
    Hashes next = forms;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const IrLine &line = lines[i];
      if (line.isLabel()) {
        mix(next[i], isNumbered(line.tokens.front().text) ? 0 : hashOf(line.tokens.front().text));
      }
      if (line.isHead || line.isLabel() || line.isPhi()) {
        continue;
      }
      for (std::size_t place = 0; place < line.tokens.size(); ++place) {
        const IrToken &token = line.tokens[place];
        if (token.kind != IrTokenKind::Local || line.definition == place) {
          continue;
        }
        if (const auto parameter = fixed.find(token.text); parameter != fixed.end()) {
          mix(next[i], parameter->second);
        } else if (const auto definer = definers.find(token.text); definer != definers.end()) {
          mix(next[i], current[definer->second]);
        }
      }
    }
    current = std::move(next);
  }
  return current;
}

Hashes operationHashes(Lines lines) {
  Hashes hashes;
  hashes.reserve(lines.size());
  for (const IrLine &line : lines) {
    hashes.push_back(hashOf(line.operation()));
  }
  return hashes;
}

/// What defines something under a name of its own, by that name. `salt` keeps all other lines apart from each other.
Hashes nameHashes(Lines lines, std::string_view salt) {
  Hashes hashes;
  hashes.reserve(lines.size());
  for (const IrLine &line : lines) {
    const std::string_view name = line.definition ? std::string_view(line.tokens[*line.definition].text) : std::string_view();
    if (name.empty() || isNumbered(name) || name == kEntryLocal) {
      hashes.push_back(hashOf(salt) + hashes.size());
    } else {
      hashes.push_back(hashOf(name));
    }
  }
  return hashes;
}

/// Finds more matches between those that there are.
class Refiner {
public:
  Refiner(std::size_t leftSize, std::size_t rightSize) : m_leftSize(leftSize), m_rightSize(rightSize) {}

  /// Where the longer side of a gap has at most `maxRatio` times as many lines as the shorter; 0 for any gap.
  void refine(const Hashes &left, const Hashes &right, std::size_t maxRatio) {
    std::vector<Match> matches;
    Match begin;
    for (std::size_t i = 0; i <= m_alignment.matches.size(); ++i) {
      const bool isLast = i == m_alignment.matches.size();
      const Match end = isLast ? Match{m_leftSize, m_rightSize} : m_alignment.matches[i];
      addBetween(begin, end, left, right, maxRatio, matches);
      if (!isLast) {
        matches.push_back(end);
        begin = {end.left + 1, end.right + 1};
      }
    }
    m_alignment.matches = std::move(matches);
  }

  /// Matches one line with one that stands in its place, whatever they are.
  void pairReplacements() {
    const std::vector<Match> found = std::move(m_alignment.matches);
    m_alignment.matches.clear();
    Match begin;
    for (std::size_t i = 0; i <= found.size(); ++i) {
      const Match end = i == found.size() ? Match{m_leftSize, m_rightSize} : found[i];
      if (end.left == begin.left + 1 && end.right == begin.right + 1) {
        m_alignment.matches.push_back(begin);
      }
      if (i < found.size()) {
        m_alignment.matches.push_back(end);
        begin = {end.left + 1, end.right + 1};
      }
    }
  }

  [[nodiscard]] Alignment take() { return std::move(m_alignment); }

private:
  void addBetween(Match begin, Match end, const Hashes &left, const Hashes &right, std::size_t maxRatio, std::vector<Match> &to) {
    const std::size_t leftCount = end.left - begin.left;
    const std::size_t rightCount = end.right - begin.right;
    if (leftCount == 0 || rightCount == 0 ||
        (maxRatio != 0 && std::max(leftCount, rightCount) > maxRatio * std::min(leftCount, rightCount))) {
      return;
    }
    std::unordered_map<std::uint64_t, std::uint32_t> ids;
    const auto numbered = [&ids](const Hashes &hashes, std::size_t first, std::size_t count) {
      std::vector<std::uint32_t> tokens;
      tokens.reserve(count);
      for (std::size_t i = first; i < first + count; ++i) {
        tokens.push_back(ids.try_emplace(hashes[i], static_cast<std::uint32_t>(ids.size())).first->second);
      }
      return tokens;
    };
    const std::vector<std::uint32_t> leftTokens = numbered(left, begin.left, leftCount);
    const std::vector<std::uint32_t> rightTokens = numbered(right, begin.right, rightCount);
    const Alignment found = align(leftTokens, rightTokens);
    m_alignment.isCoarse = m_alignment.isCoarse || found.isCoarse;
    for (const Match &match : found.matches) {
      to.push_back({begin.left + match.left, begin.right + match.right});
    }
  }

  std::size_t m_leftSize;
  std::size_t m_rightSize;
  Alignment m_alignment;
};

} // namespace

Alignment alignIr(Lines left, Lines right) {
  // Between many lines and few, lines that look alike are a coincidence, the sooner the less they have in common.
  constexpr std::size_t kMaxRatioOfForms = 8;
  constexpr std::size_t kMaxRatioOfOperations = 3;
  Refiner refiner(left.size(), right.size());
  refiner.refine(expressionHashes(left), expressionHashes(right), 0);
  refiner.refine(nameHashes(left, "left"), nameHashes(right, "right"), 0);
  refiner.refine(formHashes(left), formHashes(right), kMaxRatioOfForms);
  refiner.refine(operationHashes(left), operationHashes(right), kMaxRatioOfOperations);
  refiner.pairReplacements();
  return refiner.take();
}

} // namespace jitscope::analysis
