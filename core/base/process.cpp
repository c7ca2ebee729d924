// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process.h"

#include <sys/prctl.h>
#include <unistd.h>

namespace jitscope::base {

bool endWithParent(int signal, int parent) noexcept {
  // The parent may have ended before the request: it then stays without effect.
  return ::prctl(PR_SET_PDEATHSIG, signal) == 0 && ::getppid() == parent;
}

} // namespace jitscope::base
