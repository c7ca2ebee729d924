// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/study_summary.h"

#include "analysis/code/ir_text.h"
#include "analysis/query/function_path.h"
#include "base/try.h"
#include "event/loops.h"
#include "session/optimizer_reader.h"
#include "session/session_reader.h"

#include <algorithm>
#include <utility>

namespace jitscope::analysis {

namespace {

using event::CompileEvent;

/// Everything that studies are made of.
struct StudyData {
  std::vector<event::FunctionEvent> functions;
  std::vector<event::StudyEvent> studies;
  std::vector<event::StudyResultEvent> results;
  std::vector<event::StudyRunEvent> runs;
  std::vector<event::StudyNoteEvent> notes;
  std::vector<CompileEvent> compiles; ///< of studies
};

template <typename T> base::Result<void> take(base::Result<std::vector<T>> from, std::vector<T> &to) {
  if (!from) {
    return std::unexpected(std::move(from.error()));
  }
  to = *std::move(from);
  return {};
}

base::Result<StudyData> readStudies(session::SessionReader &reader) {
  session::OptimizerReader optimizer(reader);
  StudyData data;
  base::Result<void> read = take(optimizer.studies(), data.studies);
  if (!read || data.studies.empty()) {
    return read ? base::Result<StudyData>(std::move(data)) : std::unexpected(std::move(read.error()));
  }
  read = take(reader.functions(), data.functions);
  read = read ? take(optimizer.studyResults(), data.results) : read;
  read = read ? take(optimizer.studyRuns(), data.runs) : read;
  read = read ? take(optimizer.studyNotes(), data.notes) : read;
  read = read ? take(reader.compilesWithWork(), data.compiles) : read;
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  std::erase_if(data.compiles, [](const CompileEvent &compile) { return !compile.studyId.isValid(); });
  return data;
}

PhaseTimings timingsOf(const std::vector<const CompileEvent *> &compiles) {
  const auto timing = [&compiles](std::uint64_t CompileEvent::*field) {
    std::vector<double> values;
    for (const CompileEvent *compile : compiles) {
      values.push_back(static_cast<double>(compile->*field));
    }
    return timingOf(std::move(values));
  };
  return {timing(&CompileEvent::traceNs),
          timing(&CompileEvent::lowerNs),
          timing(&CompileEvent::optimizeNs),
          timing(&CompileEvent::codegenNs),
          timing(&CompileEvent::linkNs),
          timing(&CompileEvent::totalNs),
          false};
}

/// The times of a pipeline's compiles: of the repetitions, or of the one recorded in detail if there are none.
PhaseTimings compileTimings(const StudyData &data, const event::StudyResultEvent &result) {
  std::vector<const CompileEvent *> timed;
  std::vector<const CompileEvent *> detailed;
  for (const CompileEvent &compile : data.compiles) {
    if (compile.studyId == result.studyId && compile.pipeline == result.pipeline) {
      (compile.repetition > 0 ? timed : detailed).push_back(&compile);
    }
  }
  PhaseTimings timings = timingsOf(timed.empty() ? detailed : timed);
  timings.isRecordedInDetail = timed.empty() && !detailed.empty();
  return timings;
}

Timing executeTiming(const StudyData &data, const event::StudyResultEvent &result) {
  std::vector<double> perCall;
  for (const event::StudyRunEvent &run : data.runs) {
    if (run.studyId == result.studyId && run.pipeline == result.pipeline && run.calls > 0) {
      perCall.push_back(static_cast<double>(run.executeNs) / static_cast<double>(run.calls));
    }
  }
  return timingOf(std::move(perCall));
}

double ratio(const Timing &timing, const Timing &first) {
  return timing.medianNs > 0 && first.medianNs > 0 ? timing.medianNs / first.medianNs : 0;
}

class StudySummarizer {
public:
  StudySummarizer(session::SessionReader &reader, StudyData data) : m_reader(reader), m_data(std::move(data)) {}

