// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/scripts/fake_host.h"

using namespace jitscope;
using test::ScriptRun;

namespace {

void row(const char *name, const char *code, const char *message) { QTest::newRow(name) << code << message; }

} // namespace

class TestScriptSandbox : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void refusesWithAReason_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("message");
    row("os", "os.time()", "os is not available: graph scripts cannot reach files, the environment or processes");
    row("os through _G", "print(_G.os)", "os is not available: graph scripts cannot reach files, the environment or processes");
    row("io", "io.open('x')", "io is not available: graph scripts cannot reach files, the environment or processes");
    row("debug", "debug.getregistry()", "debug is not available: graph scripts cannot look into the interpreter");
    row("require", "require 'x'", "require is not available: a graph script is one file; graph scripts cannot reach others");
    row("package", "print(package.path)",
        "package is not available: a graph script is one file; graph scripts cannot reach others");
    row("dofile", "dofile('x')", "dofile is not available: graph scripts cannot reach files, the environment or processes");
    row("loadfile", "loadfile('x')", "loadfile is not available: graph scripts cannot reach files, the environment or processes");
    row("loadstring", "loadstring('x')", "loadstring is not available: use load, which takes source text");
    row("warn", "warn('x')", "warn is not available: use print");
    row("string.dump", "string.dump(function() end)", "string.dump is not available in a graph script");
    row("string.dump as a method", "local d = (''):dump()", "string.dump is not available in a graph script");
    row("load of bytecode", "load('\\27Lua')", "load: this is compiled Lua; a graph script can load source text only");
    row("load of bytecode in pieces", "local n = 0; load(function() n = n + 1; return ({'\\27', 'Lua'})[n] end)",
        "load: this is compiled Lua; a graph script can load source text only");
    row("load of bytecode with its mode", "load('\\27Lua', 'x', 'b')",
        "load: this is compiled Lua; a graph script can load source text only");
    row("finalizers", "setmetatable({}, {__gc = function() end})",
        "__gc is not available: graph scripts have no finalizers; use <close>");
    row("protected metatable", "setmetatable(_G, {})", "setmetatable: cannot change a protected metatable");
    row("garbage options", "collectgarbage('stop')",
        "collectgarbage(\"stop\") is not available: graph scripts can \"collect\" and \"count\"");
    row("random seed", "math.randomseed()", "math.randomseed: give a seed; without one every run would be different");
    row("undefined", "local x = undefined_name_of_nothing", "\"undefined_name_of_nothing\" is not defined");
    row("typo", "zero({2})", "\"zero\" is not defined; did you mean \"zeros\"?");
    row("typo of a global of one's own", "weights = 1; print(weigths)", "\"weigths\" is not defined; did you mean \"weights\"?");
    row("wrong argument of a bounded function", "table.insert(1, 2)", "bad argument #1 to 'insert' (table expected, got number)");
    row("wrong argument of repeat", "string.rep({}, 2)", "bad argument #1 to 'rep' (string expected, got table)");
    row("wrong argument of select", "select(0)", "bad argument #1 to 'select' (index out of range)");
    row("wrong argument of coroutine.resume", "coroutine.resume(1)",
        "bad argument #1 to 'resume' (coroutine expected, got number)");
    row("endless move", "table.move({}, 1, 1 << 60, 2)", "table.move: more than 134217728 entries");
    row("invented length", "table.insert(setmetatable({}, {__len = function() return 1 << 60 end}), 1, 2)",
        "table.insert: more than 134217728 entries");
  }
  void refusesWithAReason() {
    QFETCH(QString, code);
    QFETCH(QString, message);
    const ScriptRun run(code.toStdString());
    QCOMPARE(QString::fromStdString(run.error()), "script.lua:1: " + message);
  }

  void keepsWhatIsSafe_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("printed");
    row("select of Lua", "print(select(2, 'a', 'b'), select('#', 1, 2, 3))", "b\t3\n");
    row("select from the end", "print(select(-1, 'a', 'b'))", "b\n");
    row("pcall gives values", "print(pcall(function(...) return ... end, 1, nil, 3))", "true\t1\tnil\t3\n");
    row("pcall gives messages", "print(pcall(error, 'x', 0))", "false\tx\n");
    row("pcall gives error tables", "local ok, e = pcall(error, {7}); print(ok, e[1])", "false\t7\n");
    row("xpcall", "print(xpcall(error, function(m) return m .. '!' end, 'x', 0))", "false\tx!\n");
    row("xpcall gives values", "print(xpcall(math.max, print, 1, 2))", "true\t2\n");
    row("pcall across a yield",
        "local co = coroutine.wrap(function() return pcall(function() return coroutine.yield(1) + 1 end) end) print(co()) "
        "print(co(5))",
        "1\ntrue\t6\n");
    row("an error in a coroutine", "print(coroutine.resume(coroutine.create(function() error('x') end)))",
        "false\tscript.lua:1: x\n");
    row("an error in a wrapped coroutine", "print(pcall(coroutine.wrap(function() error('x') end)))", "false\tscript.lua:1: x\n");
    row("a dead coroutine", "local co = coroutine.create(print) coroutine.resume(co) print(coroutine.resume(co))",
        "\nfalse\tcannot resume dead coroutine\n");
    row("a dead wrapped coroutine", "local f = coroutine.wrap(print) f() print(pcall(f))",
        "\nfalse\tcannot resume dead coroutine\n");
    row("closing coroutines",
        "local co = coroutine.create(function() coroutine.yield() end) coroutine.resume(co) print(coroutine.close(co))", "true\n");
    row("variables that close", "local x <close> = setmetatable({}, {__close = function() print('closed') end})", "closed\n");
    row("coroutines",
        "local co = coroutine.create(function(a) local b = coroutine.yield(a) return b end) "
        "print(coroutine.resume(co, 1)) print(coroutine.resume(co, 2)) print(coroutine.status(co))",
        "true\t1\ntrue\t2\ndead\n");
    row("load of text", "print(load('return 1 + x', 'c', 't', {x = 2})())", "3\n");
    row("load of pieces", "local n = 0 print(load(function() n = n + 1 return ({'return ', '7'})[n] end)())", "7\n");
    row("load of nonsense", "print(load('x ='))", "nil\t[string \"x =\"]:1: unexpected symbol near <eof>\n");
    row("metatables", "local t = setmetatable({}, {__index = function(_, k) return k .. '!' end}) print(t.x)", "x!\n");
    row("metatables of tensors are hidden", "print(getmetatable(zeros{1}), getmetatable(fn(function(x) return x end)))",
        "tensor\tfn\n");
    row("repeat nothing", "print(#string.rep('', 1 << 60), ('ab'):rep(2, '-'))", "0\tab-ab\n");
    row("the same random numbers each time", "print(math.random(1000), math.random(1000))", "742\t50\n");
    row("libraries", "print(table.concat({1, 2}, ','), math.floor(1.5), utf8.char(228), string.format('%5.1f', 2))",
        "1,2\t1\tä\t  2.0\n");
    row("count", "print(collectgarbage('count') > 0, collectgarbage())", "true\t0\n");
    row("rawget of what is not there", "print(rawget(_G, 'nothing'))", "nil\n");
    row("interpreter line", "#!/usr/bin/env jitscope\nprint(1)", "1\n");
  }
  void keepsWhatIsSafe() {
    QFETCH(QString, code);
    QFETCH(QString, printed);
    const ScriptRun run(code.toStdString());
    QCOMPARE(QString::fromStdString(run.output()), printed);
  }

  void aClosedScriptLeavesNothingBehind() {
    ScriptRun run("kept = {} for i = 1, 10 do kept[i] = zeros({100}) end f = fn('f', function(x, y) return x + kept[1] end) "
                  "f(kept[2], {1, 2})");
    QCOMPARE(run.error(), std::string());
    run.host.functions.clear();
    QCOMPARE(run.host.allocator.liveTensors(), 0U);
  }

  void sourcesOutliveTheScriptWithAnError() {
    ScriptRun run("f = fn('f', function(x) return x end)");
    const graph::Template tmpl{{graph::TensorType{graph::DType::F32, {2}, false}}};
    const auto graph = run.host.find("f")->source->trace(tmpl, {});
    QVERIFY(!graph);
    QCOMPARE(graph.error().message, std::string("f cannot be traced, because its script has ended"));
  }
};

QTEST_GUILESS_MAIN(TestScriptSandbox)
#include "tst_script_sandbox.moc"
