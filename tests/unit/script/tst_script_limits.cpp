// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/sanitizers.h"
#include "support/scripts/fake_host.h"

#include <chrono>
#include <thread>

using namespace jitscope;
using base::ErrorCode;
using test::ScriptRun;

namespace {

constexpr std::uint64_t kMs = 1'000'000;

/// Functions f1 … fN, each calling the one before, and a call of the last.
std::string chainOf(int count) {
  return fmt::format("local f = fn('f1', function(x) return x * 2 end)\n"
                     "for i = 2, {} do local g = f; f = fn('f' .. i, function(x) return g(x) + 1 end) end\n"
                     "f(zeros({{4}}))",
                     count);
}

} // namespace

class TestScriptLimits : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void loopsWithoutEndAreStopped_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("message");
    const QString host = "the script ran for longer than 0.1 s without calling the engine; is there an endless loop? The limit is "
                         "raised with --set trace_time_s=N";
    const QString trace = "tracing took longer than 0.1 s; is there an endless loop? The limit is raised with --set trace_time_s=N";
    QTest::newRow("top level") << "while true do end" << host;
    QTest::newRow("coroutine") << "coroutine.wrap(function() while true do end end)()" << host;
    QTest::newRow("inside pcall") << "while true do pcall(function() while true do end end) end" << host;
    QTest::newRow("inside xpcall") << "while true do xpcall(function() while true do end end, function() while true do end end) end"
                                   << host;
    QTest::newRow("inside resume") << "while true do coroutine.resume(coroutine.create(function() while true do end end)) end"
                                   << host;
    QTest::newRow("inside wrap") << "while true do pcall(coroutine.wrap(function() while true do end end)) end" << host;
    QTest::newRow("in a handler") << "xpcall(error, function() while true do end end)" << host;
    QTest::newRow("in closing")
        << "local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end" << host;
    QTest::newRow("in closing a coroutine")
        << "pcall(coroutine.wrap(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) "
           "while true do end end))"
        << host;
    QTest::newRow("in closing a coroutine by hand") << "local co = coroutine.create(function() local x <close> = setmetatable({}, "
                                                       "{__close = function() while true do end end}) "
                                                       "coroutine.yield() end) coroutine.resume(co) coroutine.close(co)"
                                                    << host;
    QTest::newRow("in tostring of an error") << "error(setmetatable({}, {__tostring = function() while true do end end}))" << host;
    QTest::newRow("in tostring") << "print(setmetatable({}, {__tostring = function() while true do end end}))" << host;
    QTest::newRow("load") << "load(function() while true do end end)" << host;
    QTest::newRow("sort without order") << "while true do table.sort({3, 2, 1}, function(a, b) return true end) end" << QString();
    QTest::newRow("trace") << "fn('f', function(x) while true do end end)(zeros{1})" << trace;
    QTest::newRow("trace inside pcall") << "while true do pcall(fn('f', function(x) while true do end end), zeros{1}) end" << trace;
    QTest::newRow("nested trace")
        << "local g = fn('g', function(x) while true do end end) fn('f', function(x) return g(x) end)(zeros{1})" << trace;
  }
  void loopsWithoutEndAreStopped() {
    QFETCH(QString, code);
    QFETCH(QString, message);
    script::LuaOptions options;
    options.limits.traceNs = 100 * kMs;
    const ScriptRun run(code.toStdString(), options);
    QVERIFY(!run.result);
    if (message.isEmpty()) { // Lua itself may notice first
      return;
    }
    QCOMPARE(QString::fromStdString(run.error()), "script.lua:1: " + message);
    QCOMPARE(run.result.error().code, ErrorCode::ScriptLimit);
  }

  void sleepIsNoWork() {
    script::LuaOptions options;
    options.limits.traceNs = 100 * kMs;
    const ScriptRun run("sleep(200) local f = fn('f', function(x) sleep(200) return x end) f(zeros{1})", options);
    QCOMPARE(run.error(), std::string());
  }

  // All of it takes longer than the bound, and no part of it nearly as long, whatever else the machine does.
  void askingTheEngineStartsTheTimeAnew() {
    script::LuaOptions options;
    options.limits.traceNs = 300 * kMs;
    const ScriptRun run("local n = 0 for i = 1, 100 do for j = 1, 1000000 do n = n + j end zeros{1} end", options);
    QCOMPARE(run.error(), std::string());
  }

  void stoppingEndsTheScriptAtOnce_data() {
    QTest::addColumn<QString>("code");
    QTest::newRow("loop") << "while true do end";
    QTest::newRow("sleep") << "sleep(60000)";
    QTest::newRow("caught") << "while true do pcall(sleep, 60000) end";
    QTest::newRow("trace") << "fn('f', function(x) sleep(60000) return x end)(zeros{1})";
    QTest::newRow("calls of the engine") << "while true do zeros{1} end";
  }
  void stoppingEndsTheScriptAtOnce() {
    QFETCH(QString, code);
    ScriptRun run;
    QElapsedTimer timer;
    timer.start();
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      run.stop = true;
    });
    run.run(code.toStdString());
    stopper.join();
    QCOMPARE(QString::fromStdString(run.error()), "script.lua:1: interrupted");
    QCOMPARE(run.result.error().code, ErrorCode::ScriptInterrupted);
    QVERIFY(timer.elapsed() < 2000);
  }

  void theTimeoutEndsTheScript() {
    script::LuaOptions options;
    options.timeoutNs = 100 * kMs;
    const ScriptRun run("while true do sleep(5) zeros{1} end", options);
    QCOMPARE(run.error(), std::string("script.lua:1: interrupted after 0.1 s, as --timeout says"));
    QCOMPARE(run.result.error().code, ErrorCode::ScriptInterrupted);
  }

  void memoryBombsAreStopped_data() {
    QTest::addColumn<QString>("code");
    QTest::newRow("repeat") << "\n local s = string.rep('x', 1 << 30)";
    QTest::newRow("repeat and catch") << "\n pcall(string.rep, 'x', 1 << 30)";
    QTest::newRow("doubling") << "local s = 'x'\n while true do s = s .. s end";
    QTest::newRow("table") << "local t = {}\n while true do t[#t + 1] = {} end";
    QTest::newRow("table and catch")
        << "local t = {}\n pcall(function() while true do t[#t + 1] = {} end end) while true do t[#t + 1] = 1 end";
    QTest::newRow("coroutine")
        << "\n coroutine.resume(coroutine.create(function() local t = {} while true do t[#t + 1] = {} end end))";
    QTest::newRow("trace") << "local f = fn('f', function(x)\n local t = {} while true do t[#t + 1] = {} end end) f(zeros{1})";
    QTest::newRow("nested trace") << "local g = fn('g', function(x)\n local t = {} while true do t[#t + 1] = {} end end)"
                                     "local f = fn('f', function(x) return g(x) end) f(zeros{1})";
  }
  void memoryBombsAreStopped() {
    QFETCH(QString, code);
    script::LuaOptions options;
    options.limits.memoryBytes = std::size_t{8} << 20U;
    const ScriptRun run(code.toStdString(), options);
    QCOMPARE(QString::fromStdString(run.error()),
             QString("script.lua:2: the script's Lua values need more than 8 MiB; the limit is raised with --set memory_mib=N"));
    QCOMPARE(run.result.error().code, ErrorCode::ScriptLimit);
  }

  void stringsBeyondLuasOwnBoundsAreALimit() {
    const ScriptRun run("local s = string.rep('x', 1 << 40)");
    QCOMPARE(run.error(), std::string("script.lua:1: resulting string too large"));
    QCOMPARE(run.result.error().code, ErrorCode::ScriptLimit);
  }

  void memoryLimitOfAWrappedCoroutineIsALimit() {
    script::LuaOptions options;
    options.limits.memoryBytes = std::size_t{8} << 20U;
    const ScriptRun run("coroutine.wrap(function() local t = {} while true do t[#t + 1] = {} end end)()", options);
    QVERIFY(!run.result);
    QCOMPARE(run.result.error().code, ErrorCode::ScriptLimit);
  }

  void tooLittleMemoryToStartIsSaid() {
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{5000}, std::size_t{20000}, std::size_t{60000}}) {
      script::LuaOptions options;
      options.limits.memoryBytes = bytes;
      const ScriptRun run("x = 1", options);
      if (!run.result) {
        QCOMPARE(run.result.error().code, ErrorCode::ScriptLimit);
        QVERIFY(run.error().contains("--set memory_mib=N"));
      }
    }
  }

  void everyAllocationMayFail() {
    // Whatever the last byte is, the end is an error and neither a crash nor a leak.
    const std::string code =
        "local f = fn('f', function(x, t) return x:sum() + #t.a, x end) local t = {} "
        "for i = 1, 20 do local a, b = f(iota({i}), {a = ('x'):rep(i)}) t[i] = tostring(a) .. #b:to_table() end "
        "pcall(error, 'x') print(pcall(f))";
    for (std::size_t bytes = 20000; bytes < 90000; bytes += 331) {
      script::LuaOptions options;
      options.limits.memoryBytes = bytes;
      ScriptRun run(code, options);
      QVERIFY2(run.result || run.result.error().code == ErrorCode::ScriptLimit, run.description().c_str());
      run.host.functions.clear();
      QCOMPARE(run.host.allocator.liveTensors(), 0U);
    }
  }

  void recursionOfLuaEnds() {
    const ScriptRun run("local function r(n) return 1 + r(n) end\nr(1)");
    QVERIFY(!run.result);
    QCOMPARE(run.result.error().code, ErrorCode::ScriptLimit);
    QVERIFY2(run.error().starts_with("script.lua:1: stack overflow"), run.error().c_str());
  }

  void recursionOfFunctionsIsNamed_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("chain");
    QTest::newRow("itself") << "local f f = fn('f', function(x) return f(x) end) f(zeros{2})" << "f -> f, again for f32[2]";
    QTest::newRow("each other")
        << "local f, g f = fn('f', function(x) return g(x + 1) end) g = fn('g', function(x) return f(x) end) "
           "f(zeros{2})"
        << "f -> g -> f, again for f32[2]";
    QTest::newRow("no arguments") << "local f f = fn('f', function() return f() end) f()" << "f -> f, again for no arguments";
    QTest::newRow("by map") << "local f f = fn('f', function(x) return map(f, x) end) f(full({}, 1))" << "f -> f, again for f32[]";
  }
  void recursionOfFunctionsIsNamed() {
    QFETCH(QString, code);
    QFETCH(QString, chain);
    const ScriptRun run(code.toStdString());
    QCOMPARE(QString::fromStdString(run.error()),
             "script.lua:1: endless recursion: " + chain + "; a graph has no condition that could end it");
    QCOMPARE(run.result.error().code, ErrorCode::ScriptLimit);
  }

  void recursionWithNewShapesEndsAtTheDepth() {
    const ScriptRun run("local f f = fn('f', function(x, n) return f(x, n .. 'i') end) f(zeros{1}, '')");
    QCOMPARE(run.error(),
             std::string("script.lua:1: functions call each other more than 200 deep (f calls f); the limit is raised with "
                         "--set call_depth=N"));
    // The chain of 200 is cut in its middle.
    QCOMPARE(run.result.error().context.size(), 17U);
    QCOMPARE(run.result.error().context[12], std::string("(184 more)"));
  }

  void chainsUpToTheLimitWork_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("limit");
    QTest::addColumn<bool>("works");
    QTest::newRow("as many as the limit") << 200 << 200 << true;
    QTest::newRow("one more") << 201 << 200 << false;
    QTest::newRow("more than Lua's own 200 C calls") << 210 << 210 << true;
    if (!test::kHasAddressSanitizer) { // its frames are several times as large: the stack ends first, with an error of its own
      QTest::newRow("a thousand") << 1000 << 1000 << true;
    }
  }
  void chainsUpToTheLimitWork() {
    QFETCH(int, count);
    QFETCH(int, limit);
    QFETCH(bool, works);
    script::LuaOptions options;
    options.limits.callDepth = static_cast<std::uint32_t>(limit);
    for (const bool otherThread : {false, true}) {
      ScriptRun run;
      run.host.traceOnAnotherThread = otherThread;
      run.run(chainOf(count), options);
      QCOMPARE(run.error().empty(), works);
    }
  }

  void theStackEndsLaterThanTheError() {
    script::LuaOptions options;
    options.limits.callDepth = 1'000'000;
    const ScriptRun run(chainOf(60000), options);
    QVERIFY(!run.result);
    QCOMPARE(run.result.error().code, ErrorCode::ScriptLimit);
    QVERIFY2(run.error().ends_with("deep, and the program's stack has no room for more"), run.error().c_str());
  }

  void graphsAreBounded() {
    script::LuaOptions options;
    options.limits.graphOperations = 1000;
    const ScriptRun run("fn('f', function(x) while true do x = x + 1 end end)(zeros{1})", options);
    QCOMPARE(
        run.error(),
        std::string("script.lua:1: the graph of f has more than 1000 operations; is there an endless loop? The limit is raised "
                    "with --set graph_operations=N"));
  }

  void tensorBytesAreCollectedBeforeTheyRunOut() {
    ScriptRun run;
    run.host.allocator.limitBytes = 10'000'000;
    run.run("for i = 1, 100 do local t = zeros({1000, 1000}, 'u8') end");
    QCOMPARE(run.error(), std::string());
    QVERIFY(run.host.allocator.refusals > 0);
  }

  void tensorBytesThatAreNeededRunOut() {
    ScriptRun run;
    run.host.allocator.limitBytes = 10'000'000;
    run.run("kept = {} for i = 1, 100 do\nkept[i] = normal({1000, 1000}) end");
    QCOMPARE(run.error(), std::string("script.lua:2: normal: tensors need more than 10000000 bytes"));
    QCOMPARE(run.result.error().code, ErrorCode::RuntimeMemory);
  }

  void tensorsAreUsableAfterAnError() {
    const ScriptRun run("local t = tensor{1, 2} print(pcall(function() return t + zeros{3} end)) print((t + t):shape()[1], t)");
    QVERIFY(run.result);
    QVERIFY(QString::fromStdString(run.host.printed).endsWith("2\ts64[2] {1, 2}\n"));
  }
};

QTEST_GUILESS_MAIN(TestScriptLimits)
#include "tst_script_limits.moc"
