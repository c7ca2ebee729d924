// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// The sections of the text report on what the optimizer did. Each gives its heading and content, or nothing where there is nothing
/// to say.
namespace jitscope::report {

struct TextContext;

/// Every study: what its pipelines cost, what they made, where they part ways, and what work was repeated.
std::string studySection(const TextContext &context);
/// The passes that took longest: more of them, side by side, where there are several pipelines.
std::string passSection(const TextContext &context);
/// How many remarks there are, in a line or two.
std::string remarkSection(const TextContext &context);

} // namespace jitscope::report
