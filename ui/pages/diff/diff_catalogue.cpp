// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_catalogue.h"

#include "base/try.h"
#include "session/file/database.h"
#include "session/file/query.h"
#include "session/session_reader.h"
#include "ui/pages/diff/diff_origins.h"
#include "ui/pages/diff/diff_sides.h"
#include "ui/widgets/text.h"

#include <algorithm>

namespace jitscope::ui {

namespace {

/// The order in which a function's texts come to be.
int stageRank(event::Stage stage) { return stage == event::Stage::Before ? 0 : stage == event::Stage::Final ? 2 : 1; }

} // namespace

const std::vector<DiffVersion> &DiffCatalogue::versionsOf(std::uint32_t function) const {
  static const std::vector<DiffVersion> kNone;
  const auto known = versions.find(function);
  return known == versions.end() ? kNone : known->second;
}

base::Result<DiffCatalogue> readDiffCatalogue(session::SessionReader &reader, const analysis::Selection &selection) {
  JITSCOPE_TRY_VOID(reader.snapshot());
  const auto functions = reader.functions();
  const auto compiles = reader.compiles();
  const auto snapshots = session::OptimizerReader(reader).snapshots();
  if (!functions || !compiles || !snapshots) {
    return std::unexpected(!functions ? functions.error() : !compiles ? compiles.error() : snapshots.error());
  }
  std::map<base::CompileId, const event::CompileEvent *> byId;
  for (const event::CompileEvent &compile : *compiles) {
    byId[compile.id] = &compile;
  }
  JITSCOPE_TRY(const auto studies, session::OptimizerReader(reader).studies());
  JITSCOPE_TRY(const auto selected,
               session::collect<std::uint32_t>(reader.database(),
                                               "SELECT c.id FROM compile c WHERE " + analysis::compileCondition(selection, "c") +
                                                   " ORDER BY c.id",
                                               [](const session::Statement &row) { return row.number(0); }));
  DiffCatalogue catalogue;
  catalogue.standIns = standInsFor(*compiles, *snapshots);
  catalogue.root = studies.empty() ? 0 : studies.back().functionId.value;
  for (const event::FunctionEvent &function : *functions) {
    catalogue.names[function.id.value] = functionText(function.name, function.line, function.eager);
    if (!function.symbol.empty()) {
      catalogue.symbols.emplace(function.symbol, function.name);
    }
  }
  for (const session::SnapshotRow &row : *snapshots) {
    const auto compile = byId.find(row.compileId);
    if (compile == byId.end() || !std::ranges::binary_search(selected, row.compileId.value)) {
      continue;
    }
    catalogue.versions[row.functionId.value].push_back({row, compile->second->pipeline, compile->second->studyId, {}, {}});
  }
  JITSCOPE_TRY(const CompileOrigins origins, readOrigins(reader, *compiles, studies));
  for (auto &[function, versions] : catalogue.versions) {
    nameVersions(versions, origins);
  }
  return catalogue;
}

DiffSides openingSides(const std::vector<DiffVersion> &versions, base::CompileId lookedAt) {
  const auto at = [&versions](int index) -> const DiffVersion & { return versions[static_cast<std::size_t>(index)]; };
  const int count = static_cast<int>(versions.size());
  DiffSides sides{0, count - 1};
  for (int i = count - 1; i >= 0; --i) {
    // Of several pipelines the second beside the first, as they were asked for.
    const bool isOther = at(i).pipeline != versions.front().pipeline && stageRank(at(i).row.stage) == 2;
    sides.right = isOther ? i : sides.right;
  }
  for (int i = 0; i < count; ++i) {
    sides.right = at(i).row.compileId == lookedAt && at(i).row.passSeq == 0 ? i : sides.right;
  }
  const DiffVersion &chosen = at(sides.right);
  int otherPipeline = -1;
  for (int i = 0; i < count; ++i) {
    const DiffVersion &version = at(i);
    if (version.row.compileId == chosen.row.compileId && stageRank(version.row.stage) == 0) {
      sides.left = i;
    }
    const bool isOther = version.pipeline != chosen.pipeline && version.row.passSeq == 0 &&
                         stageRank(version.row.stage) == stageRank(chosen.row.stage);
    // One of the same study compiled the same input.
    const bool isCloser = otherPipeline < 0 || (version.studyId == chosen.studyId && at(otherPipeline).studyId != chosen.studyId);
    otherPipeline = isOther && isCloser ? i : otherPipeline;
  }
  sides.left = otherPipeline >= 0 ? otherPipeline : sides.left;
  return sides;
}

std::optional<DiffSides> sidesAroundPass(const std::vector<DiffVersion> &versions, base::CompileId compile, std::uint32_t passSeq) {
  int before = 0;
  for (int i = 0; i < static_cast<int>(versions.size()); ++i) {
    const session::SnapshotRow &snapshot = versions[static_cast<std::size_t>(i)].row;
    if (snapshot.compileId != compile) {
      continue;
    }
    if (snapshot.passSeq == passSeq) {
      return DiffSides{before, i};
    }
    if (snapshot.passSeq > 0 || stageRank(snapshot.stage) == 0) {
      before = i;
    }
  }
  return std::nullopt;
}

} // namespace jitscope::ui
