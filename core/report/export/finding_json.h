// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding.h"

#include <vector>

#include <nlohmann/json.hpp>

namespace jitscope::report {

/// Findings in their order: an array of objects, empty for none.
[[nodiscard]] nlohmann::ordered_json findingsJson(const std::vector<analysis::Finding> &findings);

} // namespace jitscope::report