  base::Result<std::vector<StudySummary>> run() {
    std::vector<StudySummary> summaries;
    for (const event::StudyEvent &study : m_data.studies) {
      JITSCOPE_TRY(StudySummary summary, summarize(study));
      summaries.push_back(std::move(summary));
    }
    return summaries;
  }

private:
  base::Result<StudySummary> summarize(const event::StudyEvent &study) {
    StudySummary summary;
    summary.study = study;
    for (const event::StudyNoteEvent &note : m_data.notes) {
      if (note.studyId == study.id) {
        summary.notes.push_back(note.message);
      }
    }
    // Those with a result, by the place of their pipeline.
    std::vector<std::pair<std::size_t, CompileEvent>> compiles;
    for (const event::StudyResultEvent &result : m_data.results) {
      if (result.studyId != study.id) {
        continue;
      }
      StudyPipeline &pipeline = summary.pipelines.emplace_back();
      pipeline.result = result;
      pipeline.compile = compileTimings(m_data, result);
      pipeline.execute = executeTiming(m_data, result);
      const auto compile = std::ranges::find(m_data.compiles, result.compileId, &CompileEvent::id);
      if (!result.compileId.isValid() || compile == m_data.compiles.end()) {
        continue;
      }
      CompileEvent whole = *compile;
      JITSCOPE_TRY_VOID(session::OptimizerReader(m_reader).attachFindings(whole));
      pipeline.target = whole.target;
      pipeline.loops = event::vectorizedLoops(whole.loops);
      JITSCOPE_TRY(pipeline.rootInstructions, rootInstructions(whole.id, study.functionId));
      pipeline.redundantWork = redundantWorkOf(whole, m_data.functions);
      compiles.emplace_back(summary.pipelines.size() - 1, std::move(whole));
    }
    std::vector<CompiledLoops> loops;
    for (const auto &[place, compile] : compiles) {
      if (compile.hasLoops) {
        loops.push_back({compile.pipeline, compile.loops});
      }
    }
    summary.loops = summarizeLoops(loops, m_data.functions);
    compare(summary, compiles);
    return summary;
  }

  base::Result<std::optional<std::uint64_t>> rootInstructions(base::CompileId compile, base::FunctionId root) const {
    session::OptimizerReader optimizer(m_reader);
    JITSCOPE_TRY(const std::vector<session::SnapshotRow> snapshots, optimizer.snapshots(compile));
    for (const session::SnapshotRow &snapshot : snapshots) {
      if (snapshot.functionId == root && snapshot.stage == event::Stage::Final) {
        JITSCOPE_TRY(const std::string text, optimizer.irText(snapshot.irId));
        return instructionsIn(text);
      }
    }
    return std::nullopt;
  }

  void compare(StudySummary &summary, const std::vector<std::pair<std::size_t, CompileEvent>> &compiles) const {
    for (StudyPipeline &pipeline : summary.pipelines) {
      pipeline.compileRatio = ratio(pipeline.compile.total, summary.pipelines.front().compile.total);
      pipeline.executeRatio = ratio(pipeline.execute, summary.pipelines.front().execute);
    }
    if (compiles.empty()) {
      return;
    }
    std::vector<PipelineWork> works;
    for (const auto &[place, compile] : compiles) {
      const PhaseTimings &times = summary.pipelines[place].compile;
      works.push_back({compile.pipeline, static_cast<std::uint64_t>(times.optimize.medianNs + times.codegen.medianNs),
                       compile.optimizeNs + compile.codegenNs});
    }
    // Deferred works on each body once; without it the pipeline that took least comes nearest to that.
    auto reference = std::ranges::find(works, "deferred", &PipelineWork::pipeline);
    if (reference == works.end()) {
      reference = std::ranges::min_element(works, {}, &PipelineWork::timedNs);
    }
    for (std::size_t i = 0; i < compiles.size(); ++i) {
      StudyPipeline &pipeline = summary.pipelines[compiles[i].first];
      pipeline.verdict = judge(pipeline.redundantWork, works[i], *reference);
    }
    if (compiles.front().first != 0) {
      return; // the first pipeline failed, and there is nothing to compare with
    }
    for (std::size_t i = 1; i < compiles.size(); ++i) {
      summary.divergences.push_back(
          divergenceOf(summary.study.functionId, compiles.front().second, compiles[i].second, m_data.functions));
    }
  }

  session::SessionReader &m_reader;
  StudyData m_data;
};

} // namespace

base::Result<std::vector<StudySummary>> summarizeStudies(session::SessionReader &reader) {
  JITSCOPE_TRY(StudyData data, readStudies(reader));
  return StudySummarizer(reader, std::move(data)).run();
}

} // namespace jitscope::analysis
