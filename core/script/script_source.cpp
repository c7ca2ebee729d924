// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/script_source.h"

#include "base/sha256.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <llvm/Support/ConvertUTF.h>

namespace jitscope::script {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::unexpected<base::Error> unreadable(std::string message) { return fail(ErrorCode::ScriptUnreadable, std::move(message)); }

std::string sizeText(std::uint64_t bytes) {
  return bytes >= (1U << 20U) ? fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1U << 20U))
                              : fmt::format("{} bytes", bytes);
}

std::size_t lineAt(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

/// Where UTF-8 ends, or the text's size.
std::size_t firstIllegalByte(const std::string &text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *position = begin;
  llvm::isLegalUTF8String(&position, begin + text.size());
  return static_cast<std::size_t>(position - begin);
}

std::unexpected<base::Error> tooLarge(const std::string &name, const ScriptLoadOptions &options) {
  return unreadable(
      fmt::format("{}: larger than {}, the maximum for a graph script; is it a script?", name, sizeText(options.maxBytes)));
}

} // namespace

Result<ScriptSource> makeScript(std::string name, std::string text, const ScriptLoadOptions &options) {
  if (text.size() > options.maxBytes) {
    return tooLarge(name, options);
  }
  if (text.empty() || text == kByteOrderMark) {
    return unreadable(fmt::format("{}: the file is empty", name));
  }
  if (text.front() == kCompiledLuaMark) {
    return unreadable(fmt::format("{}: this is compiled Lua; graph scripts are source text", name));
  }
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos) {
    return unreadable(fmt::format("{}: a binary file (a zero byte at offset {}), not a script", name, zero));
  }
  if (const std::size_t offset = firstIllegalByte(text); offset < text.size()) {
    return unreadable(fmt::format("{}:{}: not UTF-8: byte 0x{:02X} at offset {}; save the script as UTF-8", name,
                                  lineAt(text, offset), static_cast<unsigned char>(text[offset]), offset));
  }
  ScriptSource source{{}, std::move(name), std::move(text), {}};
  source.sha256 = base::sha256Of(source.text);
  return source;
}

Result<ScriptSource> loadScript(const std::filesystem::path &path, const ScriptLoadOptions &options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return unreadable(fmt::format("{}: a folder, not a script", path.string()));
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) {
    return unreadable(fmt::format("{}: cannot be opened: {}", path.string(), std::generic_category().message(errno)));
  }
  // By pieces and not by the file's size: pipes have none, and a device would never end.
  std::string text;
  std::array<char, 65536> piece{};
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), count);
    if (text.size() > options.maxBytes) {
      return tooLarge(path.string(), options);
    }
  }
  if (std::ferror(file.get()) != 0) {
    return unreadable(fmt::format("{}: cannot be read: {}", path.string(), std::generic_category().message(errno)));
  }
  // Errors before the script runs name the whole path; from then on its file name is enough.
  Result<ScriptSource> source = makeScript(path.string(), std::move(text), options);
  if (source) {
    source->path = path;
    source->name = path.filename().string();
  }
  return source;
}

std::string_view luaTextOf(const ScriptSource &source) {
  std::string_view text = source.text;
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  if (text.starts_with("#!")) {
    // The line break stays, so that the lines keep their numbers.
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  return text;
}

} // namespace jitscope::script
