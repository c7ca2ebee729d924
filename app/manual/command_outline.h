// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "manual/value_type.h"

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace jitscope::app {

/// An option or a positional argument of a command, as its declaration gives it.
struct OutlineOption {
  std::string shortName;    ///< without its hyphen; empty: none
  std::string longName;     ///< without its hyphens; the name of a positional argument
  std::string value;        ///< the name of what it takes, e.g. "FILE"; empty for a flag
  ValueType type;           ///< of what it takes
  std::string defaultValue; ///< empty: none is stated
  std::string description;
  bool isPositional = false;
  bool isRequired = false;
  bool isRepeatable = false;

  /// The description, followed by the values to choose from and the default in parentheses.
  [[nodiscard]] std::string explanation() const;
};

/// A command with its options and sub-commands. Hidden ones are left out.
struct CommandOutline {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<OutlineOption> options; ///< in the order of their declaration, `--help` first
  std::vector<CommandOutline> commands;
};

/// Help texts, the manual page and the completions of shells are made from the declarations that also parse the command line.
[[nodiscard]] OutlineOption outlineOf(const CLI::Option &option);
[[nodiscard]] CommandOutline outlineOf(const CLI::App &app);

} // namespace jitscope::app
