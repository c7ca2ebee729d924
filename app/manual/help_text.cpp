// SPDX-License-Identifier: GPL-3.0-or-later
#include "manual/help_text.h"

#include "manual/command_outline.h"
#include "output/terminal_options.h"

#include "report/render/display_text.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace jitscope::app {

namespace {

constexpr std::size_t kTextColumn = 28;

} // namespace

std::string helpEntry(const std::string &name, const std::string &text) {
  constexpr std::size_t kNarrowestText = 30;
  const std::size_t width = optionsForTerminal({}).width;
  const std::size_t room = std::max(width, kTextColumn + kNarrowestText) - kTextColumn;
  std::string entry = "  " + name;
  bool isFirst = true;
  for (const std::string &line : report::wrap(text, room, std::numeric_limits<std::size_t>::max())) {
    if (!isFirst || entry.size() + 2 > kTextColumn) {
      entry += "\n" + std::string(kTextColumn, ' ');
    } else {
      entry.resize(kTextColumn, ' ');
    }
    entry += line;
    isFirst = false;
  }
  return entry + "\n";
}

std::string HelpFormatter::make_option(const CLI::Option *option, bool isPositional) const {
  const OutlineOption outline = outlineOf(*option);
  std::string name = outline.longName;
  if (!isPositional) {
    name = outline.shortName.empty() ? "" : "-" + outline.shortName + (outline.longName.empty() ? "" : ", ");
    name += outline.longName.empty() ? "" : "--" + outline.longName;
    name += outline.value.empty() ? "" : " " + outline.value;
  }
  name += outline.isRepeatable && !name.ends_with("...") ? " ..." : "";
  return helpEntry(name, (outline.isRequired && !isPositional ? "Required. " : "") + outline.explanation());
}

std::string HelpFormatter::make_help(const CLI::App *app, std::string name, CLI::AppFormatMode mode) const {
  // CLI11 leaves an empty line where a group is hidden.
  return CLI::detail::find_and_replace(Formatter::make_help(app, std::move(name), mode), "\n\n\n", "\n\n");
}

std::string HelpFormatter::make_subcommand(const CLI::App *command) const {
  return helpEntry(command->get_name(), command->get_description());
}

std::string helpFooter(std::string_view notes, const std::vector<ExitStatusMeaning> &statuses,
                       const std::vector<Example> &examples) {
  std::string text = notes.empty() ? "" : fmt::format("{}\n\n", notes);
  text += "Exit status:\n";
  for (const ExitStatusMeaning &row : statuses) {
    text += fmt::format("  {}  {}\n", static_cast<int>(row.status), row.meaning);
  }
  if (!examples.empty()) {
    text += "\nExamples:\n";
    for (const Example &example : examples) {
      text += fmt::format("  {}\n      {}\n", example.command, example.purpose);
    }
  }
  text.pop_back();
  return text;
}

} // namespace jitscope::app
