// SPDX-License-Identifier: GPL-3.0-or-later
#include "output/terminal_options.h"

#include "base/number.h"

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
  } else if (const char *columns = std::getenv("COLUMNS"); columns != nullptr && output.empty()) { // NOLINT(concurrency-mt-unsafe)
    // Where text goes to a log or a pipe, whoever reads it may say how wide it is to be.
    const std::size_t width = base::numberFrom<std::size_t>(columns).value_or(0);
    options.width = width > 0 ? width : options.width;
  }
  return options;
}

} // namespace jitscope::app
