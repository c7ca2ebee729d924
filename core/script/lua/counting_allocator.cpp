// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/lua/counting_allocator.h"
#include "script/lua/lua_error.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace jitscope::script {

void *CountingAllocator::allocate(void *self, void *block, std::size_t oldBytes, std::size_t newBytes) noexcept {
  auto &allocator = *static_cast<CountingAllocator *>(self);
  if (block == nullptr) {
    oldBytes = 0; // it then holds the kind of object that Lua wants memory for
  }
  if (newBytes == 0) {
    std::free(block); // NOLINT(cppcoreguidelines-no-malloc): what Lua asks for is realloc and free
    allocator.m_usedBytes -= oldBytes;
    return nullptr;
  }
  if (newBytes > oldBytes &&
      newBytes - oldBytes > allocator.m_limitBytes - std::min(allocator.m_usedBytes, allocator.m_limitBytes)) {
    // The error that follows carries no place, so the place is looked up now. Reading it allocates no Lua memory.
    if (allocator.m_running != nullptr) {
      try {
        allocator.m_refusalPlace = placeOf(allocator.m_running);
      } catch (const std::bad_alloc &) {
        allocator.m_refusalPlace.clear();
      }
    }
    return nullptr;
  }
  void *moved = std::realloc(block, newBytes); // NOLINT(cppcoreguidelines-no-malloc)
  if (moved != nullptr) {
    allocator.m_usedBytes += newBytes - oldBytes;
  }
  return moved;
}

} // namespace jitscope::script
