// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "script/lua_script.h"
#include "support/engine_fixture.h"

using namespace jitscope;

namespace {

/// The warnings of a run, one a line. `x` is f32[2] {1, 2}.
QString warningsOf(const QString &code, std::string *error = nullptr) {
  test::EngineFixture fixture({"opt=0"});
  auto source = script::makeScript("s.lua", "local x = tensor({1, 2}, 'f32')\n" + code.toStdString());
  const base::Result<void> run = script::LuaScript(std::move(*source), *fixture.engine, fixture.stop).run();
  if (error != nullptr) {
    *error = run ? "" : base::describe(run.error());
  }
  QStringList lines;
  for (const event::LogEvent &entry : fixture.sink.all<event::LogEvent>()) {
    if (entry.level == event::LogLevel::Warning) {
      lines.push_back(QString::fromStdString(entry.message));
    }
  }
  return lines.join('\n');
}

constexpr auto kReason = ": a trace freezes the numbers, strings and booleans that the function reads from outside; pass ";

} // namespace

/// A call that is served by code in which the script's value of a variable is an old one is noticed.
class TestFrozenValues : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void changesAreWarnedOf_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("changes");
    QTest::addColumn<QString>("names");
    QTest::newRow("an upvalue")
        << "local pos = 0\nlocal f = fn('f', function(t) return t + pos end)\nfor i = 0, 3 do pos = i f(x) end"
        << "s.lua:4: f still computes with pos = 0 (now 1)" << "pos";
    QTest::newRow("a global") << "pos = 0\nlocal f = fn('f', function(t) return t + pos end)\nfor i = 0, 3 do pos = i f(x) end"
                              << "s.lua:4: f still computes with pos = 0 (now 1)" << "pos";
    QTest::newRow("a string")
        << "local mode = 'relu'\nlocal f = fn('f', function(t) if mode == 'relu' then return max(t, 0) end return t end)\n"
           "f(x) mode = 'tanh' f(x)"
        << "s.lua:4: f still computes with mode = \"relu\" (now \"tanh\")" << "mode";
    QTest::newRow("a boolean")
        << "local on = true\nlocal f = fn('f', function(t) if on then return t end return -t end)\nf(x) on = false f(x)"
        << "s.lua:4: f still computes with on = true (now false)" << "on";
    QTest::newRow("no value before") << "local k\nlocal f = fn('f', function(t) return t + (k or 1) end)\nf(x) k = 2 f(x)"
                                     << "s.lua:4: f still computes with k = nil (now 2)" << "k";
    QTest::newRow("the kind of a number") << "local k = 1\nlocal f = fn('f', function(t) return t + k end)\nf(x) k = 1.0 f(x)"
                                          << "s.lua:4: f still computes with k = 1 (now 1.0)" << "k";
    QTest::newRow("a field") << "local config = {scale = 2}\nlocal f = fn('f', function(t) return t * config.scale end)\n"
                                "f(x) config.scale = 3 f(x)"
                             << "s.lua:4: f still computes with config.scale = 2 (now 3)" << "config.scale";
    QTest::newRow("a global among new ones")
        << "k = 1\nlocal f = fn('f', function(t) return t * k end)\nf(x) for i = 1, 500 do _G['g' .. i] = i f(x) end k = 2 f(x)"
        << "s.lua:4: f still computes with k = 1 (now 2)" << "k";
    QTest::newRow("a field that is removed") << "config = {scale = 2}\nlocal f = fn('f', function(t) return t * config.scale end)\n"
                                                "f(x) config.scale = nil f(x)"
                                             << "s.lua:4: f still computes with config.scale = 2 (now nil)" << "config.scale";
    QTest::newRow("a string where another one was") << "mode = 'm' .. 0\nlocal f = fn('f', function(t) return t * #mode end)\n"
                                                       "f(x) mode = nil collectgarbage() mode = 'm' .. 1 f(x)"
                                                    << "s.lua:4: f still computes with mode = \"m0\" (now \"m1\")" << "mode";
    QTest::newRow("another table") << "config = {scale = {by = 2}}\nlocal f = fn('f', function(t) return t * config.scale.by end)\n"
                                      "f(x) config = {scale = {by = 3}} f(x)"
                                   << "s.lua:4: f still computes with config.scale.by = 2 (now 3)" << "config.scale.by";
    QTest::newRow("in a Lua function") << "local k = 1 local function helper(t) return t * k end\n"
                                          "local f = fn('f', function(t) return helper(t) end)\nf(x) k = 2 f(x)"
                                       << "s.lua:4: f still computes with k = 1 (now 2)" << "k";
    QTest::newRow("in a function of a global table") << "tools = {} local k = 1 function tools.helper(t) return t * k end\n"
                                                        "local f = fn('f', function(t) return tools.helper(t) end)\nf(x) k = 2 f(x)"
                                                     << "s.lua:4: f still computes with k = 1 (now 2)" << "k";
    QTest::newRow("in a function that is called") << "local k = 1 local g = fn('g', function(t) return t * k end)\n"
                                                     "local f = fn('f', function(t) return g(t) + 1 end)\nf(x) k = 2 f(x)"
                                                  << "s.lua:4: f still computes with k = 1 (now 2; read by g)" << "k";
    QTest::newRow("several") << "local a, b = 1, 2\nlocal f = fn('f', function(t) return t * a + b end)\nf(x) a, b = 3, 4 f(x)"
                             << "s.lua:4: f still computes with a = 1 (now 3), b = 2 (now 4)" << "a and b";
    QTest::newRow("mapped") << "local k = 1\nlocal f = fn('f', function(t) return t * k end)\nmap(f, x) k = 2 map(f, x)"
                            << "s.lua:4: f still computes with k = 1 (now 2)" << "k";
    QTest::newRow("timed") << "local k = 1\nlocal f = fn('f', function(t) return t * k end)\nf(x) k = 2 time('again', f, x)"
                           << "s.lua:4: f still computes with k = 1 (now 2)" << "k";
    QTest::newRow("measured") << "local k = 1\nlocal f = fn('f', function(t) return t * k end)\n"
                                 "f(x) k = 2 bench{warmup = 0, time = 0.01, legs = {'warm'}, {'case', f, x}}"
                              << "s.lua:4: f still computes with k = 1 (now 2)" << "k";
    QTest::newRow("studied") << "local k = 1\nlocal f = fn('f', function(t) return t * k end)\nf(x) k = 2 study{f, x}"
                             << "s.lua:4: f still computes with k = 1 (now 2)" << "k";
    QTest::newRow("for the template of the call")
        << "local k = 1\nlocal f = fn('f', function(t) return t * k end)\nf(x) k = 2 f(zeros{3}) f(zeros{3})\nf(x)"
        << "s.lua:5: f still computes with k = 1 (now 2)" << "k";
    QTest::newRow("a callee that was traced before") << "local k = 1 local g = fn('g', function(t) return t * k end)\ng(x) k = "
                                                        "2\nlocal f = fn('f', function(t) return g(t) + 1 end) f(x)"
                                                     << "s.lua:4: f still computes with k = 1 (now 2; read by g)" << "k";
  }
  void changesAreWarnedOf() {
    QFETCH(QString, code);
    QFETCH(QString, changes);
    QFETCH(QString, names);
    std::string error;
    QCOMPARE(warningsOf(code, &error), changes + kReason + names + " as an argument");
    QCOMPARE(error, std::string());
  }

  void nothingElseIsWarnedOf_data() {
    QTest::addColumn<QString>("code");
    QTest::newRow("the same value again") << "local k = 1 local f = fn(function(t) return t * k end) f(x) k = 2 k = 1 f(x)";
    QTest::newRow("an equal table")
        << "c = {k = 1} local f = fn(function(t) return t * c.k end) f(x) for i = 1, 50 do c = {i = i, k = 1} f(x) end";
    QTest::newRow("an equal string made anew")
        << "m = ('ab'):rep(30) local f = fn(function(t) return t * #m end) f(x) m = nil collectgarbage() m = ('ab'):rep(30) f(x)";
    QTest::newRow("a NaN") << "local k = 0/0 local f = fn(function(t) return t * k end) f(x) f(x)";
    QTest::newRow("an argument") << "local f = fn(function(t, k) return t * k end) for i = 1, 3 do f(x, i) end";
    QTest::newRow("another template") << "local k = 1 local f = fn(function(t) return t * k end) f(x) k = 2 f(zeros{3})";
    QTest::newRow("after the cache was cleared")
        << "local k = 1 local f = fn(function(t) return t * k end) f(x) k = 2 cache.clear() f(x)";
    QTest::newRow("what the body counts") << "local n = 0 local f = fn(function(t) n = n + 1 return t end) f(x) f(zeros{3}) f(x)";
    QTest::newRow("what the body counts globally")
        << "n = 0 local f = fn(function(t) n = n + 1 return t end) f(x) f(zeros{3}) f(x)";
    QTest::newRow("another variable") << "local k, other = 1, 1 local f = fn(function(t) return t * k end) f(x) other = 2 f(x)";
    QTest::newRow("another field") << "local c = {k = 1, n = 0} local f = fn(function(t) return t * c.k end) f(x) c.n = 1 f(x)";
    QTest::newRow("a tensor") << "local k = tensor{1.5} local f = fn(function(t) return t * k end) f(x) k = tensor{2.5} f(x)";
    QTest::newRow("library functions") << "local f = fn(function(t) return exp(t) * math.pi + math.floor(2.5) end) f(x) f(x)";
  }
  void nothingElseIsWarnedOf() {
    QFETCH(QString, code);
    std::string error;
    QCOMPARE(warningsOf(code, &error), QString());
    QCOMPARE(error, std::string());
  }

  /// Once for each function, however many calls there are.
  void eachFunctionIsNamedOnce() {
    const QString warnings = warningsOf("local a, b = 1, 1\nlocal f = fn('f', function(t) return t * a end)\n"
                                        "local g = fn('g', function(t) return t * b end)\n"
                                        "f(x) g(x) a = 2 for i = 1, 5 do f(x) a = a + 1 end b = 2 for i = 1, 5 do g(x) end");
    QCOMPARE(warnings.count('\n'), 1);
    QVERIFY(warnings.contains("f still computes with a = 1 (now 2)"));
    QVERIFY(warnings.contains("g still computes with b = 1 (now 2)"));
  }

  /// A script that ends while the engine keeps its functions, and one whose functions were collected.
  void whatIsKeptGoesWithTheScript() {
    std::string error;
    QCOMPARE(warningsOf("for i = 1, 50 do local k = i local f = fn(function(t) return t * k end) f(x) f(x) end collectgarbage()",
                        &error),
             QString());
    QCOMPARE(error, std::string());
  }
};

QTEST_GUILESS_MAIN(TestFrozenValues)
#include "tst_frozen_values.moc"
