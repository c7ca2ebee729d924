// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/scripts/fake_host.h"

using namespace jitscope;
using test::ScriptRun;

class TestTraceGraphs : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void bodiesBecomeGraphs_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("graph");
    QTest::newRow("operations carry their lines") << "local f = fn('f', function(a, b)\n"
                                                     "  local c = a:dot(b)\n"
                                                     "  return exp(c * 2.5),\n"
                                                     "         -c\n"
                                                     "end)\n"
                                                     "f(zeros{2, 3}, zeros{3, 2})"
                                                  << "function f\n"
                                                     "  %0: f32[2,3] = parameter 0  ; line 1\n"
                                                     "  %1: f32[3,2] = parameter 1  ; line 1\n"
                                                     "  %2: f32[2,2] = dot %0, %1  ; line 2\n"
                                                     "  %3: f32[] = constant 2.5  ; line 3\n"
                                                     "  %4: f32[2,2] = multiply %2, %3  ; line 3\n"
                                                     "  %5: f32[2,2] = exp %4  ; line 3\n"
                                                     "  %6: f32[2,2] = negate %2  ; line 4\n"
                                                     "  return %5, %6\n";
    QTest::newRow("helpers are inlined with their own lines") << "local function twice(x)\n"
                                                                 "  return x + x end\n"
                                                                 "local f = fn('f', function(x) return (twice(x)) end) f(zeros{2})"
                                                              << "function f\n"
                                                                 "  %0: f32[2] = parameter 0  ; line 3\n"
                                                                 "  %1: f32[2] = add %0, %0  ; line 2\n"
                                                                 "  return %1\n";
    QTest::newRow("numbers take the tensor's dtype") << "local f = fn('f', function(x) return x + 1 end) f(zeros({2}, 'u8'))"
                                                     << "function f\n"
                                                        "  %0: u8[2] = parameter 0  ; line 1\n"
                                                        "  %1: u8[] = constant 1  ; line 1\n"
                                                        "  %2: u8[2] = add %0, %1  ; line 1\n"
                                                        "  return %2\n";
    QTest::newRow("a fraction makes integers f32") << "local f = fn('f', function(x) return x + 0.5 end) f(zeros({2}, 's32'))"
                                                   << "function f\n"
                                                      "  %0: s32[2] = parameter 0  ; line 1\n"
                                                      "  %1: f32[2] = convert %0  ; line 1\n"
                                                      "  %2: f32[] = constant 0.5  ; line 1\n"
                                                      "  %3: f32[2] = add %1, %2  ; line 1\n"
                                                      "  return %3\n";
    QTest::newRow("numbers as arguments are scalars") << "local f = fn('f', function(x, n) return x * n end) f(zeros{2}, 3)"
                                                      << "function f\n"
                                                         "  %0: f32[2] = parameter 0  ; line 1\n"
                                                         "  %1: integer = parameter 1  ; line 1\n"
                                                         "  %2: f32[] = convert %1  ; line 1\n"
                                                         "  %3: f32[2] = multiply %0, %2  ; line 1\n"
                                                         "  return %3\n";
    QTest::newRow("static arguments are Lua values")
        << "local f = fn('f', function(x, how) if how.axis == 1 then return x:sum(1) end return x "
           "end) f(zeros{2, 3}, {axis = 1})"
        << "function f\n"
           "  %0: f32[2,3] = parameter 0  ; line 1\n"
           "  %1: f32[2] = reduce-sum axes={1} %0  ; line 1\n"
           "  return %1\n";
    QTest::newRow("concrete tensors are captured once")
        << "local c = tensor{1.5, 2} local f = fn('f', function(x) return x + c * c end) "
           "f(zeros{2})"
        << "function f\n"
           "  %0: f32[2] = parameter 0  ; line 1\n"
           "  %1: f32[2] = capture 0  ; line 1\n"
           "  %2: f32[2] = multiply %1, %1  ; line 1\n"
           "  %3: f32[2] = add %0, %2  ; line 1\n"
           "  return %3\n";
    QTest::newRow("creation makes nodes")
        << "local f = fn('f', function() return iota({4}, 's32'), zeros{}, ones({2}), full({2}, 7, 's64') "
           "end) f()"
        << "function f\n"
           "  %0: s32[4] = iota  ; line 1\n"
           "  %1: f32[] = constant 0  ; line 1\n"
           "  %2: f32[] = constant 1  ; line 1\n"
           "  %3: f32[2] = broadcast %2  ; line 1\n"
           "  %4: s64[] = constant 7  ; line 1\n"
           "  %5: s64[2] = broadcast %4  ; line 1\n"
           "  return %0, %1, %3, %5\n";
    QTest::newRow("random tensors are concrete")
        << "local f = fn('f', function(x) return x + normal({2}, 'f32', 1) end) f(zeros{2})"
        << "function f\n"
           "  %0: f32[2] = parameter 0  ; line 1\n"
           "  %1: f32[2] = capture 0  ; line 1\n"
           "  %2: f32[2] = add %0, %1  ; line 1\n"
           "  return %2\n";
    QTest::newRow("moving elements")
        << "local f = fn('f', function(x) local y = x:reshape{3, -1}:transpose():slice({0, 1}, {2, 2}) "
           "return concat({y, y:broadcast{2, 2}}, -1):as_type 'f64', select(gt(y, 0), y, 0):mean{0}, y:argmax() end) f(zeros{6})"
        << "function f\n"
           "  %0: f32[6] = parameter 0  ; line 1\n"
           "  %1: f32[3,2] = reshape %0  ; line 1\n"
           "  %2: f32[2,3] = transpose axes={1,0} %1  ; line 1\n"
           "  %3: f32[2,2] = slice starts={0,1} %2  ; line 1\n"
           "  %4: f32[2,2] = broadcast %3  ; line 1\n"
           "  %5: f32[2,4] = concat axes={1} %3, %4  ; line 1\n"
           "  %6: f64[2,4] = convert %5  ; line 1\n"
           "  %7: f32[] = constant 0  ; line 1\n"
           "  %8: pred[2,2] = greater %3, %7  ; line 1\n"
           "  %9: f32[] = constant 0  ; line 1\n"
           "  %10: f32[2,2] = select %8, %3, %9  ; line 1\n"
           "  %11: f32[2] = reduce-mean axes={0} %10  ; line 1\n"
           "  %12: s64[] = argmax axes={0,1} %3  ; line 1\n"
           "  return %6, %11, %12\n";
    QTest::newRow("calls are edges") << "local g = fn('g', function(x) return x + 1, x * 2 end)\n"
                                        "local f = fn('f', function(x)\n"
                                        "  local a, b = g(x)\n"
                                        "  return a - b\n"
                                        "end) f(zeros{2})"
                                     << "function f\n"
                                        "  %0: f32[2] = parameter 0  ; line 2\n"
                                        "  %1: f32[2] = call @g %0  ; line 3\n"
                                        "  %2: f32[2] = result 0 %1  ; line 3\n"
                                        "  %3: f32[2] = result 1 %1  ; line 3\n"
                                        "  %4: f32[2] = subtract %2, %3  ; line 4\n"
                                        "  return %4\n";
    QTest::newRow("captures of callees come along") << "local c = ones{2} local g = fn('g', function(x) return x + c end) "
                                                       "local f = fn('f', function(x) return (g(x)) end) f(zeros{2})"
                                                    << "function f\n"
                                                       "  %0: f32[2] = parameter 0  ; line 1\n"
                                                       "  %1: f32[2] = capture 0  ; line 1\n"
                                                       "  %2: f32[2] = call @g %0, %1  ; line 1\n"
                                                       "  %3: f32[2] = result 0 %2  ; line 1\n"
                                                       "  return %3\n";
    QTest::newRow("map calls for elements") << "local g = fn('g', function(x, y) return x * y, x + y end) "
                                               "local f = fn('f', function(x, y) return map(g, x, y) end) f(zeros{2, 3}, ones{3})"
                                            << "function f\n"
                                               "  %0: f32[2,3] = parameter 0  ; line 1\n"
                                               "  %1: f32[3] = parameter 1  ; line 1\n"
                                               "  %2: f32[2,3] = map @g %0, %1  ; line 1\n"
                                               "  %3: f32[2,3] = result 0 %2  ; line 1\n"
                                               "  %4: f32[2,3] = result 1 %2  ; line 1\n"
                                               "  return %3, %4\n";
    QTest::newRow("numbers as results are constants") << "local f = fn('f', function(x) return 3, x, 2.5 end) f(zeros{1})"
                                                      << "function f\n"
                                                         "  %0: f32[1] = parameter 0  ; line 1\n"
                                                         "  %1: integer = constant 3  ; line 1\n"
                                                         "  %2: float = constant 2.5  ; line 1\n"
                                                         "  return %1, %0, %2\n";
    QTest::newRow("functions as arguments") << "local g = fn('g', function(x) return x + 1 end) "
                                               "local f = fn('f', function(h, x) return (h(x)) end) f(g, zeros{1})"
                                            << "function f\n"
                                               "  %0: f32[1] = parameter 0  ; line 1\n"
                                               "  %1: f32[1] = call @g %0  ; line 1\n"
                                               "  %2: f32[1] = result 0 %1  ; line 1\n"
                                               "  return %2\n";
    QTest::newRow("coroutines inside a body") << "local f = fn('f', function(x) local co = coroutine.wrap(function(y)\n"
                                                 "  coroutine.yield(y + 1) end) return co(x) end) f(zeros{1})"
                                              << "function f\n"
                                                 "  %0: f32[1] = parameter 0  ; line 1\n"
                                                 "  %1: f32[] = constant 1  ; line 2\n"
                                                 "  %2: f32[1] = add %0, %1  ; line 2\n"
                                                 "  return %2\n";
    QTest::newRow("variadic bodies")
        << "local f = fn('f', function(...) local s = 0 for _, t in ipairs{...} do s = s + t end return s end) "
           "f(zeros{1}, ones{1})"
        << "function f\n"
           "  %0: f32[1] = parameter 0  ; line 1\n"
           "  %1: f32[1] = parameter 1  ; line 1\n"
           "  %2: f32[] = constant 0  ; line 1\n"
           "  %3: f32[1] = add %2, %0  ; line 1\n"
           "  %4: f32[1] = add %3, %1  ; line 1\n"
           "  return %4\n";
  }
  void bodiesBecomeGraphs() {
    QFETCH(QString, script);
    QFETCH(QString, graph);
    for (const bool otherThread : {false, true}) {
      ScriptRun run;
      run.host.traceOnAnotherThread = otherThread;
      run.run(script.toStdString());
      QCOMPARE(run.error(), std::string());
      QCOMPARE(QString::fromStdString(run.host.graphText("f", true)), graph);
    }
  }

  void functionsAreNamedByPlaceWithoutAName() {
    const ScriptRun run("\nlocal f = fn(function(x) return x end) print(f)");
    QCOMPARE(run.host.printed, std::string("fn script.lua:2 (line 2)\n"));
    QCOMPARE(run.host.functions[0].name, std::string("script.lua:2"));
    QCOMPARE(run.host.functions[0].line, 2);
    QVERIFY(!run.host.functions[0].eager);
  }

  void sizesStayOpenUnderRankTemplates() {
    ScriptRun run;
    run.host.useRankTemplates = true;
    run.run(
        "local g = fn('g', function(x) return x:sum(0) end) local f = fn('f', function(x) return x:dot(x:transpose()), g(x) end) "
        "f(zeros{2, 3})");
    QCOMPARE(run.error(), std::string());
    QCOMPARE(run.host.graphText("f"), std::string("function f\n"
                                                  "  %0: f32[?,?] = parameter 0\n"
                                                  "  %1: f32[?,?] = transpose axes={1,0} %0\n"
                                                  "  %2: f32[?,?] = dot %0, %1\n"
                                                  "  %3: f32[?] = call @g %0\n"
                                                  "  %4: f32[?] = result 0 %3\n"
                                                  "  return %2, %4\n"));
  }

  void openSizesCannotBeRead() {
    ScriptRun run;
    run.host.useRankTemplates = true;
    run.run("local f = fn('f', function(x) return x:reshape{x:shape()[1], 1} end) f(zeros{2})");
    QCOMPARE(run.error(),
             std::string("script.lua:1: shape: the sizes of f32[?] are not known while tracing, because template=\"rank\" makes "
                         "one executable serve all sizes; options{template=\"exact\"} makes them known"));
  }

  void wrongResultsAreNamed_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("message");
    QTest::newRow("nothing") << "" << "f returned nothing; a traced function must return at least one tensor";
    QTest::newRow("nil") << "return nil" << "result 1 of f is nil; a traced function returns tensors";
    QTest::newRow("text") << "return x, 'a'" << "result 2 of f is a string; a traced function returns tensors";
    QTest::newRow("table") << "return {x}" << "result 1 of f is a table; a traced function returns tensors";
    QTest::newRow("function") << "return f" << "result 1 of f is a function made by fn; a traced function returns tensors";
  }
  void wrongResultsAreNamed() {
    QFETCH(QString, body);
    QFETCH(QString, message);
    const ScriptRun run("f = nil\nf = fn('f', function(x) " + body.toStdString() + " end)\nf(zeros{1})");
    QCOMPARE(QString::fromStdString(run.description()),
             "script.lua:2: " + message + "\n  while tracing f for f32[1] (called at line 3)");
  }

  void symbolicTensorsStayInTheirTrace_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("message");
    const QString ended =
        "a tensor of the trace of 'f' (line 1) was used after that trace ended: it stands for a value that only exists "
        "inside the function; return it instead";
    QTest::newRow("in an operation") << "local y = kept + 1" << ended;
    QTest::newRow("as an argument") << "f(kept)" << ended;
    QTest::newRow("as a capture") << "fn('g', function(x) return x + kept end)(zeros{1})" << ended;
    QTest::newRow("as a result") << "fn('g', function(x) return kept end)(zeros{1})" << ended;
    QTest::newRow("in the same function traced again")
        << "fn('h', function(x) return f(x:reshape{1, 1}, kept) end)(zeros{1})" << ended;
    QTest::newRow("in map") << "map(f, kept)" << ended;
    QTest::newRow("its shape") << "kept:shape()" << ended;
    QTest::newRow("compared") << "expect.equal(kept, 1)" << ended;
    QTest::newRow("benched") << "bench{{'x', f, kept}}" << ended;
    QTest::newRow("from an outer trace")
        << "fn('g', function(x) local h = fn('h', function(y) return x + y end) return h(x) end)(zeros{1})"
        << "a tensor of the trace of 'g' (line 2) was used inside 'h': pass it to 'h' as an argument";
  }
  void symbolicTensorsStayInTheirTrace() {
    QFETCH(QString, script);
    QFETCH(QString, message);
    const ScriptRun run("f = fn('f', function(x, ...) kept = x; return x + 1 end) f(zeros{1})\n" + script.toStdString());
    QCOMPARE(QString::fromStdString(run.error()), "script.lua:2: " + message);
  }

  void symbolicTensorsPrintTheirType() {
    const ScriptRun run("local f = fn('f', function(x) kept = x print(x * 2) return x end) f(zeros{2}) print(kept)");
    QCOMPARE(run.output(), std::string("f32[2] (being traced)\ntensor of the trace of f\n"));
  }

  void theEngineIsOutOfReachWhileTracing_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("name");
    QTest::newRow("time") << "time('x', g, x)" << "time";
    QTest::newRow("bench") << "bench{{'x', g, x}}" << "bench";
    QTest::newRow("compile") << "compile(g, x)" << "compile";
    QTest::newRow("section") << "section 'x'" << "section";
    QTest::newRow("options") << "options{slp = true}" << "options";
    QTest::newRow("cache.clear") << "cache.clear()" << "cache.clear";
    QTest::newRow("cache.contains") << "cache.contains(g, x)" << "cache.contains";
    QTest::newRow("stats") << "stats()" << "stats";
    QTest::newRow("expect") << "expect.compiles(0, function() end)" << "expect";
  }
  void theEngineIsOutOfReachWhileTracing() {
    QFETCH(QString, code);
    QFETCH(QString, name);
    const ScriptRun run("g = fn('g', function(x) return x end) fn('f', function(x) " + code.toStdString() +
                        " return x end)(zeros{1})");
    QCOMPARE(QString::fromStdString(run.error()),
             "script.lua:1: " + name + " cannot be used while a function is traced (this is the body of 'f'); use it outside");
  }

  void calleesAreTracedOnceForEachTemplate() {
    const ScriptRun run("n = 0 local g = fn('g', function(x, how) n = n + 1 return x * 2 end)\n"
                        "local f = fn('f', function(x) return g(x, 'a') + g(x, 'a') + g(x, 'b') + g(x:reshape{1, 2}, 'a') end)\n"
                        "f(zeros{2}) print(n) g(zeros{2}, 'a') print(n) g(zeros{3}, 'a') print(n)");
    QCOMPARE(run.output(), std::string("3\n3\n4\n"));
  }

  void forgettingACallerForgetsCalleesThatOnlyItUsed() {
    const ScriptRun run("n = 0 local g = fn('g', function(x) n = n + 1 return x * 2 end)\n"
                        "local h = fn('h', function(x) return (g(x)) end)\n"
                        "local f = fn('f', function(x) return (h(x)) end)\n"
                        "f(zeros{2}) print(n) cache.clear() f(zeros{2}) print(n)\n"
                        "g(zeros{2}) f(zeros{2}) print(n)");
    QCOMPARE(run.output(), std::string("1\n2\n2\n"));
  }

  void forgettingACallerKeepsCalleesThatTheEngineHas() {
    ScriptRun run;
    script::GraphSource *f = nullptr;
    run.run("n = 0 g = fn('g', function(x) n = n + 1 return x * 2 end) f = fn('f', function(x) return (g(x)) end) f(zeros{2}) "
            "g(zeros{2})");
    QCOMPARE(run.error(), std::string());
    f = run.host.find("f")->source.get();
    f->forget({{graph::TensorType{graph::DType::F32, {2}, false}}});
    // The graph of g is the one that f called.
    const graph::Graph &caller = *run.host.find("f")->graphs.begin()->second;
    QCOMPARE(&caller.node(1).callee(), run.host.find("g")->graphs.begin()->second.get());
  }

  void aFailedTraceLeavesNothingBehind() {
    const ScriptRun run("n = 0 local f = fn('f', function(x) n = n + 1 if n == 1 then error 'first' end return x end)\n"
                        "print(pcall(f, zeros{1})) f(zeros{1}) print(n)");
    QCOMPARE(run.output(), std::string("false\tscript.lua:1: first\n2\n"));
  }

  void aCaughtErrorLeavesTheTraceUsable() {
    const ScriptRun run("local g = fn('g', function(x) return x:dot(x) end)\n"
                        "local f = fn('f', function(x) print(pcall(g, x)) return x + 1 end) f(zeros{2, 3})");
    QCOMPARE(run.output(),
             std::string("false\tscript.lua:1: dot of f32[2,3] and f32[2,3]: the last size of the left (3) and the first of the "
                         "right (2) differ\n"));
  }

  void mapTakesScalarFunctionsOnly() {
    const ScriptRun run("local c = zeros{2} local g = fn('g', function(x) return x + c end) map(g, zeros{2})");
    QVERIFY(!run.result);
    QCOMPARE(run.error(), std::string("script.lua:1: map calls g for single elements, but it uses f32[2]"));
  }

  void mapOutsideOfATraceIsAFunctionOfItsOwn() {
    ScriptRun run("local g = fn('g', function(x, y, how) return x * y, x end) local a, b = map(g, zeros{2}, 3, 'fast') print(a, b) "
                  "map(g, ones{2}, 4, 'fast') map(g, ones{3}, 4, 'fast')");
    QCOMPARE(run.output(), std::string("f32[2] {0, 0}\tf32[2] {0, 0}\n"));
    QCOMPARE(run.host.find("map g")->eager, true);
    QCOMPARE(run.host.calls[1], std::string("map g(f32[2], integer, \"fast\") miss"));
    QCOMPARE(run.host.calls[3], std::string("map g(f32[2], integer, \"fast\") hit"));
    QCOMPARE(run.host.calls[5], std::string("map g(f32[3], integer, \"fast\") miss"));
  }

  void yieldingOutOfABodyIsAnError() {
    const ScriptRun run("coroutine.wrap(function() fn('f', function(x) coroutine.yield() end)(zeros{1}) end)()");
    QCOMPARE(run.error(), std::string("script.lua:1: attempt to yield across a C-call boundary"));
  }
};

QTEST_GUILESS_MAIN(TestTraceGraphs)
#include "tst_trace_graphs.moc"
