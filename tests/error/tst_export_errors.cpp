// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of the real command: what they hold, and what happens when they cannot be written.
#include <QtTest>

#include "support/cli_runner.h"
#include "support/result_checks.h"
#include "support/sessions/measured_sessions.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

using namespace jitscope;
using nlohmann::json;
using test::CliRunner;
using test::CommandOutcome;

class TestExportErrors : public QObject {
  Q_OBJECT

  std::unique_ptr<CliRunner> m_cli;

private Q_SLOTS:
  void init() {
    m_cli = std::make_unique<CliRunner>();
    JS_VERIFY_RESULT(test::writeSession(m_cli->path("s.jitscope").toStdString(), test::sampleRecording()));
  }

  /// Slices of a track lie within each other or apart: what Perfetto asks of complete events.
  void slicesOfATraceNest() {
    JS_COMPARE_STATUS(m_cli->run({"export", "s.jitscope", "-o", "t.json"}), 0);
    const json trace = json::parse(m_cli->read("t.json").toStdString());
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> tracks;
    std::size_t calls = 0;
    for (const json &event : trace["traceEvents"]) {
      if (event["ph"] == "X") {
        const double start = event["ts"].get<double>();
        tracks[{event["pid"].get<int>(), event["tid"].get<int>()}].emplace_back(start, start + event["dur"].get<double>());
        calls += event["cat"] == "call" ? 1 : 0;
      }
    }
    QCOMPARE(calls, std::size_t{21});
    constexpr double kRounding = 1e-6;
    for (auto &[track, slices] : tracks) {
      std::ranges::sort(slices, [](const auto &left, const auto &right) {
        return left.first < right.first || (left.first == right.first && left.second > right.second);
      });
      std::vector<double> open;
      for (const auto &[start, end] : slices) {
        while (!open.empty() && open.back() <= start + kRounding) {
          open.pop_back();
        }
        QVERIFY(open.empty() || end <= open.back() + kRounding);
        open.push_back(end);
      }
    }
  }

  void everyCallIsARowOfCsv() {
    const CommandOutcome calls = m_cli->run({"export", "s.jitscope", "-f", "csv"});
    JS_COMPARE_STATUS(calls, 0);
    QCOMPARE(calls.output.count('\n'), 22);
    const CommandOutcome compiles = m_cli->run({"export", "s.jitscope", "-f", "csv", "--table", "compiles"});
    JS_COMPARE_STATUS(compiles, 0);
    QCOMPARE(compiles.output.count('\n'), 5);
  }

  /// As readers see them, that is in floating point: of two slices of a track either one lies in the other or they are apart.
  void slicesNest() {
    const CliRunner runner;
    JS_COMPARE_STATUS(runner.runScript("local f = fn('f', function(x) return x:exp() * 2 end)\n"
                                       "local g = fn('g', function(x) return f(x) + f(x * 2) end)\n"
                                       "section 'one' for i = 1, 300 do f(iota({8}, 'f32')) end g(iota({8}, 'f32'))\n"
                                       "bench{ warmup=0.01, time=0.05, {'c', g, iota({8}, 'f32')} } study{ g, iota({64}, 'f32') }",
                                       {"--progress", "never"}),
                      0);
    const nlohmann::json trace = nlohmann::json::parse(runner.run({"export", "s.jitscope"}).output.toStdString());
    struct Slice {
      double start;
      double end;
      std::string name;
    };
    std::map<std::pair<int, int>, std::vector<Slice>> tracks;
    for (const nlohmann::json &event : trace["traceEvents"]) {
      if (event["ph"] == "X") {
        const double start = event["ts"].get<double>();
        tracks[{event["pid"].get<int>(), event["tid"].get<int>()}].push_back(
            {start, start + event["dur"].get<double>(), event["name"].get<std::string>()});
      }
    }
    QVERIFY(tracks.size() >= 3); // the script's, the cold leg's, the sections'
    std::size_t inner = 0;
    for (auto &[track, slices] : tracks) {
      std::ranges::stable_sort(
          slices, [](const Slice &a, const Slice &b) { return std::pair(a.start, -a.end) < std::pair(b.start, -b.end); });
      std::vector<Slice> open;
      for (const Slice &slice : slices) {
        while (!open.empty() && open.back().end <= slice.start) {
          open.pop_back();
        }
        if (!open.empty()) {
          ++inner;
          QVERIFY2(slice.end <= open.back().end, (slice.name + " reaches out of " + open.back().name).c_str());
        }
        open.push_back(slice);
      }
    }
    QVERIFY(inner > 1000);
  }

  void wrongUsageNamesWhatThereIs() {
    JS_VERIFY_CONTAINS(m_cli->run({"export", "s.jitscope", "-f", "perf"}).errors, "chrome-trace");
    JS_VERIFY_CONTAINS(m_cli->run({"export", "s.jitscope", "-f", "csv", "--table", "remarks"}).errors, "compiles");
    const CommandOutcome trace = m_cli->run({"export", "s.jitscope", "--table", "compiles"});
    JS_COMPARE_STATUS(trace, 2);
    JS_VERIFY_CONTAINS(trace.errors, "--table is for --format csv; chrome-trace holds everything");
    JS_COMPARE_STATUS(m_cli->run({"export", "missing.jitscope"}), 2);
    m_cli->write("text.jitscope", "no session");
    JS_COMPARE_STATUS(m_cli->run({"export", "text.jitscope"}), 2);
  }

  void aFullDiskLeavesNothingBehind() {
    // More than a buffer, so that the disk is full in the middle.
    test::MeasuredSession plan;
    plan.legs = {{.name = "kernel", .samples = 20'000}};
    JS_VERIFY_RESULT(test::writeMeasured(m_cli->path("large.jitscope").toStdString(), plan));
    m_cli->write("t.json", "the one of yesterday");
    for (const char *format : {"chrome-trace", "csv"}) {
      const CommandOutcome outcome =
          m_cli->run({"export", "large.jitscope", "-f", format, "-o", "t.json"}, {.maxFileBytes = 400'000});
      JS_COMPARE_STATUS(outcome, 2);
      JS_VERIFY_CONTAINS(outcome.errors, "t.json cannot be written");
      QCOMPARE(m_cli->read("t.json"), QByteArray("the one of yesterday"));
    }
    QCOMPARE(m_cli->files(), (QStringList{"large.jitscope", "s.jitscope", "t.json"}));
    JS_COMPARE_STATUS(m_cli->run({"export", "s.jitscope"}, {.outputFile = "/dev/full"}), 2);
  }

  void reportsOfEveryFormatAreWrittenWholeOrNotAtAll_data() {
    QTest::addColumn<QString>("format");
    for (const char *format : {"text", "json", "markdown", "csv", "html"}) {
      QTest::newRow(format) << format;
    }
  }
  void reportsOfEveryFormatAreWrittenWholeOrNotAtAll() {
    QFETCH(QString, format);
    JS_COMPARE_STATUS(m_cli->run({"report", "s.jitscope", "-f", format, "-o", "whole"}), 0);
    QVERIFY(!m_cli->read("whole").isEmpty());
    const CommandOutcome outcome = m_cli->run({"report", "s.jitscope", "-f", format, "-o", "half"}, {.maxFileBytes = 100});
    JS_COMPARE_STATUS(outcome, 2);
    QVERIFY(!m_cli->files().contains("half"));
    QCOMPARE(m_cli->files().size(), 2);
  }
};

QTEST_GUILESS_MAIN(TestExportErrors)
#include "tst_export_errors.moc"
