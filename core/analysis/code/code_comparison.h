// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/divergence.h"
#include "analysis/code/ir_text.h"
#include "analysis/code/recorded_code.h"
#include "analysis/code/text_diff.h"
#include "analysis/compare/remark_comparison.h"
#include "base/error.h"
#include "event/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::analysis {

/// Which code of a function to compare with which.
struct CodeRequest {
  std::string function; ///< see `RecordedCode::find`
  /// What stands on the left and on the right. Two pipelines; or two points of one compile, "pass:12", "pass:gvn" or
  /// "stage:module". Empty for per-function and deferred, or the first two pipelines where these are not both there.
  std::string left;
  std::string right;
  /// Of pipelines: the point at which they are compared, one for both or "left,right": "final", a stage, the number or name of a
  /// pass.
  std::string point = "final";
  std::string pipeline;                 ///< of points: the pipeline they belong to; empty where only one has code
  std::optional<std::uint32_t> study;   ///< only compiles of this study
  std::optional<std::uint32_t> compile; ///< of points: only this compile
  IrTextOptions text;                   ///< names of symbols are added
};

struct CodeSide {
  std::string pipeline;
  base::CompileId compileId;
  CodePoint point;
};

struct CodeComparison {
  event::FunctionEvent function;
  base::StudyId studyId; ///< none outside studies
  std::string signature; ///< of the template that was compiled; empty where the function is another's callee
  CodeSide left;
  CodeSide right;
  TextDiff diff;
  /// About the function: what differs between the pipelines or, of two points of one compile, what was said between them.
  std::vector<RemarkDifference> remarks;
  std::optional<Divergence> divergence; ///< of two pipelines
};

/// Chooses, reads and compares. The latest study that has both sides is preferred, then the latest compiles. RuntimeOption for code
/// that the session does not have; the message lists what it has.
[[nodiscard]] base::Result<CodeComparison> compareCode(session::SessionReader &reader, const CodeRequest &request);

} // namespace jitscope::analysis
