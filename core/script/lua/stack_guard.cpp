// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/lua/stack_guard.h"

#include <pthread.h>

namespace jitscope::script {

std::size_t StackGuard::remainingBytes() {
  const auto *here = static_cast<const std::byte *>(__builtin_frame_address(0));
  // A thread's id may come back with another stack once the thread has ended; then the address lies outside.
  constexpr std::ptrdiff_t kImplausible = std::ptrdiff_t{1} << 30U;
  if (m_thread != std::this_thread::get_id() || here < m_end || here - m_end > kImplausible) {
    pthread_attr_t attributes{};
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
      return SIZE_MAX;
    }
    void *lowest = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    m_thread = std::this_thread::get_id();
    m_end = static_cast<const std::byte *>(lowest);
  }
  return static_cast<std::size_t>(here - m_end);
}

} // namespace jitscope::script
