// SPDX-License-Identifier: GPL-3.0-or-later
#include "manual/command_outline.h"

#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::app {

namespace {

/// The members of "FORMAT:{a,b,c}", which is how CLI11 names the type of an option with a fixed set of values.
std::vector<std::string> choicesIn(std::string_view type) {
  const std::size_t open = type.find(":{");
  const std::size_t close = type.rfind('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return {};
  }
  return CLI::detail::split(std::string(type.substr(open + 2, close - open - 2)), ',');
}

} // namespace

OutlineOption outlineOf(const CLI::Option &option) {
  OutlineOption outline;
  outline.isPositional = option.get_lnames().empty() && option.get_snames().empty();
  outline.shortName = option.get_snames().empty() ? "" : option.get_snames().front();
  outline.longName = outline.isPositional ? option.get_name(true) : option.get_lnames().empty() ? "" : option.get_lnames().front();
  outline.description = option.get_description();
  outline.isRequired = option.get_required();
  if (option.get_items_expected_max() == 0) {
    return outline;
  }
  const std::string type = option.get_type_name();
  outline.value = type.substr(0, type.find(':'));
  outline.type = valueType(outline.value);
  if (std::vector<std::string> choices = choicesIn(type); !choices.empty()) {
    outline.type = {Completion::Words, std::move(choices)};
  }
  outline.defaultValue = option.get_default_str();
  outline.isRepeatable = option.get_items_expected_max() > 1;
  return outline;
}

std::string OutlineOption::explanation() const {
  std::vector<std::string> notes;
  const bool isChoice = type.completion == Completion::Words;
  if (isChoice) {
    notes.push_back(fmt::format("one of {}", fmt::join(type.words, ", ")));
  }
  if (!defaultValue.empty()) {
    notes.push_back("default: " + defaultValue);
  }
  return notes.empty() ? description : fmt::format("{} ({})", description, fmt::join(notes, "; "));
}

CommandOutline outlineOf(const CLI::App &app) {
  CommandOutline outline;
  outline.name = app.get_name();
  outline.description = app.get_description();
  outline.footer = app.get_footer();
  for (const CLI::Option *option : app.get_options()) {
    if (!option->get_group().empty()) {
      outline.options.push_back(outlineOf(*option));
    }
  }
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) {
    if (!command->get_group().empty()) {
      outline.commands.push_back(outlineOf(*command));
    }
  }
  return outline;
}

} // namespace jitscope::app
