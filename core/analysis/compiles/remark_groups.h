// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compare/remark_comparison.h"
#include "analysis/query/selection.h"
#include "base/error.h"
#include "event/event.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace jitscope::session {
class Database;
class SessionReader;
} // namespace jitscope::session

namespace jitscope::analysis {

/// Remarks that say the same of the same place of the code.
struct RemarkGroup {
  event::RemarkKind kind = event::RemarkKind::Passed;
  std::string pass;
  std::string name;
  base::FunctionId functionId; ///< none for code that is nobody's function
  std::string functionName;    ///< the function's, or the symbol
  int line = 0;
  int column = 0;
  std::string message;
  std::uint64_t count = 0;
  std::vector<std::string> pipelines; ///< that made the remark, sorted
  base::CompileId compileId;          ///< the latest with this remark

  [[nodiscard]] bool isIn(const std::string &pipeline) const;
  /// What two remarks of different sessions must share to be the same.
  [[nodiscard]] auto key() const { return std::tie(functionName, line, column, pass, name, kind, message); }
  /// What two remarks of different compiles must share to be the same: costs that the inliner names do not count.
  [[nodiscard]] auto meaning() const {
    return std::tuple(std::string_view(functionName), line, column, std::string_view(pass), std::string_view(name), kind,
                      comparedMessage(pass, message));
  }
};

/// The remarks of the selected compiles, by function, line and column.
[[nodiscard]] base::Result<std::vector<RemarkGroup>> readRemarkGroups(session::Database &database, const Selection &selection,
                                                                      base::CompileId compile = {});

/// Compiles that may be compared, for they were asked for alike: those of one study, or those for the calls of one section.
struct RemarkOrigin {
  base::StudyId studyId; ///< none for calls
  base::SectionId sectionId;
  std::string section;                ///< the name of the section
  std::vector<std::string> pipelines; ///< that compiled there, whether or not they had anything to say; sorted
};

/// A remark and its origin. The same remark from two origins counts as two.
struct OriginRemark {
  RemarkGroup remark;
  std::size_t origin = 0; ///< index into `RemarksByOrigin::origins`
};

/// Remarks, apart by where they were said.
struct RemarksByOrigin {
  std::vector<RemarkOrigin> origins;
  std::vector<OriginRemark> remarks; ///< by function, line and column

  /// Whether both pipelines compiled in one origin.
  [[nodiscard]] bool meet(const std::string &one, const std::string &other) const;
  /// Remarks under one pipeline and not under another one of the same origin; costs of the inliner do not count. Pipelines without
  /// a common origin are compared across all origins.
  [[nodiscard]] std::vector<OriginRemark> onlyIn(const std::string &pipeline, const std::string &notIn) const;
};

/// The remarks of the selected compiles.
[[nodiscard]] base::Result<RemarksByOrigin> readRemarksByOrigin(session::SessionReader &reader, const Selection &selection);

} // namespace jitscope::analysis
