// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "graph/text.h"
#include "support/code/lower_test.h"
#include "support/scripts/random_graphs.h"

using testing::RandomFunction;

namespace {

constexpr int kGraphsPerRow = 10;

/// Everything exact: scalar library functions, sums and products in order.
HarnessOptions exactOptions(bool linksFunctions) {
  HarnessOptions options;
  options.lower.compile.veclib = false;
  options.lower.smallDot = 1 << 30;
  options.linksFunctions = linksFunctions;
  return options;
}

} // namespace

class TestLowerRandom : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void randomGraphsAgreeWithTheReference_data() {
    QTest::addColumn<int>("first");
    // More can be asked for when something is in doubt.
    const int asked = qEnvironmentVariableIntValue("JITSCOPE_RANDOM_GRAPHS");
    for (int first = 0; first < (asked > 0 ? asked : 300); first += kGraphsPerRow) {
      QTest::addRow("%d", first) << first;
    }
  }
  void randomGraphsAgreeWithTheReference() {
    QFETCH(int, first);
    for (int seed = first; seed < first + kGraphsPerRow; ++seed) {
      const RandomFunction function = testing::randomFunction(static_cast<std::uint64_t>(seed));
      const std::vector<ReferenceArray> inputs = testing::randomArrays(function.parameters, static_cast<std::uint64_t>(seed));
      const auto fixed = testing::build(function, function.parameters);
      QVERIFY2(fixed.has_value(), fixed ? "" : describe(fixed.error()).c_str());
      const std::string difference = testing::checkAgainstReference(*fixed, inputs, exactOptions(seed % 2 == 0));
      QVERIFY2(difference.empty(), qPrintable(QString("seed %1: ").arg(seed) + text(difference + "\n" + toText(**fixed))));

      // The same function with sizes known at the call only; what depends on a size while it is traced cannot be built.
      const auto open = testing::build(function, testing::dynamicTypes(function.parameters));
      if (!open) {
        continue;
      }
      const std::string ofOpen = testing::checkAgainstReference(*open, inputs, exactOptions(true));
      QVERIFY2(ofOpen.empty(), qPrintable(QString("seed %1, sizes open: ").arg(seed) + text(ofOpen + "\n" + toText(**open))));
    }
  }
};

QTEST_GUILESS_MAIN(TestLowerRandom)
#include "tst_lower_random.moc"
