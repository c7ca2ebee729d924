// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/json_reporter.h"

#include "analysis/compare/case_comparison.h"
#include "analysis/summary.h"
#include "report/export/json_values.h"
#include "report/export/optimizer_json.h"
#include "report/render/storm_text.h"
#include "report/render/summary_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace jitscope::report {

namespace {

using Json = nlohmann::ordered_json;
using event::Outcome;

/// Options are stored as JSON; should they not be, they are shown as the text they are.
Json parsedOptions(const std::string &options) {
  Json parsed = Json::parse(options, nullptr, false);
  return parsed.is_discarded() ? Json(options) : parsed;
}

Json sessionJson(const analysis::Summary &summary) {
  const session::SessionRow &row = summary.session;
  const session::SessionInfo &info = row.info;
  Json scripts = Json::array();
  for (const session::MergedPart &part : summary.parts) {
    scripts.push_back(part.scriptPath);
  }
  return {{"path", summary.path},
          {"merged_scripts", std::move(scripts)},
          {"uuid", info.uuid},
          {"status", nameOf(row.status)},
          {"error", row.error},
          {"started_utc", info.startedUtc},
          {"duration_ns", row.durationNs},
          {"script_path", info.scriptPath},
          {"script_sha256", info.scriptSha256},
          {"command_line", info.commandLine},
          {"jitscope_version", info.jitscopeVersion},
          {"llvm_version", info.llvmVersion},
          {"host", info.host},
          {"cpu", info.cpu},
          {"cpu_features", info.cpuFeatures},
          {"os", info.os},
          {"options", parsedOptions(info.options)},
          {"clock_read_ns", info.clockReadNs},
          {"call_overhead_ns", info.callOverheadNs}};
}

Json outcomeCountsJson(const analysis::OutcomeCounts &counts) {
  Json result = Json::object();
  for (const Outcome outcome : event::kOutcomes) {
    result[std::string(nameOf(outcome))] = counts[outcome];
  }
  return result;
}

/// Adds how many calls paid for a compile, and how many were held up by one.
void addCompileCosts(Json &json, const analysis::OutcomeCounts &counts) {
  json["paid_for_compile"] = counts.paidForCompile();
  json["held_up_by_compile"] = counts.heldUpByCompile();
}

Json callsJson(const analysis::Summary &summary) {
  Json outcomes = Json::object();
  analysis::OutcomeCounts counts;
  for (const analysis::OutcomeSummary &entry : summary.outcomes) {
    counts.add(entry.outcome, entry.count);
    outcomes[std::string(nameOf(entry.outcome))] = {
        {"count", entry.count}, {"total_ns", entry.totalNs}, {"median_ns", entry.medianNs}, {"maximum_ns", entry.maximumNs}};
  }
  Json result = {{"count", summary.calls}, {"by_outcome", std::move(outcomes)}};
  addCompileCosts(result, counts);
  return result;
}

Json timesJson(const analysis::CompileTimes &times) {
  return {{"trace_ns", times.traceNs},     {"lower_ns", times.lowerNs}, {"optimize_ns", times.optimizeNs},
          {"codegen_ns", times.codegenNs}, {"link_ns", times.linkNs},   {"total_ns", times.totalNs}};
}

Json missesJson(const analysis::Summary &summary) {
  Json result = Json::array();
  for (const analysis::MissSummary &miss : summary.misses) {
    Json entry = {{"compile_id", miss.compileId.value},
                  {"call_id", idOrNull(miss.callId)},
                  {"template_id", idOrNull(miss.templateId)},
                  {"function", miss.functionName},
                  {"line", miss.functionLine},
                  {"eager", miss.eager},
                  {"template", miss.signature},
                  {"pipeline", miss.pipeline},
                  {"section", miss.section},
                  {"reason", nameOf(miss.reason)},
                  {"nearest_template", miss.nearestSignature},
                  {"difference", miss.difference},
                  {"call_total_ns", miss.callTotalNs},
                  {"code_bytes", miss.codeBytes},
                  {"process", miss.process}};
    entry.update(timesJson(miss.times));
    result.push_back(std::move(entry));
  }
  return result;
}

/// The compiles that "misses" leaves out.
Json missesLeftOutJson(const analysis::Summary &summary) {
  std::uint64_t ns = 0;
  for (const analysis::MissSummary &miss : summary.misses) {
    ns += miss.times.totalNs;
  }
  return {{"count", summary.compiles - std::min<std::uint64_t>(summary.compiles, summary.misses.size())},
          {"total_ns", summary.compileTimes.totalNs - std::min(summary.compileTimes.totalNs, ns)}};
}

Json stormsJson(const analysis::Summary &summary) {
  Json result = Json::array();
  for (const analysis::RecompileStorm &storm : summary.storms) {
    result.push_back({{"function_id", idOrNull(storm.functionId)},
                      {"function", storm.functionName},
                      {"eager", storm.eager},
                      {"calls", storm.calls},
                      {"compiles", storm.compiles},
                      {"compile_ns", storm.compileNs},
                      {"templates", storm.templates},
                      {"is_for_all_sizes", storm.isForAllSizes},
                      {"reason", nameOf(storm.reason)},
                      {"reason_compiles", storm.reasonCompiles},
                      {"text", stormText(storm)},
                      {"advice", stormAdvice(storm)}});
  }
  return result;
}

Json retrievalsJson(const analysis::Summary &summary) {
  Json result = Json::array();
  for (const analysis::RetrievalSummary &entry : summary.retrievals) {
    result.push_back({{"outcome", nameOf(entry.outcome)},
                      {"reason", nameOf(entry.reason)},
                      {"count", entry.count},
                      {"trace_ns", entry.traceNs},
                      {"load_ns", entry.loadNs}});
  }
  return result;
}

Json sectionsJson(const analysis::Summary &summary) {
  Json result = Json::array();
  for (const analysis::SectionSummary &section : summary.sections) {
    Json entry = {{"id", idOrNull(section.id)},
                  {"name", section.name},
                  {"start_ns", section.startNs},
                  {"calls", section.calls},
                  {"outcomes", outcomeCountsJson(section.outcomes)},
                  {"call_ns", section.callNs},
                  {"compiles", section.compiles},
                  {"compile_ns", section.compileNs}};
    addCompileCosts(entry, section.outcomes);
    result.push_back(std::move(entry));
  }
  return result;
}

Json functionsJson(const analysis::Summary &summary) {
  Json result = Json::array();
  for (const analysis::FunctionSummary &function : summary.functions) {
    Json templates = Json::array();
    for (const analysis::TemplateSummary &entry : function.templates) {
      Json known = {{"id", idOrNull(entry.id)},
                    {"signature", entry.signature},
                    {"calls", entry.calls},
                    {"outcomes", outcomeCountsJson(entry.outcomes)},
                    {"hit_rate", entry.hitRate()},
                    {"call_ns", entry.callNs},
                    {"compiles", entry.compiles},
                    {"compile_ns", entry.compileNs},
                    {"ahead_of_time_ns", entry.aheadNs},
                    {"code_bytes", entry.codeBytes}};
      addCompileCosts(known, entry.outcomes);
      templates.push_back(std::move(known));
    }
    result.push_back({{"id", idOrNull(function.id)},
                      {"name", function.name},
                      {"line", function.line},
                      {"eager", function.eager},
                      {"templates", std::move(templates)}});
  }
  return result;
}

Json intervalJson(const std::optional<analysis::Interval> &interval) {
  return interval ? Json::array({interval->lower, interval->upper}) : Json(nullptr);
}

/// `hasFirst` is false where the filter leaves the first sample out.
Json statisticsJson(const analysis::Statistics &times, bool hasFirst) {
  return {{"sample_size", times.sampleSize},
          {"average_ns", times.average},
          {"average_interval_ns", intervalJson(times.averageInterval)},
          {"deviation_ns", times.deviation},
          {"deviation_ratio", times.deviationRatio},
          {"ips", times.perSecond},
          {"median_ns", times.median},
          {"median_interval_ns", intervalJson(times.medianInterval)},
          {"p25_ns", times.p25},
          {"p75_ns", times.p75},
          {"p90_ns", times.p90},
          {"p90_interval_ns", intervalJson(times.p90Interval)},
          {"p95_ns", times.p95},
          {"p95_interval_ns", intervalJson(times.p95Interval)},
          {"p99_ns", times.p99},
          {"p99_interval_ns", intervalJson(times.p99Interval)},
          {"mode_ns", times.mode ? Json(*times.mode) : Json(nullptr)},
          {"minimum_ns", times.minimum},
          {"maximum_ns", times.maximum},
          {"first_ns", hasFirst ? Json(times.first) : Json(nullptr)},
          {"low_outliers", times.lowOutliers},
          {"high_outliers", times.highOutliers}};
}

Json measuringJson(const event::BenchLegEvent &measuring) {
  if (measuring.position == 0) {
    return nullptr; // the session does not say
  }
  return {{"position", measuring.position},
          {"seed", measuring.seed ? Json(*measuring.seed) : Json(nullptr)},
          {"calls_per_sample", measuring.callsPerSample},
          {"clock_step_ns", measuring.clockStepNs},
          {"overhead_ns", measuring.overheadNs},
          {"max_samples", measuring.maxSamples},
          {"is_capped", measuring.isCapped}};
}

Json legJson(const analysis::LegStatistics &leg) {
  Json result = {{"leg", nameOf(leg.leg)}, {"measuring", measuringJson(leg.measuring)}};
  const bool hasFirst = leg.hasFirst();
  result.update(statisticsJson(leg.times, hasFirst));
  const std::optional<std::uint64_t> paidBack = leg.callsUntilPaidBack();
  result.update({{"first_call_id", hasFirst ? Json(leg.first.id.value) : Json(nullptr)},
                 {"first_outcome", hasFirst ? Json(nameOf(leg.firstOutcome)) : Json(nullptr)},
                 {"longest_call_id", leg.longest.id.value},
                 {"longest_sample", leg.longest.sampleNumber},
                 {"longest_outcome", nameOf(leg.longestOutcome)},
                 {"outcomes", outcomeCountsJson(leg.outcomes)},
                 {"evictions", leg.evictions},
                 {"without_compiles", leg.withoutCompiles ? statisticsJson(*leg.withoutCompiles, hasFirst) : Json(nullptr)},
                 {"compile_extra_ns", leg.compileExtraNs()},
                 {"calls_until_paid_back", paidBack ? Json(*paidBack) : Json(nullptr)}});
  addCompileCosts(result, leg.outcomes);
  return result;
}

Json casesJson(const analysis::Summary &summary) {
  Json result = Json::array();
  for (const analysis::CaseSummary &entry : summary.cases) {
    Json legs = Json::array();
    for (const analysis::LegStatistics &leg : entry.legs) {
      legs.push_back(legJson(leg));
    }
    const event::BenchCaseEvent &bench = entry.bench;
    result.push_back({{"id", bench.id.value},
                      {"bench", bench.bench},
                      {"name", bench.name},
                      {"input", bench.input},
                      {"function", entry.functionName},
                      {"warmup_ns", bench.warmupNs},
                      {"time_ns", bench.timeNs},
                      {"parallel", bench.parallel},
                      {"legs", std::move(legs)}});
  }
  return result;
}

Json comparisonsJson(const analysis::Summary &summary) {
  Json result = Json::array();
  for (const analysis::CaseComparison &comparison : analysis::compareCases(summary.cases)) {
    Json lines = Json::array();
    for (const analysis::ComparisonLine &line : comparison.lines) {
      lines.push_back({{"case_id", line.bench->bench.id.value},
                       {"name", line.bench->bench.name},
                       {"average_ns", line.leg->times.average},
                       {"times_slower", line.times},
                       {"more_ns", line.moreNs}});
    }
    result.push_back(
        {{"bench", comparison.bench}, {"input", comparison.input}, {"leg", nameOf(comparison.leg)}, {"cases", std::move(lines)}});
  }
  return result;
}

Json evictionsJson(const analysis::Summary &summary) {
  Json result = Json::array();
  for (const analysis::EvictionSummary &entry : summary.evictions) {
    result.push_back({{"reason", nameOf(entry.reason)}, {"count", entry.count}, {"code_bytes", entry.codeBytes}});
  }
  return result;
}

Json expectationsJson(const analysis::Summary &summary) {
  Json items = Json::array();
  for (std::size_t number = 1; const event::ExpectationEvent &entry : summary.expectations) {
    const std::string script = scriptOfExpectation(summary, number++);
    items.push_back({{"script", script.empty() ? Json(nullptr) : Json(script)},
                     {"line", entry.line},
                     {"name", entry.name},
                     {"passed", entry.passed},
                     {"expected", entry.expected},
                     {"actual", entry.actual}});
  }
  const std::uint64_t count = summary.expectations.size();
  return {{"passed", count - summary.expectationsFailed}, {"failed", summary.expectationsFailed}, {"items", std::move(items)}};
}

Json warningsJson(const analysis::Summary &summary) {
  Json result = Json::array();
  for (const event::LogEvent &entry : summary.warnings) {
    result.push_back({{"at_ns", entry.atNs}, {"level", nameOf(entry.level)}, {"message", entry.message}});
  }
  return result;
}

} // namespace

