// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal.h"

#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace jitscope::app {

OutputLook standardOutputLook() {
  OutputLook look;
  if (::isatty(STDOUT_FILENO) != 1) {
    return look;
  }
  const char *noColor = std::getenv("NO_COLOR"); // NOLINT(concurrency-mt-unsafe): nothing changes the environment
  look.colour = noColor == nullptr || *noColor == '\0';
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    look.columns = size.ws_col;
  }
  return look;
}

} // namespace jitscope::app
