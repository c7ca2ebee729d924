// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/tensor/tensor_garbage.h"

#include <algorithm>

#include <lua.hpp>

namespace jitscope::script {

namespace {

/// So many bytes of garbage are not worth a collection, which takes some 0.1 ms in a script of usual size.
constexpr std::uint64_t kMinBytes = std::uint64_t{64} << 20U;

} // namespace

void TensorGarbage::tensorMade(lua_State *lua, std::size_t bytes) {
  m_madeBytes += bytes;
  if (m_madeBytes < std::max(m_enoughBytes, kMinBytes)) {
    return;
  }
  collect(lua);
  // As Lua does by default: the next one when as much again has been made as is alive now.
  m_enoughBytes = m_host.counters().tensorLiveBytes;
}

void TensorGarbage::collect(lua_State *lua) {
  m_madeBytes = 0;
  lua_gc(lua, LUA_GCCOLLECT);
}

} // namespace jitscope::script
