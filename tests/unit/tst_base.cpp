// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/sha256.h"
#include "base/try.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

using namespace jitscope::base;

class BaseTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void theClockAgreesWithTheSystems();
  void theClockNeverGoesBack();
  void clocksOfOneEpochAgree();
  void hashesHaveTheirPublishedValues();
  void sha256HasItsPublishedValues_data();
  void sha256HasItsPublishedValues();
  void wordsHashAsTheirBytes();
  void contextReadsInnermostFirst();
  void tryGivesTheValueOrReturnsTheError();
  void tryMovesWhatCannotBeCopied();
  void codesBelongToTheirGroups();
  void noIdIsNoId();
};

void BaseTest::theClockAgreesWithTheSystems() {
  const ClockEpoch epoch = ClockEpoch::now();
  const std::unique_ptr<Clock> clock = makeClock(epoch);
  const std::unique_ptr<Clock> reference = makeSteadyClock(epoch);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  // Bracketed by the reference, so that being interrupted in between widens the bounds instead of failing.
  const auto before = static_cast<double>(reference->nowNs());
  const auto now = static_cast<double>(clock->nowNs());
  const auto after = static_cast<double>(reference->nowNs());
  // 4 ms of calibration leave some ppm of error; 1 per mille is far beyond it, and far below a wrong scale.
  const double slack = after / 1000;
  QVERIFY2(now >= before - slack && now <= after + slack, qPrintable(QString("%1 … %2 … %3").arg(before).arg(now).arg(after)));
}

void BaseTest::theClockNeverGoesBack() {
  const std::unique_ptr<Clock> clock = makeClock(ClockEpoch::now());
  std::uint64_t last = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t now = clock->nowNs();
    QVERIFY(now >= last);
    last = now;
  }
  QVERIFY(measureReadNs(*clock) > 0);
}

void BaseTest::clocksOfOneEpochAgree() {
  // As a process and the child that measures its cold leg have them.
  const ClockEpoch epoch = ClockEpoch::now();
  const std::unique_ptr<Clock> one = makeClock(epoch);
  const std::unique_ptr<Clock> other = makeClock(epoch);
  const auto before = static_cast<double>(one->nowNs());
  const auto between = static_cast<double>(other->nowNs());
  const auto after = static_cast<double>(one->nowNs());
  QVERIFY(between >= before - 1e5 && between <= after + 1e5);
}

void BaseTest::hashesHaveTheirPublishedValues() {
  // XXH3 128-bit of the empty input, from the specification's test vectors (seed 0).
  QCOMPARE(QString::fromStdString(toHex(hashText(""))), QStringLiteral("99aa06d3014798d86001c324468d497f"));
  QVERIFY(hashText("a") != hashText("b"));
}

void BaseTest::sha256HasItsPublishedValues_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("digits");
  // The examples of FIPS 180-4, and of the same document's test vectors a million times "a".
  QTest::newRow("nothing") << QByteArray() << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  QTest::newRow("one block") << QByteArray("abc") << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                              << QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  QTest::newRow("many blocks") << QByteArray(1'000'000, 'a')
                               << QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void BaseTest::sha256HasItsPublishedValues() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, digits);
  QCOMPARE(QByteArray::fromStdString(sha256Of({text.data(), static_cast<std::size_t>(text.size())})), digits);
}

void BaseTest::wordsHashAsTheirBytes() {
  const std::vector<std::uint64_t> words{1, 2, 3};
  QVERIFY(hashWords(words) == hashBytes(std::as_bytes(std::span(words))));
}

void BaseTest::contextReadsInnermostFirst() {
  Result<int> result = fail(ErrorCode::ScriptShape, "it does not fit");
  const Error error = std::move(result.error()).within("in f").within("in g");
  QCOMPARE(QString::fromStdString(describe(error)), QStringLiteral("it does not fit\n  in f\n  in g"));
}

namespace {

Result<int> half(int number) {
  if (number % 2 != 0) {
    return fail(ErrorCode::Internal, "it is odd");
  }
  return number / 2;
}

Result<int> quarter(int number) {
  JITSCOPE_TRY(const int once, half(number));
  JITSCOPE_TRY(int twice, within(half(once), "in the second half"));
  JITSCOPE_TRY_VOID(half(0));
  return twice;
}

Result<std::unique_ptr<int>> boxed(int number) {
  JITSCOPE_TRY(auto box, Result<std::unique_ptr<int>>(std::make_unique<int>(number)));
  JITSCOPE_TRY(*box, half(*box));
  return box;
}

} // namespace

void BaseTest::tryGivesTheValueOrReturnsTheError() {
  QCOMPARE(quarter(8).value(), 2);
  QVERIFY(!quarter(7));
  QCOMPARE(QString::fromStdString(describe(quarter(7).error())), QStringLiteral("it is odd"));
  QVERIFY(!quarter(6));
  QCOMPARE(QString::fromStdString(describe(quarter(6).error())), QStringLiteral("it is odd\n  in the second half"));
}

void BaseTest::tryMovesWhatCannotBeCopied() {
  QCOMPARE(*boxed(6).value(), 3);
  QVERIFY(!boxed(5));
}

void BaseTest::codesBelongToTheirGroups() {
  QCOMPARE(groupOf(ErrorCode::ScriptLimit), std::string_view("script"));
  QCOMPARE(groupOf(ErrorCode::CompileLink), std::string_view("compile"));
  QCOMPARE(groupOf(ErrorCode::RuntimeOption), std::string_view("runtime"));
  QCOMPARE(groupOf(ErrorCode::StorageFormat), std::string_view("storage"));
  QCOMPARE(groupOf(ErrorCode::Internal), std::string_view("internal"));
}

void BaseTest::noIdIsNoId() {
  QVERIFY(!CallId().isValid());
  QVERIFY(CallId(1).isValid());
  QVERIFY(CallId(1) < CallId(2));
}

QTEST_GUILESS_MAIN(BaseTest)
#include "tst_base.moc"
