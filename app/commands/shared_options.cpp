// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/shared_options.h"

#include "manual/value_type.h"

#include "base/number.h"

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::app {

void addSettingOption(CLI::App &command, std::vector<std::string> &settings, const char *list) {
  command.add_option("--set", settings, fmt::format("Set an option ({}); may be repeated", list))
      ->type_name(value::kSetting)
      ->allow_extra_args(false);
}

void addSettingOptions(CLI::App &command, std::vector<std::string> &settings, std::string &pipeline, const char *list) {
  addSettingOption(command, settings, list);
  command.add_option("--pipeline", pipeline, "Optimization pipeline; the same as --set pipeline=NAME")
      ->type_name(value::kPipeline)
      ->default_str("deferred");
}

void addProgressOption(CLI::App &command, std::string &mode) {
  command.add_option("--progress", mode, "When to show progress on standard error; auto: if it is a terminal")
      ->type_name(value::kWhen)
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

void addFailOnOption(CLI::App &command, std::vector<std::string> &gates) {
  std::vector<std::string_view> kinds;
  for (const analysis::FindingKind kind : analysis::kFindingKinds) {
    kinds.push_back(nameOf(kind));
  }
  command
      .add_option(
          "--fail-on", gates,
          fmt::format("Exit with status 1 if there is a finding of one of these kinds; with :SECONDS only if it costs more. "
                      "KIND is one of {}; may be repeated",
                      fmt::join(kinds, ", ")))
      ->type_name(value::kFindings)
      ->allow_extra_args(false)
      ->check([](const std::string &text) {
        const base::Result<analysis::FindingGate> gate = analysis::findingGateFrom(text);
        return gate ? std::string() : gate.error().message;
      });
}

std::vector<analysis::FindingGate> gatesFrom(const std::vector<std::string> &texts) {
  std::vector<analysis::FindingGate> gates;
  for (const std::string &text : texts) {
    if (base::Result<analysis::FindingGate> gate = analysis::findingGateFrom(text)) {
      gates.push_back(*std::move(gate));
    }
  }
  return gates;
}

std::string checkSeconds(const std::string &text) {
  const std::optional<double> seconds = base::numberFrom<double>(text);
  const bool isGood = seconds && std::isfinite(*seconds) && *seconds >= 0;
  return isGood ? "" : fmt::format("takes seconds, 0 or more, not '{}'", text);
}

std::string checkSeed(const std::string &text) {
  // SQLite's numbers have a sign.
  constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();
  const std::optional<std::uint64_t> number = base::numberFrom<std::uint64_t>(text);
  return text == "random" || (number && std::cmp_less_equal(*number, kMaximum))
             ? ""
             : fmt::format("takes a whole number from 0 to {}, or random, not '{}'", kMaximum, text);
}

std::uint64_t seedFrom(const std::string &text) {
  constexpr std::uint64_t kDrawn = 1'000'000;
  return text == "random" ? std::random_device()() % kDrawn : base::numberFrom<std::uint64_t>(text).value_or(0);
}

ProgressMode progressModeFrom(const std::string &name) {
  return name == "always" ? ProgressMode::Always : name == "never" ? ProgressMode::Never : ProgressMode::Auto;
}

} // namespace jitscope::app
