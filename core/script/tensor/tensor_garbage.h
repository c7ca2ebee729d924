// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"

#include <cstddef>
#include <cstdint>

struct lua_State;

namespace jitscope::script {

/// Makes Lua's collector account for tensors, which look like a few dozen bytes to Lua. Used by whichever thread runs Lua; one at a
/// time.
class TensorGarbage {
public:
  explicit TensorGarbage(const Host &host) : m_host(host) {}

  /// Counts a tensor that becomes a Lua value, and collects garbage after enough bytes.
  void tensorMade(lua_State *lua, std::size_t bytes);
  /// Collects everything that is unreachable now.
  void collect(lua_State *lua);

private:
  const Host &m_host;
  std::uint64_t m_madeBytes = 0;   // since the last collection
  std::uint64_t m_enoughBytes = 0; // for the next one; 0: not yet known
};

/// Runs `attempt`; when tensors have used up their bytes, collects garbage and tries once more.
template <typename Attempt> auto withTensorMemory(lua_State *lua, TensorGarbage &garbage, Attempt attempt) {
  auto result = attempt();
  if (!result && result.error().code == base::ErrorCode::RuntimeMemory) {
    garbage.collect(lua);
    result = attempt();
  }
  return result;
}

} // namespace jitscope::script
