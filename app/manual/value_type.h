// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What options and positional arguments take. A declaration gives the name with `type_name`; help texts, the manual page and the
/// completions of shells look up the rest here.
namespace jitscope::app {

namespace value {
inline constexpr const char *kCount = "N";
inline constexpr const char *kCpu = "CPU";
inline constexpr const char *kFile = "FILE";
inline constexpr const char *kFilter = "KEY=VALUE";
inline constexpr const char *kFolder = "FOLDER";
inline constexpr const char *kFindings = "KIND,...[:SECONDS]";
inline constexpr const char *kFormat = "FORMAT";
inline constexpr const char *kFunction = "FUNCTION";
inline constexpr const char *kId = "ID";
inline constexpr const char *kModule = "MODULE";
inline constexpr const char *kPercent = "PERCENT";
inline constexpr const char *kPipeline = "PIPELINE";
inline constexpr const char *kPipelines = "PIPELINE,...";
inline constexpr const char *kPoint = "POINT";
inline constexpr const char *kScript = "SCRIPT";
inline constexpr const char *kScripts = "SCRIPT|FOLDER";
inline constexpr const char *kSeconds = "SECONDS";
inline constexpr const char *kSeed = "SEED";
inline constexpr const char *kSession = "SESSION";
inline constexpr const char *kSessions = "SESSION|FOLDER";
inline constexpr const char *kSetting = "NAME=VALUE";
inline constexpr const char *kShard = "I/N";
inline constexpr const char *kSides = "LEFT,RIGHT";
inline constexpr const char *kSymbol = "SYMBOL";
inline constexpr const char *kTable = "TABLE";
inline constexpr const char *kTriple = "TRIPLE";
inline constexpr const char *kWhen = "WHEN";
} // namespace value

/// How a shell completes a value.
enum class Completion : std::uint8_t {
  None,     ///< by nothing: a number, a free text
  Files,    ///< by files with one of `words` as their ending, any file if there are none, and by folders on the way
  Folders,  ///< by folders
  Words,    ///< by one of `words`
  WordList, ///< by some of `words`, separated by commas
  Prefixes, ///< by one of `words`, which the user continues: "opt="
};

struct ValueType {
  Completion completion = Completion::None;
  std::vector<std::string> words;
};

/// The type of that name; one that is completed by nothing for any other name.
[[nodiscard]] ValueType valueType(std::string_view name);

} // namespace jitscope::app
