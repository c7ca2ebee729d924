// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_sides.h"

#include "analysis/code/divergence.h"
#include "base/try.h"
#include "session/optimizer_reader.h"
#include "session/session_reader.h"

#include <algorithm>
#include <set>
#include <utility>

namespace jitscope::ui {

std::map<base::CompileId, base::CompileId> standInsFor(const std::vector<event::CompileEvent> &compiles,
                                                       const std::vector<session::SnapshotRow> &snapshots) {
  std::set<base::CompileId> kept;
  for (const session::SnapshotRow &row : snapshots) {
    kept.insert(row.compileId);
  }
  std::map<std::pair<base::StudyId, std::string>, base::CompileId> firsts;
  for (const event::CompileEvent &compile : compiles) {
    if (compile.studyId.isValid() && kept.contains(compile.id)) {
      firsts.emplace(std::pair(compile.studyId, compile.pipeline), compile.id);
    }
  }
  std::map<base::CompileId, base::CompileId> standIns;
  for (const event::CompileEvent &compile : compiles) {
    const auto first = firsts.find({compile.studyId, compile.pipeline});
    if (!kept.contains(compile.id) && first != firsts.end()) {
      standIns.emplace(compile.id, first->second);
    }
  }
  return standIns;
}

ShownDiff diffShown(const std::string &left, const std::string &right, const analysis::IrTextOptions &options) {
  ShownDiff shown{analysis::diffIr(left, right, options)};
  const auto differsWith = [&](bool analysis::IrTextOptions::*hidden) {
    analysis::IrTextOptions more = options;
    more.*hidden = true;
    return !analysis::diffIr(left, right, more).isEqual();
  };
  if (shown.diff.isEqual() && left != right) {
    shown.attributesDiffer = !options.attributes && differsWith(&analysis::IrTextOptions::attributes);
    shown.debugInfoDiffers = !options.debugInfo && differsWith(&analysis::IrTextOptions::debugInfo);
  }
  return shown;
}

base::Result<std::vector<std::string>> divergenceSentences(session::SessionReader &reader, base::FunctionId function,
                                                           base::CompileId left, base::CompileId right) {
  const auto functions = reader.functions();
  auto compiles = reader.compiles();
  if (!functions || !compiles) {
    return std::unexpected(!functions ? functions.error() : compiles.error());
  }
  const auto leftCompile = std::ranges::find(*compiles, left, &event::CompileEvent::id);
  const auto rightCompile = std::ranges::find(*compiles, right, &event::CompileEvent::id);
  if (leftCompile == compiles->end() || rightCompile == compiles->end() || leftCompile->pipeline == rightCompile->pipeline) {
    return std::vector<std::string>();
  }
  for (event::CompileEvent *compile : {&*leftCompile, &*rightCompile}) {
    JITSCOPE_TRY_VOID(session::OptimizerReader(reader).attachFindings(*compile));
  }
  return analysis::divergenceOf(function, *leftCompile, *rightCompile, *functions).sentences;
}

} // namespace jitscope::ui
