// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "script/host.h"

#include <string>
#include <vector>

namespace jitscope::runtime {

/// Looks at what the run has recorded. The engine knows only this: sessions are read by the application.
class FindingSource {
public:
  virtual ~FindingSource() = default;
  /// As `script::Host::findings`. Called on the script's thread.
  virtual base::Result<std::vector<std::string>> find(const script::FindingQuery &query) = 0;
};

} // namespace jitscope::runtime
