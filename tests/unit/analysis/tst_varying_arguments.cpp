// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/calls/varying_arguments.h"

using namespace jitscope;
using analysis::VaryingPart;
using analysis::varyingParts;

class TestVaryingArguments : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void sizesAreNamedByArgumentAndDimension() {
    const auto parts = varyingParts({"f32[3,8], f32[8]", "f32[47,8], f32[8]", "f32[9,8], f32[8]"});
    QCOMPARE(parts.size(), std::size_t{1});
    QVERIFY(parts[0].kind == VaryingPart::Kind::Size);
    QCOMPARE(parts[0].argument, std::size_t{0});
    QCOMPARE(parts[0].dimension.value(), std::size_t{0});
    QCOMPARE(parts[0].count, std::size_t{3});
    // By value: as texts, 47 would come before 9.
    QCOMPARE(parts[0].first, std::string("3"));
    QCOMPARE(parts[0].last, std::string("47"));
  }

  void staticValuesAreTold() {
    const auto parts = varyingParts({"f32[8], \"a, b[\"", "f32[8], \"c\\\", d\"", "f32[8], {axes={0,1}}"});
    QCOMPARE(parts.size(), std::size_t{1});
    QVERIFY(parts[0].kind == VaryingPart::Kind::Value);
    QCOMPARE(parts[0].argument, std::size_t{1});
    QCOMPARE(parts[0].count, std::size_t{3});
    QVERIFY(!parts[0].dimension.has_value());
  }

  void elementTypesAndRanksAreTold() {
    const auto parts = varyingParts({"f32[8], f32[]", "f64[8], f32[2,2]"});
    QCOMPARE(parts.size(), std::size_t{2});
    QVERIFY(parts[0].kind == VaryingPart::Kind::ElementType);
    QVERIFY(parts[1].kind == VaryingPart::Kind::Rank);
    QCOMPARE(parts[1].first, std::string("0"));
    QCOMPARE(parts[1].last, std::string("2"));
  }

  void whatIsTheSameOrMissingIsNotTold() {
    QVERIFY(varyingParts({}).empty());
    QVERIFY(varyingParts({"f32[8]"}).empty());
    QVERIFY(varyingParts({"", "f32[8]"}).empty());
    QVERIFY(varyingParts({"f32[8]", "f32[8], f32[4]"}).empty());
  }

  void numbersGoByValueWhereverTheyStand_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QStringList>("values");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("last");
    QTest::newRow("table") << "%1" << QStringList{"{10}", "{9}", "{31}", "{100}"} << "{9}" << "{100}";
    QTest::newRow("size") << "f32[%1,8]" << QStringList{"10", "9", "31", "100"} << "9" << "100";
    QTest::newRow("negative") << "f32[8], %1" << QStringList{"{-10}", "{-9}", "{2}"} << "{-10}" << "{2}";
    QTest::newRow("fractions") << "%1" << QStringList{"{10.5}", "{2.25}", "{1e3}", "{-0.5}"} << "{-0.5}" << "{1e3}";
    QTest::newRow("tuples") << "%1" << QStringList{"{2,10}", "{2,9}", "{10,1}"} << "{2,9}" << "{10,1}";
    QTest::newRow("within a table") << "%1" << QStringList{"{axes={10}}", "{axes={9}}"} << "{axes={9}}" << "{axes={10}}";
    QTest::newRow("within a text") << "%1" << QStringList{"\"layer-10\"", "\"layer-9\""} << "\"layer-9\"" << "\"layer-10\"";
  }
  void numbersGoByValueWhereverTheyStand() {
    QFETCH(QString, pattern);
    QFETCH(QStringList, values);
    std::vector<std::string> signatures;
    for (const QString &value : values) {
      signatures.push_back(QString(pattern).replace("%1", value).toStdString());
    }
    const auto parts = varyingParts(signatures);
    QCOMPARE(parts.size(), std::size_t{1});
    QTEST(QString::fromStdString(parts[0].first), "first");
    QTEST(QString::fromStdString(parts[0].last), "last");
  }

  void onlyNumbersMayBeData_data() {
    QTest::addColumn<QStringList>("values");
    QTest::addColumn<bool>("mayBeData");
    QTest::newRow("numbers") << QStringList{"{1}", "{2}"} << true;
    QTest::newRow("nested, with keys") << QStringList{"{scale={0.5,-2.5}}", "{scale={1,2}}"} << true;
    QTest::newRow("switch") << QStringList{"true", "false"} << true;
    QTest::newRow("texts") << QStringList{"\"1\"", "\"2\""} << false;
    QTest::newRow("a text in a table") << QStringList{"{1,\"a\"}", "{2,\"a\"}"} << false;
    QTest::newRow("functions") << QStringList{"fn f#1", "fn f#2"} << false;
    QTest::newRow("nil") << QStringList{"nil", "{1}"} << false;
    QTest::newRow("nothing in it") << QStringList{"{}", "{{}}"} << false;
  }
  void onlyNumbersMayBeData() {
    QFETCH(QStringList, values);
    std::vector<std::string> signatures;
    for (const QString &value : values) {
      signatures.push_back("f32[8], " + value.toStdString());
    }
    const auto parts = varyingParts(signatures);
    QCOMPARE(parts.size(), std::size_t{1});
    QTEST(parts[0].mayBeData, "mayBeData");
  }

  void templatesForAllSizesAreThoseThatDifferInMoreThanSizes() {
    QCOMPARE(analysis::templatesForAllSizes({"f32[1,2]", "f32[2,2]", "f32[3,3]"}), std::size_t{1});
    QCOMPARE(analysis::templatesForAllSizes({"f32[1]", "f32[2]", "f64[3]", "f32[3,3]"}), std::size_t{3});
    QCOMPARE(analysis::templatesForAllSizes({"f32[1], {1}", "f32[2], {2}"}), std::size_t{2});
    QCOMPARE(analysis::templatesForAllSizes({}), std::size_t{0});
  }
};

QTEST_GUILESS_MAIN(TestVaryingArguments)
#include "tst_varying_arguments.moc"
