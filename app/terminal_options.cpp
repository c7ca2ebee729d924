// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal_options.h"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

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
    std::size_t width = 0;
    const std::string_view text(columns);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    options.width = error == std::errc() && end == text.data() + text.size() && width > 0 ? width : options.width;
  }
  return options;
}

} // namespace jitscope::app
