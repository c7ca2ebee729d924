// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/timeline/timeline_base.h"

#include "base/try.h"
#include "session/session_reader.h"
#include "ui/charts/time_zoom.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <utility>

namespace jitscope::ui {

namespace {

base::Result<std::vector<charts::SectionBand>> readSections(session::SessionReader &reader) {
  JITSCOPE_TRY(const std::vector<event::SectionEvent> sections, reader.sections());
  std::vector<charts::SectionBand> bands;
  for (const event::SectionEvent &section : sections) {
    if (!bands.empty()) {
      bands.back().endNs = section.startNs;
    }
    bands.push_back({lineText(section.name, 100), section.startNs, reader.session().durationNs});
  }
  return bands;
}

} // namespace

base::Result<TimelineBase> readTimelineBase(session::SessionReader &reader, analysis::CallSpanIndex &index) {
  JITSCOPE_TRY_VOID(index.update(reader.database()));
  JITSCOPE_TRY(std::vector<analysis::CompileSpan> compiles, analysis::readCompileSpans(reader.database(), index.selection()));
  JITSCOPE_TRY(std::vector<charts::SectionBand> sections, readSections(reader));
  std::vector<analysis::ProcessStart> starts = index.processStarts();
  analysis::takeCompilesFrom(starts, compiles);
  base::Result<std::vector<session::MergedPart>> parts = reader.mergedParts();
  base::Result<analysis::BenchProgress> progress = analysis::readBenchProgress(reader);
  if (!parts || !progress) {
    return std::unexpected(std::move(!parts ? parts.error() : progress.error()));
  }
  TimelineBase result{std::move(compiles), std::move(sections), std::move(starts), *std::move(parts), {}, index.calls(), *progress};
  const std::uint64_t end = std::max(index.extent().toNs, reader.session().durationNs);
  result.limits = {0, std::max<std::uint64_t>(end, charts::kShortestRangeNs)};
  return result;
}

} // namespace jitscope::ui
