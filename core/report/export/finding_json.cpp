// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/finding_json.h"

#include "report/export/json_values.h"

#include <utility>

namespace jitscope::report {

namespace {

using Json = nlohmann::ordered_json;

template <typename IdType> Json findingIds(const std::vector<IdType> &ids) {
  Json result = Json::array();
  for (const IdType id : ids) {
    result.push_back(id.value);
  }
  return result;
}

} // namespace

Json findingsJson(const std::vector<analysis::Finding> &findings) {
  Json result = Json::array();
  for (const analysis::Finding &finding : findings) {
    result.push_back({{"kind", nameOf(finding.kind)},
                      {"title", finding.title},
                      {"cost_ns", finding.costNs},
                      {"share", finding.share},
                      {"explanation", finding.explanation},
                      {"remedy", finding.remedy},
                      {"effect", textOrNull(finding.effect)},
                      {"file", textOrNull(finding.file)},
                      {"line", finding.line > 0 ? Json(finding.line) : Json(nullptr)},
                      {"rows",
                       {{"functions", findingIds(finding.rows.functions)},
                        {"templates", findingIds(finding.rows.templates)},
                        {"compiles", findingIds(finding.rows.compiles)},
                        {"calls", findingIds(finding.rows.calls)},
                        {"cases", findingIds(finding.rows.cases)}}}});
  }
  return result;
}

} // namespace jitscope::report
