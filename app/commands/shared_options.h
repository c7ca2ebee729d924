// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "output/progress_display.h"

#include "analysis/findings/finding_gate.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

/// Options that several commands have, with their help texts and checks.
namespace jitscope::app {

/// Adds `--set`; `list` says where the options are listed.
void addSettingOption(CLI::App &command, std::vector<std::string> &settings, const char *list = "see jitscope run --help");
/// Adds `--set` and `--pipeline`.
void addSettingOptions(CLI::App &command, std::vector<std::string> &settings, std::string &pipeline,
                       const char *list = "see jitscope run --help");
/// Adds `--progress`.
void addProgressOption(CLI::App &command, std::string &mode);

inline constexpr const char *kThresholdHelp = "Smallest change of a median, in percent of the base, that counts";
inline constexpr const char *kAcrossMachinesHelp = "Judge times even if the sessions come from different CPUs";
inline constexpr const char *kOverwriteHelp = "Replace an existing session file; other files are never replaced";
inline constexpr const char *kStopHelp =
    "Ctrl-C, SIGTERM, SIGHUP and --timeout stop the command within a second, with status 1. The session holds\n"
    "everything recorded so far. A second signal ends the process at once. Child processes end with it.";
inline constexpr const char *kSeedHelp =
    "Measure cases and legs of benchmarks in an order drawn from this number; random draws the number. The number is printed and "
    "recorded, and the same number gives the same order";

/// Adds `--fail-on`; `gatesFrom` reads what it took.
void addFailOnOption(CLI::App &command, std::vector<std::string> &gates);
/// The gates of checked texts.
std::vector<analysis::FindingGate> gatesFrom(const std::vector<std::string> &texts);

/// "" for a finite time of 0 or more seconds, else what is wrong with it.
std::string checkSeconds(const std::string &text);
/// "" for a seed that a session can store, or "random"; else what is wrong with it.
std::string checkSeed(const std::string &text);
/// The seed that a checked text stands for; "random" draws one of at most six digits.
std::uint64_t seedFrom(const std::string &text);

/// The mode of that name: "auto", "always" or "never".
ProgressMode progressModeFrom(const std::string &name);

} // namespace jitscope::app
