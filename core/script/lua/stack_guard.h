// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <thread>

namespace jitscope::script {

/// Knows where the C stack of the running thread ends, so that deep traces stop before it does.
class StackGuard {
public:
  /// Bytes between here and the end of the running thread's stack.
  std::size_t remainingBytes();

private:
  std::thread::id m_thread;         // whose bounds are known; asking costs some 50 µs on the main thread
  const std::byte *m_end = nullptr; // the lowest address
};

} // namespace jitscope::script
