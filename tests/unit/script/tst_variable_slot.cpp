// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "script/trace/variable_slot.h"

#include <bit>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <lua.hpp>

using namespace jitscope;
using script::PlainBits;
using script::VariableSlot;

namespace {

constexpr PlainBits kNil{0, 0};

/// A Lua function with one upvalue, from the code that returns it, and what its memory says against what Lua says.
class Variable {
public:
  /// `path`: names of fields of the upvalue.
  Variable(const std::string &code, const std::vector<std::string> &path) : m_path(path) {
    luaL_openlibs(m_lua.get());
    m_isGood = luaL_dostring(m_lua.get(), code.c_str()) == LUA_OK && lua_isfunction(m_lua.get(), -1);
    if (!m_isGood) {
      return;
    }
    for (const std::string &name : path) {
      lua_pushstring(m_lua.get(), name.c_str());
      m_keys.push_back(lua_topointer(m_lua.get(), -1));
    }
    m_slot.emplace(lua_upvalueid(m_lua.get(), 1, 1), m_keys);
  }

  [[nodiscard]] bool isGood() const { return m_isGood; }
  [[nodiscard]] bool run(const std::string &code) const { return luaL_dostring(m_lua.get(), code.c_str()) == LUA_OK; }
  VariableSlot &slot() { return *m_slot; }
  /// What Lua's own interface finds there, in the words of `read`; empty for other values. Fields that are not there are nil.
  [[nodiscard]] std::optional<PlainBits> expected() const {
    lua_State *lua = m_lua.get();
    const int top = lua_gettop(lua);
    lua_getupvalue(lua, 1, 1);
    for (const std::string &name : m_path) {
      if (!lua_istable(lua, -1)) {
        lua_settop(lua, top);
        return kNil;
      }
      lua_pushstring(lua, name.c_str());
      lua_rawget(lua, -2);
    }
    std::optional<PlainBits> bits;
    switch (lua_type(lua, -1)) {
    case LUA_TNIL:
      bits = kNil;
      break;
    case LUA_TBOOLEAN:
      bits = PlainBits{0, static_cast<std::uint8_t>(lua_toboolean(lua, -1) != 0 ? 17 : 1)};
      break;
    case LUA_TNUMBER:
      bits = lua_isinteger(lua, -1) != 0 ? PlainBits{std::bit_cast<std::uint64_t>(lua_Integer{lua_tointeger(lua, -1)}), 3}
                                         : PlainBits{std::bit_cast<std::uint64_t>(double{lua_tonumber(lua, -1)}), 19};
      break;
    case LUA_TSTRING: {
      const bool isShort = lua_rawlen(lua, -1) <= 40;
      bits = PlainBits{reinterpret_cast<std::uintptr_t>(lua_topointer(lua, -1)), static_cast<std::uint8_t>(isShort ? 68 : 84)};
      break;
    }
    default:
      break;
    }
    lua_settop(lua, top);
    return bits;
  }

private:
  std::unique_ptr<lua_State, void (*)(lua_State *)> m_lua{luaL_newstate(), &lua_close};
  std::vector<std::string> m_path;
  std::vector<const void *> m_keys;
  std::optional<VariableSlot> m_slot;
  bool m_isGood = false;
};

std::string textOf(const std::optional<PlainBits> &bits) {
  return bits ? fmt::format("{:#x} of type {}", bits->bits, bits->tag) : "nothing";
}

} // namespace

