// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "runtime/engine_options.h"

using namespace jitscope;
using runtime::EngineOptions;
using runtime::OptionScope;

namespace {
QString valueOf(const EngineOptions &options, const std::string &name) {
  for (const runtime::OptionDescription &option : runtime::describeOptions(options)) {
    if (option.name == name) {
      return QString::fromStdString(option.value);
    }
  }
  return QStringLiteral("(none)");
}
} // namespace

class EngineOptionsTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void textSetsOptions_data();
  void textSetsOptions();
  void whatIsWrongIsNamedAndChangesNothing_data();
  void whatIsWrongIsNamedAndChangesNothing();
  void limitsAreForTheCommandLine();
  void theDefaultsAreThoseOfTheContract();
  void descriptionsAreSorted();
};

void EngineOptionsTest::textSetsOptions_data() {
  QTest::addColumn<QString>("assignment");
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("value");
  QTest::newRow("level") << "opt=1" << "opt" << "1";
  QTest::newRow("flag by word") << "slp=off" << "slp" << "false";
  QTest::newRow("flag") << "disk_cache=true" << "disk_cache" << "true";
  QTest::newRow("text") << "template=rank" << "template" << "rank";
  QTest::newRow("capacity") << "capacity_entries=8" << "capacity_entries" << "8";
  QTest::newRow("no capacity") << "capacity_bytes=false" << "capacity_bytes" << "false";
  QTest::newRow("fraction") << "trace_time_s=0.5" << "trace_time_s" << "0.5";
  QTest::newRow("no texts") << "ir=off" << "ir" << "off";
  QTest::newRow("texts after passes") << "ir=passes" << "ir" << "passes";
  QTest::newRow("no remarks") << "remarks=off" << "remarks" << "off";
  QTest::newRow("some remarks, sorted") << "remarks=licm, gvn" << "remarks" << "gvn,licm";
  QTest::newRow("a value with =") << "cpu=a=b" << "cpu" << "a=b";
}

void EngineOptionsTest::textSetsOptions() {
  QFETCH(QString, assignment);
  QFETCH(QString, name);
  QFETCH(QString, value);
  EngineOptions options;
  QVERIFY(runtime::setOptionFromText(options, assignment.toStdString()).has_value());
  QCOMPARE(valueOf(options, name.toStdString()), value);
}

void EngineOptionsTest::whatIsWrongIsNamedAndChangesNothing_data() {
  QTest::addColumn<QString>("assignment");
  QTest::addColumn<QString>("message");
  QTest::newRow("unknown") << "optt=1" << "there is no option 'optt'; did you mean 'opt'? (there are: ";
  QTest::newRow("nothing like it") << "zzz=1" << "there is no option 'zzz' (there are: ";
  QTest::newRow("too much") << "opt=4" << "option 'opt' cannot be 4: it takes a whole number from 0 to 3";
  QTest::newRow("fraction") << "opt=1.5" << "option 'opt' cannot be 1.5: it takes a whole number from 0 to 3";
  QTest::newRow("no flag") << "slp=maybe" << "option 'slp' cannot be maybe: it takes true or false";
  QTest::newRow("no mode") << "template=exactly" << "option 'template' cannot be exactly: it takes \"exact\" or \"rank\"";
  QTest::newRow("no value") << "opt" << "--set takes NAME=VALUE, not 'opt'";
  QTest::newRow("empty value") << "opt=" << "--set takes NAME=VALUE, not 'opt='";
  QTest::newRow("negative bound") << "memory_mib=-1" << "option 'memory_mib' cannot be -1: it takes a whole number from 1 to ";
  QTest::newRow("no time") << "trace_time_s=0" << "option 'trace_time_s' cannot be 0: it takes seconds, more than 0";
}

void EngineOptionsTest::whatIsWrongIsNamedAndChangesNothing() {
  QFETCH(QString, assignment);
  QFETCH(QString, message);
  EngineOptions options;
  const auto set = runtime::setOptionFromText(options, assignment.toStdString());
  QVERIFY(!set.has_value());
  QCOMPARE(set.error().code, base::ErrorCode::RuntimeOption);
  QVERIFY2(QString::fromStdString(set.error().message).startsWith(message), set.error().message.c_str());
  for (const runtime::OptionDescription &option : runtime::describeOptions({})) {
    QCOMPARE(valueOf(options, option.name), QString::fromStdString(option.value));
  }
}

void EngineOptionsTest::limitsAreForTheCommandLine() {
  EngineOptions options;
  const auto set = runtime::setOption(options, OptionScope::Script, "tensor_mib", std::int64_t{10});
  QVERIFY(!set.has_value());
  QCOMPARE(QString::fromStdString(set.error().message),
           QStringLiteral("option 'tensor_mib' applies to a whole run: give it on the command line as --set tensor_mib=10"));
  QVERIFY(runtime::setOption(options, OptionScope::CommandLine, "tensor_mib", std::int64_t{10}).has_value());
  QCOMPARE(options.tensorBytes, std::uint64_t{10} << 20U);
}

void EngineOptionsTest::theDefaultsAreThoseOfTheContract() {
  const EngineOptions options;
  QCOMPARE(options.luaMemoryBytes, std::uint64_t{256} << 20U);
  QCOMPARE(options.tensorBytes, std::uint64_t{4} << 30U);
  QCOMPARE(options.traceNs, std::uint64_t{60'000'000'000});
  QCOMPARE(options.callDepth, std::int64_t{200});
  QCOMPARE(options.blasThreads, std::int64_t{1});
  QVERIFY(!options.dispatch.usesDisk);
  QVERIFY(!options.dispatch.cache.capacityEntries && !options.dispatch.cache.capacityBytes);
}

void EngineOptionsTest::descriptionsAreSorted() {
  std::string last;
  for (const runtime::OptionDescription &option : runtime::describeOptions({})) {
    QVERIFY(last < option.name);
    QVERIFY(!option.help.empty());
    last = option.name;
  }
}

QTEST_GUILESS_MAIN(EngineOptionsTest)
#include "tst_engine_options.moc"
