// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/diff/diff_json.h"
#include "analysis/code/code_comparison.h"
#include "report/diff/diff_text.h"
#include "report/export/optimizer_json.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace jitscope::report {

namespace {

using Json = nlohmann::ordered_json;

Json sideJson(const analysis::CodeSide &side) {
  return {{"pipeline", side.pipeline},
          {"compile_id", side.compileId.value},
          {"stage", nameOf(side.point.stage)},
          {"pass_seq", side.point.passSeq == 0 ? Json(nullptr) : Json(side.point.passSeq)},
          {"pass", side.point.passName.empty() ? Json(nullptr) : Json(side.point.passName)},
          {"note", side.point.note.empty() ? Json(nullptr) : Json(side.point.note)}};
}

Json spansJson(const std::vector<analysis::TextSpan> &spans) {
  Json result = Json::array();
  for (const analysis::TextSpan &span : spans) {
    result.push_back({{"begin", span.begin}, {"length", span.length}});
  }
  return result;
}

Json rowJson(const analysis::DiffRow &row) {
  Json result = {{"kind", nameOf(row.kind)}};
  if (row.leftLine > 0) {
    result["left_line"] = row.leftLine;
    result["left"] = row.left;
  }
  if (row.rightLine > 0) {
    result["right_line"] = row.rightLine;
    result["right"] = row.right;
  }
  if (row.kind == analysis::RowKind::Changed) {
    result["left_spans"] = spansJson(row.leftSpans);
    result["right_spans"] = spansJson(row.rightSpans);
  }
  return result;
}

Json remarksJson(const std::vector<event::Remark> &remarks) {
  Json result = Json::array();
  for (const event::Remark &remark : remarks) {
    result.push_back(remarkJson(remark));
  }
  return result;
}

} // namespace

std::string renderDiffJson(const analysis::CodeComparison &comparison) {
  Json rows = Json::array();
  for (const analysis::DiffRow &row : comparison.diff.rows) {
    rows.push_back(rowJson(row));
  }
  Json remarks = Json::array();
  for (const analysis::RemarkDifference &difference : comparison.remarks) {
    remarks.push_back({{"file", difference.file},
                       {"line", difference.line == 0 ? Json(nullptr) : Json(difference.line)},
                       {"pass", difference.pass},
                       {"left", remarksJson(difference.left)},
                       {"right", remarksJson(difference.right)}});
  }
  const event::FunctionEvent &function = comparison.function;
  const Json result = {{"function", {{"id", function.id.value}, {"name", function.name}, {"symbol", function.symbol}}},
                       {"template", comparison.signature},
                       {"study_id", comparison.studyId.isValid() ? Json(comparison.studyId.value) : Json(nullptr)},
                       {"left", sideJson(comparison.left)},
                       {"right", sideJson(comparison.right)},
                       {"divergence", comparison.divergence ? divergenceJson(*comparison.divergence) : Json(nullptr)},
                       {"equal", comparison.diff.isEqual()},
                       {"changed", comparison.diff.changed},
                       {"left_only", comparison.diff.leftOnly},
                       {"right_only", comparison.diff.rightOnly},
                       {"coarse", comparison.diff.isCoarse},
                       {"rows", std::move(rows)},
                       {"remarks", std::move(remarks)}};
  constexpr int kIndent = 2;
  return result.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace jitscope::report
