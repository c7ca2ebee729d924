// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/summary.h"
#include "base/units.h"
#include "report/document/summary_text.h"
#include "report/render/display_text.h"
#include "report/render/text_table.h"
#include "report/reporter.h"
#include "support/result_checks.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <sstream>

using namespace jitscope;
using namespace jitscope::report;

namespace {

/// A summary with a name that the script chose freely.
analysis::Summary summaryNaming(const std::string &name) {
  analysis::Summary summary;
  summary.session.status = record::SessionStatus::Finished;
  summary.session.info.scriptPath = "/tmp/" + name;
  summary.session.info.options = "{}";
  summary.session.error = name;
  analysis::FunctionSummary function;
  function.id = base::FunctionId(1);
  function.name = name;
  function.templates.push_back({});
  function.templates.front().signature = name;
  summary.functions.push_back(function);
  analysis::MissSummary miss;
  miss.functionName = name;
  miss.difference = name;
  summary.compiles = 1;
  summary.misses.push_back(miss);
  summary.expectations.push_back({1, "expect.equal", false, name, name});
  summary.expectationsFailed = 1;
  summary.warnings.lines.push_back({0, event::LogLevel::Warning, name});
  summary.evictions.push_back({event::EvictionReason::Bytes, 1, 1});
  return summary;
}

std::string rendered(const char *format, const analysis::Summary &summary, ReportOptions options = {}) {
  const auto reporter = makeReporter(format, options);
  return reporter ? reporter->render(summary) : std::string();
}

} // namespace

