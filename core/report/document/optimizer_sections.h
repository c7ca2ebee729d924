// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <cstddef>
#include <string>

namespace jitscope::analysis {
struct Summary;
}

/// The sections of reports on what the optimizer did; those of the text report give their heading and content, or nothing where
/// there is nothing to say.
namespace jitscope::report {

struct TextContext;

/// The passes that took longest, at most so many, side by side where there are several pipelines. Without blocks where there are
/// none.
[[nodiscard]] DocumentSection passSection(const analysis::Summary &summary, std::size_t maxRows);

/// Every study: what its pipelines cost, what they made, where they diverge, and what work was repeated.
std::string studySection(const TextContext &context);
/// The passes that took longest: more of them, side by side, where there are several pipelines.
std::string passSection(const TextContext &context);
/// How many remarks there are, in a line or two.
std::string remarkSection(const TextContext &context);

} // namespace jitscope::report
