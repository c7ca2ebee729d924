// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/trace/script_function.h"
#include "script/lua/lua_function.h"
#include "script/lua/userdata.h"

#include <algorithm>

#include <fmt/format.h>

namespace jitscope::script {

namespace {

constexpr char kTypeKey = 0; // its address is the key

} // namespace

std::string ScriptFunction::argumentProblem(int given) const {
  const int expected = m_traits.parameterCount;
  if (given == expected || (m_traits.isVariadic && given > expected)) {
    return {};
  }
  return fmt::format("{} (defined on line {}) takes {}{} argument{}, got {}", name(), line(),
                     m_traits.isVariadic ? "at least " : "", expected, expected == 1 ? "" : "s", given);
}

std::shared_ptr<const TracedGraph> ScriptFunction::find(const std::string &signature) {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_known.find(signature);
  return found == m_known.end() ? nullptr : found->second.lock();
}

void ScriptFunction::remember(const std::string &signature, const std::shared_ptr<const TracedGraph> &traced) {
  const std::scoped_lock lock(m_mutex);
  if (m_known.size() >= m_sweepSize) {
    std::erase_if(m_known, [](const auto &entry) { return entry.second.expired(); });
    m_sweepSize = std::max(kMinimumSweepSize, 2 * m_known.size());
  }
  m_known[signature] = traced;
}

void ScriptFunction::keep(const std::string &signature, std::shared_ptr<const TracedGraph> traced) {
  const std::scoped_lock lock(m_mutex);
  m_kept[signature] = std::move(traced);
}

std::shared_ptr<const TracedGraph> ScriptFunction::kept(const std::string &signature) {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_kept.find(signature);
  return found == m_kept.end() ? nullptr : found->second;
}

void ScriptFunction::forget(const std::string &signature) {
  std::shared_ptr<const TracedGraph> last; // outlives the lock: callees of callees may go with it
  const std::scoped_lock lock(m_mutex);
  if (const auto found = m_kept.find(signature); found != m_kept.end()) {
    last = std::move(found->second);
    m_kept.erase(found);
  }
  m_known.erase(signature);
}

ScriptFunction *asFunction(lua_State *lua, int index) {
  auto *holder = asUserdata<std::shared_ptr<ScriptFunction>>(lua, index, &kTypeKey);
  return holder == nullptr ? nullptr : holder->get();
}

std::shared_ptr<ScriptFunction> sharedFunction(lua_State *lua, int index) {
  auto *holder = asUserdata<std::shared_ptr<ScriptFunction>>(lua, index, &kTypeKey);
  return holder == nullptr ? nullptr : *holder;
}

void pushFunction(lua_State *lua, std::shared_ptr<ScriptFunction> function) { pushUserdata(lua, &kTypeKey, std::move(function)); }

void createFunctionType(lua_State *lua) {
  createMetatable<std::shared_ptr<ScriptFunction>>(lua, &kTypeKey, "fn");
  lua_pop(lua, 1);
}

void pushFunctionMetatable(lua_State *lua) { pushMetatable(lua, &kTypeKey); }

} // namespace jitscope::script