std::string JsonReporter::render(const analysis::Summary &summary) const {
  Json compiles = {{"count", summary.compiles}};
  compiles.update(timesJson(summary.compileTimes));
  const Json report = {{"session", sessionJson(summary)},
                       {"only", summary.only},
                       {"calls", callsJson(summary)},
                       {"compiles", std::move(compiles)},
                       {"misses", missesJson(summary)},
                       {"misses_left_out", missesLeftOutJson(summary)},
                       {"recompile_storms", stormsJson(summary)},
                       {"retrievals", retrievalsJson(summary)},
                       {"functions", functionsJson(summary)},
                       {"cases", casesJson(summary)},
                       {"comparisons", comparisonsJson(summary)},
                       {"sections", sectionsJson(summary)},
                       {"expectations", expectationsJson(summary)},
                       {"memory",
                        {{"tensor_peak_bytes", summary.memory.tensorPeakBytes},
                         {"cache_entries_peak", summary.memory.cacheEntriesPeak},
                         {"cache_code_peak_bytes", summary.memory.cacheCodePeakBytes}}},
                       {"evictions", evictionsJson(summary)},
                       {"optimizer", optimizerJson(summary.optimizer)},
                       {"warnings", warningsJson(summary)},
                       {"warnings_left_out", summary.moreWarnings + summary.moreErrors}};
  constexpr int kIndent = 2;
  return report.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace jitscope::report
