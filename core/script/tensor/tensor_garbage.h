// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"

#include <cstddef>
#include <cstdint>

struct lua_State;

namespace jitscope::script {

/// Keeps Lua's collector at pace with tensors: to Lua each is a few dozen bytes, whatever hangs on it. Used by whichever thread
/// runs Lua; one at a time.
class TensorGarbage {
public:
  explicit TensorGarbage(const Host &host) : m_host(host) {}

  /// Counts a tensor that becomes a Lua value; collects once enough bytes have come together.
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
