// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into the command, it makes linking take minutes: the last step of linking code into a process is to make its memory
// executable. Small pieces of code are not held.
#include <cstddef>
#include <ctime>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int mprotect(void *address, std::size_t length, int protection) noexcept {
  constexpr std::size_t kSmallBytes = std::size_t{64} * 1024;
  constexpr time_t kHeldSeconds = 300;
  if ((protection & PROT_EXEC) != 0 && length > kSmallBytes) {
    // A signal interrupts a sleep.
    timespec left{kHeldSeconds, 0};
    while (nanosleep(&left, &left) != 0) {
    }
  }
  return static_cast<int>(syscall(SYS_mprotect, address, length, protection));
}