/// The memory of variables says what Lua says, whatever becomes of them.
class TestVariableSlot : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void thisLuaIsReadable() {
    const std::unique_ptr<lua_State, void (*)(lua_State *)> lua(luaL_newstate(), &lua_close);
    QVERIFY(VariableSlot::isReadable(lua.get()));
    QCOMPARE(lua_gettop(lua.get()), 0);
  }

  void anUpvalueIsRead_data() {
    QTest::addColumn<std::string>("value");
    for (const char *value : {"nil", "false", "true", "0", "-1", "1.0", "0/0", "'a'", "('long'):rep(20)", "{}", "print"}) {
      QTest::newRow(value) << std::string(value);
    }
  }
  void anUpvalueIsRead() {
    QFETCH(std::string, value);
    // The upvalue is on a stack at first, then closed.
    Variable variable("local v = 7 function change() v = " + value + " end return function() return v end", {});
    QVERIFY(variable.isGood());
    QCOMPARE(textOf(variable.slot().read()), textOf(PlainBits{7, 3}));
    QVERIFY(variable.slot().holds({7, 3}));
    QVERIFY(variable.run("change()"));
    QCOMPARE(textOf(variable.slot().read()), textOf(variable.expected()));
    QVERIFY(!variable.slot().holds({7, 3}));
    if (const std::optional<PlainBits> now = variable.expected()) {
      QVERIFY(variable.slot().holds(*now));
    }
  }

  void tablesOnTheWayMayChange_data() {
    QTest::addColumn<std::string>("change");
    QTest::newRow("nothing") << std::string();
    QTest::newRow("the value") << std::string("config.scale.by = 3");
    QTest::newRow("the field") << std::string("config.scale.by = nil");
    QTest::newRow("the inner table") << std::string("config.scale = {by = 4}");
    QTest::newRow("the outer table") << std::string("replace({scale = {by = 5}})");
    QTest::newRow("more fields") << std::string("for i = 1, 100 do config['x' .. i] = i config.scale['y' .. i] = i end");
    QTest::newRow("no table") << std::string("config.scale = 1");
    QTest::newRow("no table at all") << std::string("replace(1)");
    QTest::newRow("another kind") << std::string("config.scale.by = {}");
  }
  void tablesOnTheWayMayChange() {
    QFETCH(std::string, change);
    Variable variable("local c = {scale = {by = 2}} config = c function replace(t) c = t config = t collectgarbage() end "
                      "return function() return c.scale.by end",
                      {"scale", "by"});
    QVERIFY(variable.isGood());
    QVERIFY(variable.slot().holds({2, 3}));
    QVERIFY(variable.run(change));
    // Without a new search it may know nothing; what it knows is right.
    const std::optional<PlainBits> before = variable.slot().read();
    QVERIFY(!before || before == variable.expected());
    variable.slot().locate();
    const std::optional<PlainBits> after = variable.slot().read();
    // A field that is not there has no memory.
    QVERIFY2(after == variable.expected() || (variable.expected() == kNil && !after),
             (textOf(after) + " but " + textOf(variable.expected())).c_str());
  }

  /// Entries of a table move, come and go; new tables and strings lie where old ones were.
  void randomChangesAreSeen() {
    Variable variable("t = {k = 0} local v = t function replace() t = {} v = t end return function() return v.k end", {"k"});
    QVERIFY(variable.isGood());
    QVERIFY(variable.run(R"lua(
      local seed = 1
      local function draw(n) seed = (seed * 1103515245 + 12345) % 2147483648 return seed // 65536 % n end
      function step()
        local what = draw(12)
        if what == 0 then t.k = draw(5) elseif what == 1 then t.k = draw(5) + 0.0 elseif what == 2 then t.k = nil
        elseif what == 3 then t.k = 's' .. draw(5) elseif what == 4 then replace() t.k = draw(3)
        elseif what == 5 then collectgarbage() elseif what == 6 then t['key' .. draw(40)] = nil
        elseif what == 7 then t.k = ('long'):rep(20) .. draw(3) elseif what == 8 then t.k = draw(2) == 0
        else t['key' .. draw(40)] = draw(9) end
      end)lua"));
    std::size_t seen = 0;
    for (int i = 0; i < 20'000; ++i) {
      const std::optional<PlainBits> before = variable.slot().read();
      QVERIFY(variable.run("step()"));
      const std::optional<PlainBits> expected = variable.expected();
      const std::optional<PlainBits> now = variable.slot().read();
      QVERIFY2(!now || now == expected, fmt::format("step {}: {} but {}", i, textOf(now), textOf(expected)).c_str());
      const bool isSaidToHold = before && variable.slot().holds(*before);
      QVERIFY(!isSaidToHold || before == expected);
      variable.slot().locate();
      QVERIFY2(expected == kNil || variable.slot().read() == expected,
               fmt::format("step {}: {} but {}", i, textOf(variable.slot().read()), textOf(expected)).c_str());
      seen += variable.slot().read() ? 1U : 0U;
    }
    QVERIFY(seen > 10'000);
  }
};

QTEST_GUILESS_MAIN(TestVariableSlot)
#include "tst_variable_slot.moc"
