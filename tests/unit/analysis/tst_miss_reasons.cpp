// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "cache/miss_reasons.h"

using namespace jitscope;
using cache::MissExplanation;
using event::MissReason;
using graph::DType;
using graph::Shape;
using graph::Template;
using graph::TensorType;

Q_DECLARE_METATYPE(jitscope::graph::Template)
Q_DECLARE_METATYPE(jitscope::event::MissReason)

namespace {

const base::FunctionId kFunction(1);

Template two(DType dtype, const Shape &shape) { return {{TensorType{dtype, shape, false}, TensorType{dtype, shape, false}}}; }

const base::TemplateId kWanted(100);

/// Asks for `wanted`, whose id is `id`.
MissExplanation explain(const cache::TemplateHistory &history, const Template &wanted, base::TemplateId id = kWanted,
                        const std::string &options = "opt=3") {
  return history.explain(kFunction, id, wanted, options, [&](const std::string &known) { return known + " -> " + options; });
}

} // namespace

class MissReasonsTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void aFunctionNeverCompiledIsNew();
  void theNearestTemplateExplains_data();
  void theNearestTemplateExplains();
  void theNearestOfSeveralIsChosen();
  void otherOptionsAreNamed();
  void ofSeveralOptionsTheLatestAreNamed();
  void whatLeftSaysWhy();
  void evictionUnderOtherOptionsDoesNotCount();
};

void MissReasonsTest::aFunctionNeverCompiledIsNew() {
  const MissExplanation explanation = explain({}, two(DType::F32, {64, 64}));
  QCOMPARE(explanation.reason, MissReason::NewFunction);
  QVERIFY(!explanation.nearest.isValid());
  QVERIFY(explanation.difference.empty());
}

void MissReasonsTest::theNearestTemplateExplains_data() {
  QTest::addColumn<Template>("known");
  QTest::addColumn<Template>("wanted");
  QTest::addColumn<MissReason>("reason");
  QTest::addColumn<QString>("difference");
  QTest::newRow("shape") << two(DType::F32, {64, 64}) << two(DType::F32, {256, 64}) << MissReason::NewShape
                         << "arg 0 dim 0: 64 -> 256; arg 1 dim 0: 64 -> 256";
  QTest::newRow("dtype") << two(DType::F32, {8}) << two(DType::F64, {8}) << MissReason::NewDtype
                         << "arg 0 dtype: f32 -> f64; arg 1 dtype: f32 -> f64";
  QTest::newRow("every size") << Template{{TensorType{DType::F32, {28, 3}, false}}}
                              << Template{{TensorType{DType::F32, graph::Shape::dynamic(2), false}}} << MissReason::NewShape
                              << "arg 0 dim 0: 28 -> ?; arg 0 dim 1: 3 -> ?";
  QTest::newRow("rank") << Template{{TensorType{DType::F32, {8}, false}}} << Template{{TensorType{DType::F32, {8, 1}, false}}}
                        << MissReason::NewRank << "arg 0 rank: 1 -> 2 ([8] -> [8,1])";
  QTest::newRow("arity") << Template{{TensorType{DType::F32, {8}, false}}} << two(DType::F32, {8}) << MissReason::NewArity
                         << "arguments: 1 -> 2";
  QTest::newRow("static") << Template{{graph::StaticValue{"\"relu\""}}} << Template{{graph::StaticValue{"\"tanh\""}}}
                          << MissReason::StaticValue << "arg 0: \"relu\" -> \"tanh\"";
  QTest::newRow("a number's type") << Template{{TensorType{DType::S64, {}, true}}} << Template{{TensorType{DType::F64, {}, true}}}
                                   << MissReason::NewDtype << "arg 0 dtype: integer -> float";
  QTest::newRow("dtype outweighs sizes")
      << two(DType::F32, {2, 2}) << two(DType::F64, {3, 2}) << MissReason::NewDtype
      << "arg 0 dtype: f32 -> f64; arg 0 dim 0: 2 -> 3; arg 1 dtype: f32 -> f64; arg 1 dim 0: 2 -> 3";
}