class TestReportText : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void aFirstSampleThatTheFilterLeavesOutIsNotReplaced_data() {
    QTest::addColumn<quint64>("sampleNumber");
    QTest::addColumn<bool>("isShown");
    QTest::newRow("the leg's own") << quint64{1} << true;
    QTest::newRow("the first of those that are left") << quint64{2} << false;
  }
  void aFirstSampleThatTheFilterLeavesOutIsNotReplaced() {
    QFETCH(quint64, sampleNumber);
    QFETCH(bool, isShown);
    analysis::Summary summary;
    analysis::LegStatistics leg;
    leg.times.first = 4711;
    leg.first.id = base::CallId(12);
    leg.first.sampleNumber = sampleNumber;
    summary.cases.push_back({{}, "f", {leg}});
    const auto json = nlohmann::json::parse(rendered("json", summary));
    const auto &shown = json["cases"][0]["legs"][0];
    QCOMPARE(shown["first_ns"] == 4711, isShown);
    QCOMPARE(shown["first_ns"].is_null(), !isShown);
    QCOMPARE(shown["first_call_id"].is_null(), !isShown);
    QCOMPARE(shown["first_outcome"].is_null(), !isShown);
    QCOMPARE(QString::fromStdString(rendered("csv", summary)).contains("4711"), isShown);
  }

  void durationsHaveThreeDigitsAndAFittingUnit_data() {
    QTest::addColumn<double>("ns");
    QTest::addColumn<QString>("expected");
    QTest::newRow("none") << 0.0 << "0 ns";
    QTest::newRow("one") << 1.0 << "1 ns";
    QTest::newRow("fraction") << 12.54 << "12.5 ns";
    QTest::newRow("whole ns") << 999.0 << "999 ns";
    QTest::newRow("rounds up into the next unit") << 999.6 << "1.00 µs";
    QTest::newRow("µs") << 1234.0 << "1.23 µs";
    QTest::newRow("tens of µs") << 12'340.0 << "12.3 µs";
    QTest::newRow("ten exactly") << 9'996.0 << "10.0 µs";
    QTest::newRow("nearly a ms") << 999'600.0 << "1.00 ms";
    QTest::newRow("hundreds of ms") << 123.4e6 << "123 ms";
    QTest::newRow("a second") << 1e9 << "1.00 s";
    QTest::newRow("a minute and a half") << 90e9 << "90.0 s";
    QTest::newRow("two minutes") << 120e9 << "2.00 min";
    QTest::newRow("a day") << 86'400e9 << "1440 min";
  }
  void durationsHaveThreeDigitsAndAFittingUnit() {
    QFETCH(double, ns);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(base::formatDuration(ns)), expected);
  }

  void sizesCountsRatesAndShares() {
    QCOMPARE(base::formatBytes(0), std::string("0 B"));
    QCOMPARE(base::formatBytes(1023), std::string("1023 B"));
    QCOMPARE(base::formatBytes(1024), std::string("1.00 KiB"));
    QCOMPARE(base::formatBytes(1'572'864), std::string("1.50 MiB"));
    QCOMPARE(base::formatBytes(std::uint64_t{5} << 40U), std::string("5.00 TiB"));
    QCOMPARE(base::formatCount(0), std::string("0"));
    QCOMPARE(base::formatCount(999), std::string("999"));
    QCOMPARE(base::formatCount(1000), std::string("1,000"));
    QCOMPARE(base::formatCount(1'234'567), std::string("1,234,567"));
    QCOMPARE(base::formatRate(0), std::string("0"));
    QCOMPARE(base::formatRate(3.97), std::string("3.97"));
    QCOMPARE(base::formatRate(1704.5), std::string("1.70 K"));
    QCOMPARE(base::formatRate(2.5e6), std::string("2.50 M"));
    QCOMPARE(base::formatShare(0), std::string("0.0 %"));
    QCOMPARE(base::formatShare(0.0001), std::string("<0.1 %"));
    QCOMPARE(base::formatShare(0.5), std::string("50.0 %"));
    QCOMPARE(base::formatShare(0.99999), std::string(">99.9 %"));
    QCOMPARE(base::formatShare(1), std::string("100.0 %"));
    QCOMPARE(base::formatShare(1.994), std::string("199.4 %"));
  }

  void whatATerminalWouldActOnIsEscaped_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("plain") << QByteArray("dot(a, b)") << QByteArray("dot(a, b)");
    QTest::newRow("newline and tab") << QByteArray("a\nb\tc") << QByteArray("a\\nb\\tc");
    QTest::newRow("escape sequence") << QByteArray("\x1b[31mred") << QByteArray("\\x1b[31mred");
    QTest::newRow("zero") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
    QTest::newRow("C1 control") << QByteArray("\xc2\x9b"
                                              "31m")
                                << QByteArray("\\x9b31m");
    QTest::newRow("right-to-left override") << QByteArray("a\xe2\x80\xae"
                                                          "b")
                                            << QByteArray("a\\u{202e}b");
    QTest::newRow("no UTF-8") << QByteArray("a\xff\xc3(") << QByteArray("a\\xff\\xc3(");
    QTest::newRow("cut off") << QByteArray("a\xe2\x82") << QByteArray("a\\xe2\\x82");
    QTest::newRow("overlong") << QByteArray("\xc0\xaf") << QByteArray("\\xc0\\xaf");
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\\xed\\xa0\\x80");
    QTest::newRow("soft hyphen") << QByteArray("a\xc2\xad"
                                               "b")
                                 << QByteArray("a\\xad"
                                               "b");
    QTest::newRow("tag") << QByteArray("a\xf3\xa0\x81\x81") << QByteArray("a\\u{e0041}");
    QTest::newRow("other scripts") << QByteArray("矩陣 ДОТ é") << QByteArray("矩陣 ДОТ é");
  }
  void whatATerminalWouldActOnIsEscaped() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(printable(text.toStdString())), expected);
  }

  void widthIsCountedInColumns() {
    QCOMPARE(displayWidth(""), std::size_t{0});
    QCOMPARE(displayWidth("dot"), std::size_t{3});
    QCOMPARE(displayWidth("µs"), std::size_t{2});
    QCOMPARE(displayWidth("矩陣"), std::size_t{4});
    QCOMPARE(displayWidth("🧮"), std::size_t{2});
    QCOMPARE(displayWidth("e\xcc\x81"), std::size_t{1});     // e with a combining acute accent
    QCOMPARE(displayWidth("क\xe0\xa5\x8d"), std::size_t{1}); // a Devanagari letter with a virama
    QCOMPARE(displayWidth("한글"), std::size_t{4});
    for (const char *ours : {"▪", "●", "○", "⋮", "…", "±", "·", "→", "─", "│", "×", "█", "▏"}) {
      QVERIFY2(displayWidth(ours) == 1, ours);
    }
  }

  void longTextIsElidedAtACharacter() {
    QCOMPARE(elide("short", 5), std::string("short"));
    QCOMPARE(elide("longer", 5), std::string("long…"));
    QCOMPARE(elide("矩陣矩陣", 6), std::string("矩陣…"));
    QCOMPARE(elide("矩陣矩陣", 5), std::string("矩陣…"));
    QCOMPARE(elide("abc", 1), std::string("…"));
    QCOMPARE(elide("abc", 0), std::string(""));
    QCOMPARE(elideMiddle("f32[4,16], \"relu\"", 17), std::string("f32[4,16], \"relu\""));
    QCOMPARE(elideMiddle("f32[4,16], \"relu\"", 14), std::string("f32[4,1…\"relu\""));
    QCOMPARE(elideMiddle("矩陣矩陣矩陣", 11), std::string("矩陣…矩陣"));
    QCOMPARE(elideMiddle("矩陣矩陣矩陣", 10), std::string("矩陣…矩陣"));
    QCOMPARE(elideMiddle("e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", 8),
             std::string("e\u0301e\u0301e\u0301e\u0301…e\u0301e\u0301e\u0301"));
    QCOMPARE(elideMiddle("abcdefgh", 5), std::string("abcd…"));
  }

  void longLinesBreakAtSpaces() {
    QCOMPARE(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
    QCOMPARE(wrap("one two three", 8), (std::vector<std::string>{"one two", "three"}));
    QCOMPARE(wrap("unbreakable", 4), (std::vector<std::string>{"unbr", "eaka", "ble"}));
    QCOMPARE(wrap("", 4), (std::vector<std::string>{""}));
    QCOMPARE(wrap("one two three four", 5, 2), (std::vector<std::string>{"one", "two …"}));
    QCOMPARE(wrap("矩陣矩陣", 4), (std::vector<std::string>{"矩陣", "矩陣"}));
  }

  void tablesAlignNamesOfAnyScript() {
    TextTable table({{"Name", TextTable::Align::Left, 4}, {"Time"}});
    table.addRow({"dot", "1 ns"});
    table.addRow({"矩陣", "12 ns"});
    QCOMPARE(table.render(TextStyle(false), 80), std::string("  Name   Time\n"
                                                             "  dot    1 ns\n"
                                                             "  矩陣  12 ns\n"));
  }

  void tablesElideTheWidestColumnFirst() {
    TextTable table({{"A", TextTable::Align::Left, 4}, {"B", TextTable::Align::Left, 4}, {"C"}});
    table.addRow({"123456", "12345678901234567890", "7"});
    // 2 + 6 + 2 + width of B + 2 + 1 columns: B gets 13 of 26.
    QCOMPARE(table.render(TextStyle(false), 26), std::string("  A       B              C\n"
                                                             "  123456  123456…567890  7\n"));
  }

  void wrappedColumnsLoseNoWord() {
    TextTable table({{"A"}, {"B", TextTable::Align::Left, 4, true}, {"C", TextTable::Align::Left}});
    table.addRow({"1", "one two three", "end"});
    table.addRow({"2", "four", "end"});
    QCOMPARE(table.render(TextStyle(false), 18), std::string("  A  B         C\n"
                                                             "  1  one two   end\n"
                                                             "     three\n"
                                                             "  2  four      end\n"));
  }

  void aTerminalEndsWithWhatDecides() {
    const std::string text = rendered("text", summaryNaming("f"));
    const std::string markdown = rendered("markdown", summaryNaming("f"));
    QVERIFY(text.find("Expectations: 1 of 1 failed") > text.find("Memory"));
    QVERIFY(text.find("\nWarnings\n") > text.find("Expectations: 1 of 1 failed"));
    QVERIFY(markdown.find("## Expectations: 1 of 1 failed") < markdown.find("## Memory"));
  }

  void aTerminalSaysARepeatedNameOnceAndAPageEachTime() {
    analysis::Summary summary;
    analysis::FunctionSummary &function = summary.functions.emplace_back();
    function.name = "twice";
    function.templates.resize(2);
    const QString text = QString::fromStdString(rendered("text", summary));
    QCOMPARE(text.count("twice"), 1);
    QCOMPARE(QString::fromStdString(rendered("html", summary)).count("<td>twice</td>"), 2);
  }

  void theWholeReportHasEveryFactOfTheShortOne() {
    analysis::Summary summary = summaryNaming("f");
    summary.misses.front().callId = base::CallId(7);
    summary.misses.front().section = "warm-up";
    summary.misses.front().nearestSignature = "f32[2]";
    const std::string place = "call 7, 0 ns in all, in section \"warm-up\"";
    const std::string why = "new-function: never compiled before; nearest f32[2]";
    const std::string text = rendered("text", summary);
    QVERIFY(text.find("\n    " + why + "\n") != std::string::npos && text.find("\n    " + place + "\n") != std::string::npos);
    const std::string markdown = rendered("markdown", summary);
    QVERIFY(markdown.find("| new-function: never compiled before; nearest f32\\[2\\] |") != std::string::npos);
    const std::string html = rendered("html", summary);
    QVERIFY(html.find("<tr class=\"note\"><td colspan=\"8\"><span class=\"notable\">" + why) != std::string::npos);
  }

  void hostileNamesReachNoTerminal_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("escape") << QByteArray("\x1b]0;title\x07\x1b[2J");
    QTest::newRow("newlines") << QByteArray("a\r\nb\n\n");
    QTest::newRow("no UTF-8") << QByteArray("\xff\xfe\xc0\x80");
    QTest::newRow("very long") << QByteArray(100'000, 'n');
    QTest::newRow("empty") << QByteArray("");
  }
  void hostileNamesReachNoTerminal() {
    QFETCH(QByteArray, name);
    const analysis::Summary summary = summaryNaming(name.toStdString());
    const std::string text = rendered("text", summary);
    for (const char letter : text) {
      QVERIFY2(letter == '\n' || static_cast<unsigned char>(letter) >= 0x20, text.c_str());
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      QVERIFY2(displayWidth(line) <= 100, line.c_str());
    }
    const std::string json = rendered("json", summary);
    const nlohmann::json parsed = nlohmann::json::parse(json, nullptr, false);
    QVERIFY(!parsed.is_discarded());
    QVERIFY(parsed["functions"][0]["name"].is_string());
  }

  void aColdLegIsWhatClearsTheCacheOfItsProcess() {
    QCOMPARE(report::explain(event::MissReason::Cleared, 0), std::string_view("compiled before, and the cache was cleared since"));
    QCOMPARE(report::explain(event::MissReason::Cleared, 1),
             std::string_view("compiled before, but a cold leg starts with an empty cache"));
    QCOMPARE(report::explain(event::MissReason::NewShape, 1), report::explain(event::MissReason::NewShape, 0));
  }

  void emptySectionsAreLeftOut() {
    analysis::Summary summary;
    summary.session.status = record::SessionStatus::Interrupted;
    summary.session.durationNs = 1'500'000;
    QCOMPARE(rendered("text", summary), std::string("session\n  Interrupted after 1.50 ms\n\nCalls\n  No calls were recorded.\n"));
  }

  void failedExpectationsComeFirstAndAreAllShown() {
    analysis::Summary summary;
    for (int line = 1; line <= 60; ++line) {
      const bool passed = line % 2 == 1;
      summary.expectations.push_back({line, "expect.outcome", passed, "hit", passed ? "hit" : "miss"});
      summary.expectationsFailed += passed ? 0 : 1;
    }
    const std::string text = rendered("text", summary, {.rows = 40});
    QVERIFY(text.find("Expectations: 30 of 60 failed") != std::string::npos);
    QVERIFY(text.rfind("FAILED") < text.find("  passed"));
    QVERIFY(text.find("FAILED    60  expect.outcome  hit       miss\n") != std::string::npos);
    QVERIFY(text.find("… and 20 more expectations: 0 failed, 20 passed") != std::string::npos);
  }

  void longTablesSayWhatTheyLeaveOut() {
    analysis::Summary summary;
    analysis::FunctionSummary function;
    function.name = "f";
    for (std::uint32_t i = 1; i <= 1500; ++i) {
      analysis::TemplateSummary entry;
      entry.id = base::TemplateId(i);
      entry.signature = "f32[" + std::to_string(i) + "]";
      function.templates.push_back(entry);
    }
    summary.functions.push_back(function);
    const std::string text = rendered("text", summary, {.rows = 7});
    QVERIFY(text.find("f32[7]") != std::string::npos);
    QVERIFY(text.find("f32[8]") == std::string::npos);
    QVERIFY(text.find("… and 1,493 more templates") != std::string::npos);
  }

  void colourIsOnlyThereWhenAskedFor() {
    const analysis::Summary summary = summaryNaming("f");
    QVERIFY(rendered("text", summary).find('\x1b') == std::string::npos);
    const std::string coloured = rendered("text", summary, {.colour = true});
    QVERIFY(coloured.find("\x1b[1;31mFAILED\x1b[0m") != std::string::npos);
  }

  void anUnknownFormatNamesThoseThatExist() {
    const auto reporter = makeReporter("yaml");
    JS_COMPARE_ERROR(reporter, base::ErrorCode::RuntimeOption);
    QCOMPARE(reporter.error().message,
             std::string("unknown report format \"yaml\"; choose one of text, json, markdown, csv, html"));
    QCOMPARE(reportFormats().size(), std::size_t{5});
  }
};

QTEST_GUILESS_MAIN(TestReportText)
#include "tst_report_text.moc"
