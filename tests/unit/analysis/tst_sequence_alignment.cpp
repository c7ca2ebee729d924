// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/code/sequence_alignment.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace jitscope;
using analysis::align;
using analysis::Alignment;

namespace {

using Tokens = std::vector<std::uint32_t>;

Tokens randomTokens(std::mt19937 &random, std::size_t count, std::uint32_t kinds) {
  std::uniform_int_distribution<std::uint32_t> kind(0, kinds - 1);
  Tokens tokens(count);
  std::ranges::generate(tokens, [&] { return kind(random); });
  return tokens;
}

/// The length of a longest common subsequence by the textbook's table.
std::size_t commonLength(const Tokens &left, const Tokens &right) {
  std::vector<std::size_t> row(right.size() + 1, 0);
  for (const std::uint32_t token : left) {
    std::size_t diagonal = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const std::size_t above = row[i + 1];
      row[i + 1] = token == right[i] ? diagonal + 1 : std::max(above, row[i]);
      diagonal = above;
    }
  }
  return row.back();
}

/// Whether the matches rise on both sides and hold equal tokens.
bool isCommonSubsequence(const Alignment &alignment, const Tokens &left, const Tokens &right) {
  std::size_t nextLeft = 0;
  std::size_t nextRight = 0;
  for (const analysis::Match &match : alignment.matches) {
    if (match.left < nextLeft || match.right < nextRight || match.left >= left.size() || match.right >= right.size() ||
        left[match.left] != right[match.right]) {
      return false;
    }
    nextLeft = match.left + 1;
    nextRight = match.right + 1;
  }
  return true;
}

} // namespace

class TestSequenceAlignment : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void shortSequencesAreAlignedAsLongAsCanBe_data() {
    QTest::addColumn<int>("left");
    QTest::addColumn<int>("right");
    QTest::addColumn<int>("kinds");
    QTest::newRow("nothing") << 0 << 0 << 2;
    QTest::newRow("nothing on the left") << 0 << 5 << 2;
    QTest::newRow("nothing on the right") << 5 << 0 << 2;
    QTest::newRow("one each") << 1 << 1 << 3;
    QTest::newRow("few kinds") << 40 << 50 << 2;
    QTest::newRow("longer left") << 90 << 20 << 4;
    QTest::newRow("many kinds") << 60 << 60 << 50;
    QTest::newRow("hundreds") << 400 << 300 << 20;
  }
  void shortSequencesAreAlignedAsLongAsCanBe() {
    QFETCH(int, left);
    QFETCH(int, right);
    QFETCH(int, kinds);
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
      const Tokens first = randomTokens(random, static_cast<std::size_t>(left), static_cast<std::uint32_t>(kinds));
      const Tokens second = randomTokens(random, static_cast<std::size_t>(right), static_cast<std::uint32_t>(kinds));
      const Alignment alignment = align(first, second);
      QVERIFY(isCommonSubsequence(alignment, first, second));
      QCOMPARE(alignment.matches.size(), commonLength(first, second));
      QVERIFY(!alignment.isCoarse);
    }
  }

  /// Long sequences with few edits are cut at what is unique, and nothing is lost by it.
  void longSequencesWithFewEditsAreAlignedWholly() {
    std::mt19937 random(11);
    Tokens left(50'000);
    for (std::size_t i = 0; i < left.size(); ++i) {
      left[i] = static_cast<std::uint32_t>(i);
    }
    Tokens right;
    for (const std::uint32_t token : left) {
      if (random() % 50 == 0) {
        right.push_back(100'000 + token); // another token in its place
      } else {
        right.push_back(token);
      }
    }
    const std::size_t kept = static_cast<std::size_t>(std::ranges::count_if(right, [](std::uint32_t t) { return t < 100'000; }));
    const Alignment alignment = align(left, right);
    QVERIFY(isCommonSubsequence(alignment, left, right));
    QCOMPARE(alignment.matches.size(), kept);
    QVERIFY(!alignment.isCoarse);
  }

  /// What has no unique tokens would take the product of the lengths, ten thousand million steps here.
  void longSequencesOfFewKindsAreAlignedCoarsely() {
    std::mt19937 random(13);
    const Tokens left = randomTokens(random, 100'000, 3);
    const Tokens right = randomTokens(random, 90'000, 3);
    const Alignment alignment = align(left, right);
    QVERIFY(isCommonSubsequence(alignment, left, right));
    QVERIFY(alignment.isCoarse);
    // Random ternary sequences have about 0.7 in common; half of that would be a poor alignment.
    QVERIFY(alignment.matches.size() > 50'000);
  }

  void longSequencesWithoutAnythingInCommonHaveNoMatches() {
    const Tokens left(100'000, 1);
    const Tokens right(100'000, 2);
    QVERIFY(align(left, right).matches.empty());
  }
};

QTEST_GUILESS_MAIN(TestSequenceAlignment)
#include "tst_sequence_alignment.moc"
