// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/exit_status.h"

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace jitscope::app {

/// What `--help` prints: options with the name of what they take and their defaults, in lines that fit the terminal.
class HelpFormatter : public CLI::Formatter {
public:
  std::string make_option(const CLI::Option *option, bool isPositional) const override;
  std::string make_help(const CLI::App *app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_subcommand(const CLI::App *command) const override;
};

/// A name, and beside it (below it where it is long) its explanation, in lines that fit the terminal.
[[nodiscard]] std::string helpEntry(const std::string &name, const std::string &text);

struct Example {
  std::string_view command; ///< the whole line
  std::string_view purpose; ///< what it does
};

/// The end of a command's help: notes, if any, what its exit statuses mean, and examples.
[[nodiscard]] std::string helpFooter(std::string_view notes, const std::vector<ExitStatusMeaning> &statuses,
                                     const std::vector<Example> &examples);

} // namespace jitscope::app
