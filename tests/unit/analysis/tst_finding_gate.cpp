// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/finding_gate.h"

#include "support/result_checks.h"

#include <QTest>

#include <string>

using namespace jitscope;
using analysis::Finding;
using analysis::FindingGate;
using analysis::FindingKind;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

Finding costing(FindingKind kind, std::uint64_t ns) {
  Finding finding;
  finding.kind = kind;
  finding.costNs = ns;
  return finding;
}

/// The kinds of a gate, separated by spaces.
QString kindsOf(const FindingGate &gate) {
  QStringList names;
  for (const FindingKind kind : gate.kinds) {
    names << QString::fromUtf8(nameOf(kind).data());
  }
  return names.join(' ');
}

} // namespace

class TestFindingGate : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void aTextNamesKindsAndSeconds_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("kinds");
    QTest::addColumn<qulonglong>("aboveNs");
    QTest::newRow("one kind") << "storm" << "storm" << 0ULL;
    QTest::newRow("several, in the order of their declaration") << "small-cache,storm" << "storm small-cache" << 0ULL;
    QTest::newRow("one of them twice") << "storm,storm" << "storm" << 0ULL;
    QTest::newRow("seconds") << "storm,made-anew:0.5" << "storm made-anew" << 500'000'000ULL;
    QTest::newRow("no seconds at all") << "waiting:0" << "waiting" << 0ULL;
  }
  void aTextNamesKindsAndSeconds() {
    QFETCH(QString, text);
    const auto gate = analysis::findingGateFrom(text.toStdString());
    JS_VERIFY_RESULT(gate);
    QTEST(kindsOf(*gate), "kinds");
    QTEST(static_cast<qulonglong>(gate->aboveNs), "aboveNs");
  }

  void whatIsWrongWithATextIsSaid_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("a slip") << "strom" << "there is no kind of finding \"strom\"; there are stale-capture, storm, made-anew, ";
    QTest::newRow("a slip, what was meant") << "strom" << "; did you mean \"storm\"?";
    QTest::newRow("nothing") << "" << "there is no kind of finding \"\"";
    QTest::newRow("nothing between commas") << "storm,,waiting" << "there is no kind of finding \"\"";
    QTest::newRow("spaces") << "storm, waiting" << "there is no kind of finding \" waiting\"";
    for (const char *seconds : {"", "soon", "-1", "nan", "inf", "1e10", "1s"}) {
      QTest::addRow("seconds \"%s\"", seconds)
          << QStringLiteral("storm:%1").arg(QString::fromLatin1(seconds))
          << QStringLiteral("come seconds, 0 or more, not \"%1\"").arg(QString::fromLatin1(seconds));
    }
  }
  void whatIsWrongWithATextIsSaid() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto gate = analysis::findingGateFrom(text.toStdString());
    JS_COMPARE_ERROR(gate, base::ErrorCode::RuntimeOption);
    QVERIFY2(QString::fromStdString(gate.error().message).contains(message), gate.error().message.c_str());
  }

  void noKindsAreEveryKind() {
    const auto gate = analysis::findingGateFor({}, 7);
    JS_VERIFY_RESULT(gate);
    QCOMPARE(gate->kinds.size(), analysis::kFindingKinds.size());
    QCOMPARE(gate->aboveNs, std::uint64_t{7});
  }

  void aGateForbidsItsKindsAboveItsBound() {
    const std::vector<FindingGate> gates{*analysis::findingGateFrom("storm:0.5"), *analysis::findingGateFrom("waiting")};
    QVERIFY(!analysis::isForbidden(costing(FindingKind::Storm, kSecond / 2), gates));
    QVERIFY(analysis::isForbidden(costing(FindingKind::Storm, kSecond / 2 + 1), gates));
    // What costs no time is wrong for another reason, which no bound on time allows.
    QVERIFY(analysis::isForbidden(costing(FindingKind::Storm, 0), gates));
    QVERIFY(analysis::isForbidden(costing(FindingKind::Waiting, 1), gates));
    QVERIFY(!analysis::isForbidden(costing(FindingKind::ColdStart, kSecond), gates));
    QVERIFY(!analysis::isForbidden(costing(FindingKind::Storm, kSecond), {}));
    QCOMPARE(analysis::kindsOf(gates), (std::vector{FindingKind::Storm, FindingKind::Waiting}));
  }
};

QTEST_GUILESS_MAIN(TestFindingGate)
#include "tst_finding_gate.moc"