void MissReasonsTest::theNearestTemplateExplains() {
  QFETCH(Template, known);
  QFETCH(Template, wanted);
  QFETCH(MissReason, reason);
  QFETCH(QString, difference);
  cache::TemplateHistory history;
  history.compiled(kFunction, base::TemplateId(7), known, "opt=3");
  const MissExplanation explanation = explain(history, wanted);
  QCOMPARE(explanation.reason, reason);
  QCOMPARE(explanation.nearest.value, 7U);
  QCOMPARE(QString::fromStdString(explanation.difference), difference);
}

void MissReasonsTest::theNearestOfSeveralIsChosen() {
  cache::TemplateHistory history;
  history.compiled(kFunction, base::TemplateId(1), two(DType::F32, {64, 64}), "opt=3");
  history.compiled(kFunction, base::TemplateId(2), two(DType::F32, {256, 256}), "opt=3");
  const MissExplanation explanation = explain(history, two(DType::F64, {256, 256}));
  QCOMPARE(explanation.nearest.value, 2U);
  QCOMPARE(explanation.reason, MissReason::NewDtype);
  QCOMPARE(explain(history, two(DType::F32, {64, 65})).nearest.value, 1U);
}

void MissReasonsTest::otherOptionsAreNamed() {
  cache::TemplateHistory history;
  history.compiled(kFunction, base::TemplateId(1), two(DType::F32, {8}), "opt=3");
  const MissExplanation explanation = explain(history, two(DType::F32, {8}), base::TemplateId(1), "opt=0");
  QCOMPARE(explanation.reason, MissReason::Options);
  QCOMPARE(explanation.nearest.value, 1U);
  QCOMPARE(explanation.difference, std::string("opt=3 -> opt=0"));
}

void MissReasonsTest::ofSeveralOptionsTheLatestAreNamed() {
  cache::TemplateHistory history;
  const Template tmpl = two(DType::F32, {8});
  history.compiled(kFunction, base::TemplateId(1), tmpl, "opt=3");
  history.compiled(kFunction, base::TemplateId(2), two(DType::F32, {16}), "opt=0");
  history.compiled(kFunction, base::TemplateId(1), tmpl, "opt=2");
  history.compiled(kFunction, base::TemplateId(1), tmpl, "opt=3");
  QCOMPARE(explain(history, tmpl, base::TemplateId(1), "opt=0").difference, std::string("opt=2 -> opt=0"));
  // Compiled under other options later, the template is the latest of equally near ones.
  QCOMPARE(explain(history, two(DType::F32, {24})).nearest.value, 1U);
}

void MissReasonsTest::whatLeftSaysWhy() {
  cache::TemplateHistory history;
  const Template tmpl = two(DType::F32, {8});
  history.compiled(kFunction, base::TemplateId(1), tmpl, "opt=3");
  history.left(kFunction, base::TemplateId(1), "opt=3", event::EvictionReason::Entries);
  QCOMPARE(explain(history, tmpl, base::TemplateId(1)).reason, MissReason::Evicted);
  history.compiled(kFunction, base::TemplateId(1), tmpl, "opt=3");
  history.left(kFunction, base::TemplateId(1), "opt=3", event::EvictionReason::Clear);
  QCOMPARE(explain(history, tmpl, base::TemplateId(1)).reason, MissReason::Cleared);
  QCOMPARE(explain(history, tmpl, base::TemplateId(1)).nearest.value, 1U);
}

void MissReasonsTest::evictionUnderOtherOptionsDoesNotCount() {
  cache::TemplateHistory history;
  const Template tmpl = two(DType::F32, {8});
  history.compiled(kFunction, base::TemplateId(1), tmpl, "opt=3");
  history.compiled(kFunction, base::TemplateId(1), tmpl, "opt=0");
  history.left(kFunction, base::TemplateId(1), "opt=0", event::EvictionReason::Clear);
  history.left(kFunction, base::TemplateId(1), "opt=3", event::EvictionReason::Bytes);
  QCOMPARE(explain(history, tmpl, base::TemplateId(1), "opt=3").reason, MissReason::Evicted);
  QCOMPARE(explain(history, tmpl, base::TemplateId(1), "opt=0").reason, MissReason::Cleared);
}

QTEST_GUILESS_MAIN(MissReasonsTest)
#include "tst_miss_reasons.moc"
