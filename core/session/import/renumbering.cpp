// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import/renumbering.h"

namespace jitscope::session {

namespace {

template <typename Part> base::Result<void> renumberParts(std::vector<Part> &parts, const Renumbering &renumbering) {
  const RowRenumbering<Part> rows(renumbering);
  for (Part &part : parts) {
    JITSCOPE_TRY_VOID(rows.apply(part));
  }
  return {};
}

} // namespace

Renumber renumberBy(std::int64_t offset) {
  if (offset == 0) {
    return {};
  }
  return [offset](std::uint64_t value) { return value + static_cast<std::uint64_t>(offset); };
}

Renumber Renumbering::of(const SessionColumn &column) const {
  switch (column.kind) {
  case ColumnKind::Id:
  case ColumnKind::Reference:
    return ids ? ids(column.table) : Renumber();
  case ColumnKind::Moment:
    return renumberBy(timeNs);
  case ColumnKind::Bench:
    return renumberBy(bench);
  case ColumnKind::Process:
    return process;
  default:
    return {};
  }
}

base::Result<void> renumberCompile(event::CompileEvent &compile, const Renumbering &renumbering) {
  JITSCOPE_TRY_VOID(renumberRow(compile, renumbering));
  JITSCOPE_TRY_VOID(renumberParts(compile.work, renumbering));
  JITSCOPE_TRY_VOID(renumberParts(compile.passes, renumbering));
  JITSCOPE_TRY_VOID(renumberParts(compile.remarks, renumbering));
  JITSCOPE_TRY_VOID(renumberParts(compile.loops, renumbering));
  const Column<SnapshotRow> &function =
      tableOf<SnapshotRow>().columns[static_cast<std::size_t>(tableOf<SnapshotRow>().indexOf("function_id"))];
  const Renumber renumber = renumbering.of(function);
  for (event::IrSnapshot &snapshot : compile.snapshots) {
    if (renumber && snapshot.functionId.isValid()) {
      JITSCOPE_TRY(const std::uint64_t id, renumber(snapshot.functionId.value));
      snapshot.functionId = base::FunctionId(static_cast<std::uint32_t>(id));
    }
  }
  return {};
}

} // namespace jitscope::session
