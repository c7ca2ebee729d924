// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/optimizer_json.h"

#include "analysis/compiles/optimizer_summary.h"
#include "report/document/loop_sections.h"
#include "report/export/json_values.h"

#include <nlohmann/json.hpp>

#include <string>

namespace jitscope::report {

namespace {

using Json = nlohmann::ordered_json;

Json numberOrNull(std::uint32_t number) { return number == 0 ? Json(nullptr) : Json(number); }
Json lineOrNull(int line) { return line == 0 ? Json(nullptr) : Json(line); }
Json ratioOrNull(double ratio) { return ratio == 0 ? Json(nullptr) : Json(ratio); }
Json remarkOrNull(const event::Remark &remark) { return remark.pass.empty() ? Json(nullptr) : remarkJson(remark); }

/// Arguments are stored as JSON; should they not be, they are shown as the text they are.
Json parsedArguments(const std::string &args) {
  Json parsed = Json::parse(args, nullptr, false);
  return parsed.is_discarded() ? Json(args) : parsed;
}

Json timingJson(const analysis::Timing &timing) {
  if (timing.sampleSize == 0) {
    return nullptr;
  }
  return {{"sample_size", timing.sampleSize},
          {"median_ns", timing.medianNs},
          {"minimum_ns", timing.minimumNs},
          {"maximum_ns", timing.maximumNs},
          {"deviation_ns", timing.deviationNs}};
}

Json compileJson(const analysis::PhaseTimings &times) {
  return {{"recorded_in_detail", times.isRecordedInDetail},
          {"trace", timingJson(times.trace)},
          {"lower", timingJson(times.lower)},
          {"optimize", timingJson(times.optimize)},
          {"codegen", timingJson(times.codegen)},
          {"link", timingJson(times.link)},
          {"total", timingJson(times.total)}};
}

Json vectorizedJson(const std::vector<event::LoopResult> &loops) {
  Json result = Json::array();
  for (const event::LoopResult &loop : loops) {
    result.push_back({{"function_id", idOrNull(loop.functionId)},
                      {"symbol", loop.symbol},
                      {"file", loop.file},
                      {"line", lineOrNull(loop.line)},
                      {"column", lineOrNull(loop.column)},
                      {"pass", loop.pass},
                      {"width", numberOrNull(loop.width)},
                      {"scalable", loop.isScalable},
                      {"interleave", loop.interleave}});
  }
  return result;
}

Json workJson(const event::FunctionWork &work) {
  return {{"optimized", work.optimized},
          {"linked", work.linked},
          {"emitted", work.emitted},
          {"reused", work.reused},
          {"optimize_ns", work.optimizeNs},
          {"emit_ns", work.emitNs},
          {"code_bytes", work.codeBytes},
          {"repeat_optimize_ns", work.repeatOptimizeNs},
          {"repeat_emit_ns", work.repeatEmitNs},
          {"repeat_code_bytes", work.repeatCodeBytes}};
}

Json redundantWorkJson(const analysis::StudyPipeline &pipeline) {
  Json functions = Json::array();
  for (const analysis::RedundantWorkEntry &entry : pipeline.redundantWork.functions) {
    Json function = {{"function_id", idOrNull(entry.work.functionId)}, {"name", entry.name}};
    function.update(workJson(entry.work));
    functions.push_back(std::move(function));
  }
  return {{"functions", std::move(functions)},
          {"total", workJson(pipeline.redundantWork.total)},
          {"surviving_copies", pipeline.redundantWork.survivingCopies},
          {"surviving_ns", pipeline.redundantWork.survivingNs},
          {"dropped_ns", pipeline.redundantWork.droppedNs},
          {"excess_ns", pipeline.verdict.excessNs},
          {"inlined_ns", pipeline.verdict.inlinedNs},
          {"cause", nameOf(pipeline.verdict.cause)},
          {"verdict", pipeline.verdict.text}};
}

Json pipelineJson(const analysis::StudyPipeline &pipeline) {
  const event::StudyResultEvent &result = pipeline.result;
  Json execution = nullptr;
  if (result.isExecuted) {
    execution = {{"call", timingJson(pipeline.execute)},
                 {"ratio", ratioOrNull(pipeline.executeRatio)},
                 {"equal", result.isEqual},
                 {"max_ulp", result.maxUlp},
                 {"ulp_bound", result.ulpBound}};
  }
  return {{"pipeline", result.pipeline},
          {"error", textOrNull(result.error)},
          {"compile_id", idOrNull(result.compileId)},
          {"target", pipeline.target},
          {"compile", compileJson(pipeline.compile)},
          {"compile_ratio", ratioOrNull(pipeline.compileRatio)},
          {"code_bytes", result.codeBytes},
          {"objects", result.objects},
          {"instructions_before", result.instructionsBefore},
          {"instructions_after", result.instructionsAfter},
          {"root_instructions", pipeline.rootInstructions ? Json(*pipeline.rootInstructions) : Json(nullptr)},
          {"vectorized_loops", vectorizedJson(pipeline.loops)},
          {"execution", std::move(execution)},
          {"redundant_work", redundantWorkJson(pipeline)}};
}

Json studyJson(const analysis::StudySummary &summary) {
  Json pipelines = Json::array();
  for (const analysis::StudyPipeline &pipeline : summary.pipelines) {
    pipelines.push_back(pipelineJson(pipeline));
  }
  Json divergences = Json::array();
  for (const analysis::Divergence &divergence : summary.divergences) {
    divergences.push_back(divergenceJson(divergence));
  }
  const event::StudyEvent &study = summary.study;
  return {{"id", study.id.value},
          {"name", study.name},
          {"line", lineOrNull(study.line)},
          {"function_id", idOrNull(study.functionId)},
          {"modules", study.isModules},
          {"triple", study.triple},
          {"cpu", textOrNull(study.cpu)},
          {"cpu_features", textOrNull(study.cpuFeatures)},
          {"options", study.options},
          {"notes", summary.notes},
          {"pipelines", std::move(pipelines)},
          {"loops", loopsJson(summary.loops)},
          {"divergences", std::move(divergences)}};
}

Json costJson(const analysis::PassCost &cost) {
  return {{"duration_ns", cost.durationNs}, {"runs", cost.runs}, {"changes", cost.changes}};
}

} // namespace

Json remarkJson(const event::Remark &remark) {
  return {{"kind", nameOf(remark.kind)},
          {"pass", remark.pass},
          {"name", remark.name},
          {"stage", nameOf(remark.stage)},
          {"pass_seq", numberOrNull(remark.passSeq)},
          {"function", remark.function},
          {"file", remark.file},
          {"line", lineOrNull(remark.line)},
          {"column", lineOrNull(remark.column)},
          {"message", remark.message},
          {"args", parsedArguments(remark.args)}};
}

Json passJson(const event::PassRun &pass) {
  return {{"stage", nameOf(pass.stage)}, {"seq", pass.seq}, {"name", pass.name}, {"duration_ns", pass.durationNs}};
}

Json divergenceJson(const analysis::Divergence &divergence) {
  const auto passOrNull = [](const std::optional<event::PassRun> &pass) { return pass ? passJson(*pass) : Json(nullptr); };
  Json callees = Json::array();
  for (const analysis::CalleeChange &change : divergence.callees) {
    callees.push_back({{"callee", change.callee},
                       {"inlined_into", change.inlinedInto},
                       {"pipeline", change.isLeft ? divergence.leftPipeline : divergence.rightPipeline},
                       {"pass", passJson(change.pass)},
                       {"remark", remarkOrNull(change.remark)}});
  }
  return {{"function", divergence.function},
          {"left", divergence.leftPipeline},
          {"right", divergence.rightPipeline},
          {"known", divergence.isKnown},
          {"equal", divergence.isEqual},
          {"last_common_pass", passOrNull(divergence.lastCommon)},
          {"left_pass", passOrNull(divergence.left)},
          {"right_pass", passOrNull(divergence.right)},
          {"callees", std::move(callees)},
          {"left_remark", remarkOrNull(divergence.leftRemark)},
          {"right_remark", remarkOrNull(divergence.rightRemark)},
          {"text", divergence.sentences}};
}

Json optimizerJson(const analysis::OptimizerSummary &summary) {
  Json passes = Json::array();
  for (const analysis::PassTotal &pass : summary.passes) {
    Json byPipeline = Json::object();
    for (std::size_t i = 0; i < summary.pipelines.size(); ++i) {
      byPipeline[summary.pipelines[i]] = costJson(pass.byPipeline[i]);
    }
    Json entry = {{"name", pass.name}};
    entry.update(costJson(pass.total));
    entry["by_pipeline"] = std::move(byPipeline);
    passes.push_back(std::move(entry));
  }
  Json remarks = Json::array();
  for (const analysis::RemarkTotal &total : summary.remarksByPass) {
    remarks.push_back({{"pass", total.pass}, {"passed", total.passed}, {"missed", total.missed}, {"analysis", total.analysis}});
  }
  Json studies = Json::array();
  for (const analysis::StudySummary &study : summary.studies) {
    studies.push_back(studyJson(study));
  }
  return {{"pipelines", summary.pipelines},
          {"passes", std::move(passes)},
          {"remarks", std::move(remarks)},
          {"loops", loopsJson(summary.loops)},
          {"studies", std::move(studies)}};
}

} // namespace jitscope::report
