// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>

namespace jitscope::test {

/// The shape of a made-up session. Equal shapes give equal calls.
struct BigSession {
  std::uint64_t calls = 1'000'000;
  std::uint32_t functions = 10;
  std::uint32_t templates = 40;
  std::uint32_t threads = 2;
  std::uint32_t sections = 4;
  /// On the average every so many calls a template is compiled again.
  std::uint64_t callsPerMiss = 20'000;
  /// Average time from one call's start to the next, over all threads.
  std::uint64_t gapNs = 1'000;
  std::uint64_t seed = 1;
};

/// Writes a session of that shape, as a recorder would: in batches of some thousands.
[[nodiscard]] base::Result<void> writeBigSession(const std::filesystem::path &path, const BigSession &shape);

} // namespace jitscope::test
