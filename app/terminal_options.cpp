// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal_options.h"

#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace jitscope::app {

report::ReportOptions optionsForTerminal(const std::filesystem::path &output) {
  report::ReportOptions options;
  const bool isTerminal = output.empty() && ::isatty(STDOUT_FILENO) == 1;
  const char *noColor = std::getenv("NO_COLOR"); // NOLINT(concurrency-mt-unsafe): nothing changes the environment
  options.colour = isTerminal && (noColor == nullptr || *noColor == '\0');
  winsize size{};
  if (isTerminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    options.width = size.ws_col;
  }
  return options;
}

} // namespace jitscope::app
