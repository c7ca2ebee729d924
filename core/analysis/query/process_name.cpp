// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/query/process_name.h"

namespace jitscope::analysis {

ProcessName nameOfProcess(std::uint16_t process, const std::vector<session::MergedPart> &parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (process >= parts[i].firstProcess && process <= parts[i].lastProcess) {
      return {static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(process - parts[i].firstProcess), parts[i].scriptPath};
    }
  }
  return {0, process, {}};
}

} // namespace jitscope::analysis
