// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/varying_arguments.h"

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
};

QTEST_GUILESS_MAIN(TestVaryingArguments)
#include "tst_varying_arguments.moc"
