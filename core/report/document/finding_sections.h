// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::analysis {
struct Finding;
} // namespace jitscope::analysis

namespace jitscope::report {

struct SectionContext;

/// What is wrong in the session, what it costs and what to do, the first thing that a report says; one line where nothing is.
[[nodiscard]] DocumentSection findingSection(const SectionContext &context);

/// "6.25 s (84.2 %), storm: standardize was compiled 12 times for 24 calls: … (script.lua:9)".
[[nodiscard]] std::string findingHeadline(const analysis::Finding &finding);

/// What follows the headline, a paragraph each: the explanation, what to do, and what that brings where it is known.
[[nodiscard]] std::vector<std::string> findingParagraphs(const analysis::Finding &finding);

/// The sentence for a session without findings.
[[nodiscard]] std::string noFindingsText(std::uint64_t calls, std::uint64_t compiles);

} // namespace jitscope::report
