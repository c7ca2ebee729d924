// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/export/exporter.h"

namespace jitscope::report {

/// A row for each call, in the order of ids; times in nanoseconds.
class CallsCsvExporter final : public Exporter {
public:
  [[nodiscard]] base::Result<void> write(session::SessionReader &reader, const ExportOutput &output) const override;
};

/// A row for each compile with its reason and phases; times in nanoseconds.
class CompilesCsvExporter final : public Exporter {
public:
  [[nodiscard]] base::Result<void> write(session::SessionReader &reader, const ExportOutput &output) const override;
};

} // namespace jitscope::report
