// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "base/error.h"
#include "session/optimizer_reader.h"

#include <QString>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::ui {

/// A text of a function that can be shown on either side.
struct DiffVersion {
  session::SnapshotRow row;
  std::string pipeline;
  base::StudyId studyId;
  QString title; ///< on one line
  QString tip;   ///< all there is to say of where it comes from
};

/// What there is to compare in a session.
struct DiffCatalogue {
  std::map<std::uint32_t, std::vector<DiffVersion>> versions; ///< by function, in the order in which they came to be
  std::map<std::uint32_t, QString> names;                     ///< of functions
  std::map<base::CompileId, base::CompileId> standIns;        ///< for repetitions of a study the compile whose texts were kept
  std::map<std::string, std::string, std::less<>> symbols;    ///< the functions' names by those of the linker
  std::uint32_t root = 0;                                     ///< the function of the latest study; 0 without one

  /// All texts of a function; none for one that has none.
  [[nodiscard]] const std::vector<DiffVersion> &versionsOf(std::uint32_t function) const;
};

/// Of the selected compiles in one state of the session. The error is that of a query.
[[nodiscard]] base::Result<DiffCatalogue> readDiffCatalogue(session::SessionReader &reader, const analysis::Selection &selection);

/// Two places in a function's versions.
struct DiffSides {
  int left = 0;
  int right = 0;
};

/// What to begin with, of at least one version: two pipelines beside each other where there are two, of the same study if possible,
/// else what one made of the function. What the compile that is looked at left is on the right, if it left something.
[[nodiscard]] DiffSides openingSides(const std::vector<DiffVersion> &versions, base::CompileId lookedAt);

/// The texts before and after a pass of a compile; none where the text after it was not kept.
[[nodiscard]] std::optional<DiffSides> sidesAroundPass(const std::vector<DiffVersion> &versions, base::CompileId compile,
                                                       std::uint32_t passSeq);

} // namespace jitscope::ui
