// SPDX-License-Identifier: GPL-3.0-or-later
#include "output/output_path.h"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace jitscope::app {

std::filesystem::path defaultSessionPath(const std::filesystem::path &script) {
  const std::string stem = script.stem().empty() ? "session" : script.stem().string();
  const std::string name = fmt::format("{}-{:%Y%m%d-%H%M%S}", stem, fmt::localtime(std::time(nullptr)));
  std::filesystem::path path = name + ".jitscope";
  std::error_code ignored;
  for (int i = 2; std::filesystem::exists(path, ignored); ++i) {
    path = fmt::format("{}-{}.jitscope", name, i);
  }
  return path;
}

} // namespace jitscope::app
