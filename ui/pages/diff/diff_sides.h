// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/ir_diff.h"
#include "base/error.h"
#include "base/ids.h"

#include <map>
#include <string>
#include <vector>

namespace jitscope::event {
struct CompileEvent;
}
namespace jitscope::session {
class SessionReader;
struct SnapshotRow;
} // namespace jitscope::session

namespace jitscope::ui {

/// A study compiles again to measure, and texts are kept of its first compile under each pipeline only: for the others, that one.
[[nodiscard]] std::map<base::CompileId, base::CompileId> standInsFor(const std::vector<event::CompileEvent> &compiles,
                                                                     const std::vector<session::SnapshotRow> &snapshots);

/// Two texts held against each other as far as they are shown.
struct ShownDiff {
  analysis::TextDiff diff;
  bool attributesDiffer = false; ///< though hidden; only where what is shown is equal
  bool debugInfoDiffers = false;
};

/// Compares two texts; of equal ones it says whether what the options hide differs.
[[nodiscard]] ShownDiff diffShown(const std::string &left, const std::string &right, const analysis::IrTextOptions &options);

/// Where and why two compiles diverge over a function, in words; empty where both are of one pipeline.
[[nodiscard]] base::Result<std::vector<std::string>> divergenceSentences(session::SessionReader &reader, base::FunctionId function,
                                                                         base::CompileId left, base::CompileId right);

} // namespace jitscope::ui
