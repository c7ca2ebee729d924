// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/comparison_json.h"
#include "report/document/comparison_document.h"

#include "analysis/compare/comparison.h"

#include <nlohmann/json.hpp>

namespace jitscope::report {

namespace {

using Json = nlohmann::ordered_json;
using analysis::Verdict;

/// Of a count, for which "slower" would be the wrong word.
std::string_view countVerdict(Verdict verdict) {
  return verdict == Verdict::Better ? "better" : verdict == Verdict::Worse ? "worse" : nameOf(verdict);
}

Json sideJson(const analysis::ComparedSession &side) {
  const session::SessionInfo &info = side.session.info;
  return {{"path", side.path},
          {"uuid", info.uuid},
          {"status", nameOf(side.session.status)},
          {"started_utc", info.startedUtc},
          {"script_path", info.scriptPath},
          {"script_sha256", info.scriptSha256},
          {"jitscope_version", info.jitscopeVersion},
          {"llvm_version", info.llvmVersion},
          {"cpu", info.cpu}};
}

template <typename T> Json orNull(const std::optional<T> &value) { return value ? Json(*value) : Json(nullptr); }

Json legJson(const analysis::LegComparison &leg, const analysis::CompareOptions &options) {
  Json result = {{"name", leg.name},
                 {"input", leg.input},
                 {"leg", nameOf(leg.leg)},
                 {"base_samples", leg.baseSamples},
                 {"contender_samples", leg.contenderSamples},
                 {"base_median_ns", leg.baseMedianNs},
                 {"contender_median_ns", leg.contenderMedianNs}};
  result["ratio"] = leg.shift ? Json(leg.shift->ratio) : Json(nullptr);
  result["ratio_interval"] =
      leg.shift ? Json::array({leg.shift->ratioInterval.lower, leg.shift->ratioInterval.upper}) : Json(nullptr);
  result.update({{"p_value", leg.pValue},
                 {"adjusted_p_value", leg.adjustedPValue},
                 {"noise", leg.noise},
                 {"base_compile_ns", leg.baseCompileNs},
                 {"contender_compile_ns", leg.contenderCompileNs},
                 {"break_even_calls", orNull(leg.breakEven)},
                 {"first_change", orNull(leg.firstChange)},
                 {"verdict", nameOf(leg.verdict)},
                 {"doubt", leg.verdict == Verdict::CannotTell ? Json(nameOf(leg.doubt)) : Json(nullptr)},
                 {"doubt_text", doubtText(leg, options)}});
  return result;
}

Json countJson(const analysis::CountComparison &count) {
  return {{"count", nameOf(count.key.count)}, {"function", count.key.function},       {"eager", count.key.eager},
          {"base", orNull(count.base)},       {"contender", orNull(count.contender)}, {"verdict", countVerdict(count.verdict)}};
}

Json compileJson(const analysis::CompileComparison &compile) {
  return {{"function", compile.key.function},
          {"eager", compile.key.eager},
          {"pipeline", compile.key.pipeline},
          {"contender_pipeline", compile.contenderPipeline.empty() ? compile.key.pipeline : compile.contenderPipeline},
          {"study", compile.key.study > 0 ? Json(compile.key.study) : Json(nullptr)},
          {"common_templates", compile.templates},
          {"base_compiles", compile.baseCompiles},
          {"contender_compiles", compile.contenderCompiles},
          {"base_median_ns", compile.baseMedianNs},
          {"contender_median_ns", compile.contenderMedianNs},
          {"ratio", orNull(compile.ratio())}};
}

} // namespace

std::string renderComparisonJson(const analysis::Comparison &comparison) {
  Json cases = Json::array();
  for (const analysis::LegComparison &leg : comparison.legs) {
    cases.push_back(legJson(leg, comparison.options));
  }
  Json counts = Json::array();
  for (const analysis::CountComparison &count : comparison.counts) {
    counts.push_back(countJson(count));
  }
  Json compiles = Json::array();
  for (const analysis::CompileComparison &compile : comparison.compiles) {
    compiles.push_back(compileJson(compile));
  }
  const analysis::LegVerdicts verdicts = comparison.legVerdicts();
  const Json result = {{"verdict", comparisonVerdict(comparison)},
                       {"regressed", comparison.hasRegressed()},
                       {"sufficient", comparison.isSufficient()},
                       {"insufficient", comparison.doubts()},
                       {"legs",
                        {{"all", verdicts.all},
                         {"slower", verdicts.slower},
                         {"faster", verdicts.faster},
                         {"equal", verdicts.equal},
                         {"cannot_tell", verdicts.cannotTell}}},
                       {"warnings", comparison.warnings},
                       {"threshold", comparison.options.threshold},
                       {"significance", comparison.options.significance},
                       {"base", sideJson(comparison.base)},
                       {"contender", sideJson(comparison.contender)},
                       {"cases", std::move(cases)},
                       {"counts", std::move(counts)},
                       {"compiles", std::move(compiles)},
                       {"only_in_base", comparison.onlyInBase},
                       {"only_in_contender", comparison.onlyInContender}};
  constexpr int kIndent = 2;
  return result.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace jitscope::report
