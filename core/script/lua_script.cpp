// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/lua_script.h"
#include "script/bindings/bindings.h"
#include "script/bindings/checks/bindings_budget.h"
#include "script/bindings/checks/bindings_expect.h"
#include "script/bindings/measure/bindings_bench.h"
#include "script/bindings/measure/bindings_control.h"
#include "script/bindings/measure/bindings_function.h"
#include "script/bindings/measure/bindings_study.h"
#include "script/bindings/tensors/bindings_creation.h"
#include "script/bindings/tensors/bindings_elementwise.h"
#include "script/bindings/tensors/bindings_inspect.h"
#include "script/bindings/tensors/bindings_reduce.h"
#include "script/bindings/tensors/bindings_shape.h"
#include "script/lua/lua_function.h"
#include "script/sandbox/sandbox.h"
#include "script/script_context.h"
#include "script/tensor/lua_tensor.h"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

/// Keeps the two ends of a long chain of calls: the innermost lines and the outermost.
void shorten(std::vector<std::string> &context) {
  constexpr std::size_t kInnermost = 12;
  constexpr std::size_t kOutermost = 4;
  if (context.size() <= kInnermost + kOutermost + 1) {
    return;
  }
  const std::size_t left = context.size() - kInnermost - kOutermost;
  context[kInnermost] = fmt::format("({} more)", left);
  context.erase(context.begin() + kInnermost + 1, context.end() - kOutermost);
}

} // namespace

/// What exists from construction on; the Lua state itself lives only inside `run`.
class LuaScript::Impl {
public:
  Impl(ScriptSource source, Host &host, const std::atomic<bool> &stop, LuaOptions options)
      : m_source(std::move(source)), m_host(host), m_options(options), m_watchdog(options.limits, options.timeoutNs, stop) {}

  Result<void> run() {
    if (std::exchange(m_hasRun, true)) {
      return base::fail(ErrorCode::Internal, "the script has run already");
    }
    ScriptContext context(m_source.name, m_host, m_options, m_watchdog);
    const std::unique_ptr<lua_State, void (*)(lua_State *)> state(lua_newstate(CountingAllocator::allocate, &context.allocator),
                                                                  &lua_close);
    if (!state) {
      return base::fail(ErrorCode::ScriptLimit,
                        "the memory limit is too low for Lua to start; it is raised with --set memory_mib=N");
    }
    lua_State *lua = state.get();
    setContext(lua, context);
    context.allocator.setRunning(lua);
    context.watchdog.start();
    // Pushing a C function allocates nothing: everything that may fail happens inside the protected call.
    lua_pushcfunction(lua, guarded<handleMessage>);
    lua_pushcfunction(lua, guarded<runProtected>);
    lua_pushlightuserdata(lua, &m_source);
    const int status = lua_pcall(lua, 1, 0, 1);
    Result<void> result;
    if (status != LUA_OK) {
      result = std::unexpected(takeError(lua, status));
      shorten(result.error().context);
    }
    // Nothing of Lua may be reached any more, neither by the engine nor by what closing it frees.
    context.link->tracer = nullptr;
    context.tracer.detach();
    context.allocator.setRunning(nullptr);
    return result;
  }

  [[nodiscard]] Place place() const {
    const Watchdog::Place place = m_watchdog.place();
    return {place.line > 0 ? fmt::format("{}:{}: ", m_source.name, place.line) : "", place.what == nullptr ? "" : place.what};
  }
  [[nodiscard]] std::optional<Error> overrun(std::uint64_t graceNs) const {
    std::optional<Error> error = m_watchdog.overrun(graceNs);
    if (error) {
      const Place where = place();
      error->message = where.line + error->message;
      error->context.push_back(fmt::format("{} did not return to the script, so the run was ended from outside",
                                           where.what.empty() ? "a function of Lua's library" : where.what));
    }
    return error;
  }

private:
  static int runProtected(lua_State *lua) {
    const auto &source = *static_cast<const ScriptSource *>(lua_touserdata(lua, 1));
    ScriptContext &context = contextOf(lua);
    Watchdog::attach(lua);
    createTensorType(lua);
    createFunctionType(lua);
    openSandbox(lua);
    addElementwise(lua);
    addShapes(lua);
    addReductions(lua);
    addCreation(lua);
    addInspection(lua);
    addFunctions(lua);
    addControl(lua);
    addBench(lua);
    addStudies(lua);
    addExpectations(lua);
    addBudgets(lua);
    guardGlobals(lua);
    context.tracer.attach(lua);

    const std::string_view text = luaTextOf(source);
    const std::string chunkName = "@" + source.name;
    if (luaL_loadbufferx(lua, text.data(), text.size(), chunkName.c_str(), "t") == LUA_ERRSYNTAX) {
      context.errors.remember({ErrorCode::ScriptSyntax, lua_tostring(lua, -1)});
      lua_error(lua);
    }
    if (!lua_isfunction(lua, -1)) {
      lua_error(lua); // no memory for it
    }
    lua_call(lua, 0, 0);
    return 0;
  }

  ScriptSource m_source;
  Host &m_host;
  LuaOptions m_options;
  Watchdog m_watchdog;
  bool m_hasRun = false;
};

LuaScript::LuaScript(ScriptSource source, Host &host, const std::atomic<bool> &stop, LuaOptions options)
    : m_impl(std::make_unique<Impl>(std::move(source), host, stop, options)) {}

LuaScript::~LuaScript() = default;

base::Result<void> LuaScript::run() { return m_impl->run(); }
LuaScript::Place LuaScript::place() const { return m_impl->place(); }
std::optional<base::Error> LuaScript::overrun(std::uint64_t graceNs) const { return m_impl->overrun(graceNs); }

} // namespace jitscope::script
