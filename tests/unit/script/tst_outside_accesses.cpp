// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "script/trace/outside_accesses.h"

#include <lua.hpp>

using namespace jitscope;

/// What the bytecode of Lua functions says about variables outside of them.
class TestOutsideAccesses : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void areFoundInTheBytecode_data() {
    QTest::addColumn<QString>("code"); // returns the function
    QTest::addColumn<QString>("accesses");
    QTest::newRow("nothing") << "return function(x) local y = x + 1 return y end" << "";
    QTest::newRow("an upvalue") << "local pos = 0 return function(x) return x + pos end" << "pos";
    QTest::newRow("a global") << "return function(x) return x + pos end" << "_ENV.pos";
    QTest::newRow("a field of an upvalue") << "local c = {} return function(x) return x * c.scale end" << "c.scale";
    QTest::newRow("fields of fields") << "local c = {} return function(x) return x * c.a.b.d end" << "c.a c.a.b c.a.b.d";
    QTest::newRow("a field of a global") << "return function(x) return x * config.scale end" << "_ENV.config _ENV.config.scale";
    QTest::newRow("through a local") << "local c = {} return function(x) local d = c return x * d.scale end" << "c c.scale";
    QTest::newRow("a computed field") << "local c = {} return function(x, i) return x * c[i] end" << "c";
    QTest::newRow("an assignment") << "local n = 0 return function() n = 1 end" << "n=";
    QTest::newRow("counting") << "local n = 0 return function() n = n + 1 end" << "n n=";
    QTest::newRow("assigned global") << "return function() total = 1 end" << "_ENV.total=";
    QTest::newRow("assigned field") << "local c = {} return function() c.n = 1 end" << "c.n=";
    QTest::newRow("in a function within")
        << "local a, b = 1, 2 return function(x) local k = 1 return function() return a + k end end" << "a";
    QTest::newRow("in both") << "local a = 1 return function(x) local f = function() return a + g end return f() + a end"
                             << "_ENV.g a";
    QTest::newRow("a call's result is none") << "local f = print return function(x) local c = f(x) return c.scale end" << "f";
    QTest::newRow("constants are none") << "local k <const> = 5 return function(x) return x + k end" << "";
    QTest::newRow("many constants")
        << "local a = 1 return function(x) return {0.5, 'text', 12345678901, nil, true, a, ('long'):rep(50)} end"
        << "a";
    QTest::newRow("loops and branches")
        << "local a, n = 1, 3 return function(x) for i = 1, n do if x then x = x + a end end return x end"
        << "a n";
  }
  void areFoundInTheBytecode() {
    QFETCH(QString, code);
    QFETCH(QString, accesses);
    const std::unique_ptr<lua_State, void (*)(lua_State *)> state(luaL_newstate(), &lua_close);
    lua_State *lua = state.get();
    luaL_openlibs(lua);
    QCOMPARE(luaL_dostring(lua, qPrintable(code)), LUA_OK);
    QStringList texts;
    for (const script::OutsideAccess &access : script::outsideAccessesOf(lua, -1)) {
      QString text = lua_getupvalue(lua, -1, access.upvalue);
      lua_pop(lua, 1);
      for (const std::string &name : access.path) {
        text += "." + QString::fromStdString(name);
      }
      texts.push_back(text + (access.isWrite ? "=" : ""));
    }
    texts.sort();
    QCOMPARE(texts.join(' '), accesses);
    QCOMPARE(lua_gettop(lua), 1);
  }

  void builtInFunctionsHaveNone() {
    const std::unique_ptr<lua_State, void (*)(lua_State *)> state(luaL_newstate(), &lua_close);
    lua_pushcfunction(state.get(), [](lua_State *) { return 0; });
    QVERIFY(script::outsideAccessesOf(state.get(), -1).empty());
  }
};

QTEST_GUILESS_MAIN(TestOutsideAccesses)
#include "tst_outside_accesses.moc"
