// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <string>

namespace jitscope::analysis {
struct Finding;
} // namespace jitscope::analysis

namespace jitscope::report {

struct SectionContext;

/// What is wrong in the session, what it costs and what to do, the first thing that a report says; one line where nothing is.
[[nodiscard]] DocumentSection findingSection(const SectionContext &context);

/// "6.25 s (84.2 %), storm: standardize was compiled 12 times for 24 calls: … (script.lua:9)".
[[nodiscard]] std::string findingHeadline(const analysis::Finding &finding);

} // namespace jitscope::report
