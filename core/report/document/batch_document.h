// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <filesystem>

namespace jitscope::report {

struct BatchResult;

/// The batch as a page: a row for each script, then what failed. Links, in HTML, are relative to the folder `from`.
[[nodiscard]] Document batchDocument(const BatchResult &batch, const std::filesystem::path &from = {});

} // namespace jitscope::report
