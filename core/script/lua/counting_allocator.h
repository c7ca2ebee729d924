// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

struct lua_State;

namespace jitscope::script {

/// The memory of one Lua state, counted and bounded. Used by whichever thread runs Lua; one at a time.
class CountingAllocator {
public:
  explicit CountingAllocator(std::size_t limitBytes) : m_limitBytes(limitBytes) {}
  CountingAllocator(const CountingAllocator &) = delete;
  CountingAllocator &operator=(const CountingAllocator &) = delete;

  /// The signature of lua_Alloc; `self` is the allocator. Null when the bound would be passed: Lua then collects its garbage and
  /// asks once more.
  static void *allocate(void *self, void *block, std::size_t oldBytes, std::size_t newBytes) noexcept;

  /// The Lua thread that is running, whose line a refusal is remembered by; null: none.
  void setRunning(lua_State *lua) { m_running = lua; }
  [[nodiscard]] lua_State *running() const { return m_running; }

  [[nodiscard]] std::size_t limitBytes() const { return m_limitBytes; }
  [[nodiscard]] std::size_t usedBytes() const { return m_usedBytes; }
  /// Where the last refusal happened, as "script.lua:12: "; "" before there was one.
  [[nodiscard]] const std::string &refusalPlace() const { return m_refusalPlace; }

private:
  std::size_t m_limitBytes;
  std::size_t m_usedBytes = 0;
  lua_State *m_running = nullptr;
  std::string m_refusalPlace;
};

} // namespace jitscope::script
