// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace jitscope::script {

/// The first byte of compiled Lua, which is never loaded.
inline constexpr char kCompiledLuaMark = '\x1B';

/// The text of a graph script, checked to be text.
struct ScriptSource {
  std::filesystem::path path; ///< as it was given; empty for text that came from no file
  std::string name;           ///< how errors call it: the file's name without its folder
  std::string text;           ///< the bytes of the file, unchanged
  std::string sha256;         ///< of the text; 64 lower-case hexadecimal digits
};

struct ScriptLoadOptions {
  std::uint64_t maxBytes = std::uint64_t{16} << 20U; ///< a larger script is refused
};

/// Reads a script. ScriptUnreadable where it is missing, a folder, empty, larger than the bound, Lua bytecode or otherwise binary,
/// or not UTF-8 (the line is named). A UTF-8 byte order mark and a `#!` line are accepted. Any thread.
base::Result<ScriptSource> loadScript(const std::filesystem::path &path, const ScriptLoadOptions &options = {});

/// The same checks for text that is in memory already. Any thread.
base::Result<ScriptSource> makeScript(std::string name, std::string text, const ScriptLoadOptions &options = {});

/// What Lua is to parse: the text without byte order mark and `#!` line; line numbers stay.
std::string_view luaTextOf(const ScriptSource &source);

} // namespace jitscope::script
