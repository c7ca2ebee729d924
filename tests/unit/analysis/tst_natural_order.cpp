// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/natural_order.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace jitscope;
using base::naturalOrder;

class TestNaturalOrder : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void textsAreInTheirNaturalOrder_data() {
    QTest::addColumn<QStringList>("sorted");
    QTest::newRow("tables of numbers") << QStringList{"{-10}", "{-9}", "{1}", "{9}", "{10}", "{31}", "{100}"};
    QTest::newRow("shapes") << QStringList{"f32[3,8]", "f32[9,8]", "f32[9,16]", "f32[10,2]", "f64[1]", "s8[1]", "s32[1]"};
    QTest::newRow("unknown sizes come last") << QStringList{"f32[2]", "f32[10]", "f32[?]"};
    QTest::newRow("fractions") << QStringList{"-inf", "-2.5", "-2", "-0.5", "1e-3", "0.5", "2", "2.0", "2.5", "10", "1e3", "inf"};
    QTest::newRow("tuples") << QStringList{"{2,3}", "{2,10}", "{2,10,1}", "{10,1}"};
    QTest::newRow("keys of tables") << QStringList{"{axes={0,2}}", "{axes={0,10}}", "{axes={1,0}}"};
    QTest::newRow("a hyphen is no sign") << QStringList{"\"layer-2\"", "\"layer-9\"", "\"layer-10\""};
    QTest::newRow("more than a double holds")
        << QStringList{"-9223372036854775808", "-9223372036854775807", "9223372036854775806", "9223372036854775807"};
    QTest::newRow("beyond every double") << QStringList{"0." + QString(400, '0') + "1", "1", "1" + QString(400, '0'),
                                                        "2" + QString(400, '0')};
    QTest::newRow("leading zeros") << QStringList{"a007", "a7", "a08", "a9"};
    QTest::newRow("letters") << QStringList{"", "a", "B", "c", "ca"};
    QTest::newRow("beyond ASCII") << QStringList{"z", "ä1", "ä10"};
  }
  void textsAreInTheirNaturalOrder() {
    QFETCH(QStringList, sorted);
    for (qsizetype i = 0; i < sorted.size(); ++i) {
      for (qsizetype j = 0; j < sorted.size(); ++j) {
        const std::string left = sorted[i].toStdString();
        const std::string right = sorted[j].toStdString();
        const std::u16string wideLeft = sorted[i].toStdU16String();
        const std::u16string wideRight = sorted[j].toStdU16String();
        QVERIFY2(naturalOrder(left, right) == (i <=> j), qPrintable(sorted[i] + " and " + sorted[j]));
        QVERIFY2(naturalOrder(wideLeft, wideRight) == (i <=> j), qPrintable(sorted[i] + " and " + sorted[j]));
      }
    }
  }

  void whateverIsComparedTheOrderIsTotal() {
    const std::string pieces[] = {"", "-", "0", "9", "10", ".", "e", "E5", "1e400", "-1e400", "inf", "{", ",", "a"};
    std::vector<std::string> texts;
    for (const std::string &first : pieces) {
      for (const std::string &second : pieces) {
        for (const std::string &third : pieces) {
          texts.push_back(first + second + third);
        }
      }
    }
    std::ranges::sort(texts, [](const std::string &left, const std::string &right) { return naturalOrder(left, right) < 0; });
    for (std::size_t i = 0; i < texts.size(); i += 7) {
      for (std::size_t j = 0; j < texts.size(); ++j) {
        const auto order = naturalOrder(texts[i], texts[j]);
        QVERIFY((order == 0) == (texts[i] == texts[j]));
        QVERIFY2(order == 0 || (order < 0) == (i < j), (texts[i] + " and " + texts[j]).c_str());
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestNaturalOrder)
#include "tst_natural_order.moc"
