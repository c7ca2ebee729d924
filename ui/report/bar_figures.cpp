// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/bar_figures.h"
#include "analysis/compiles/compile_list.h"
#include "analysis/compiles/optimizer_tables.h"
#include "analysis/summary.h"
#include "base/try.h"
#include "report/document/summary_text.h"
#include "session/session_reader.h"
#include "ui/charts/chart_words.h"
#include "ui/charts/compile_charts.h"
#include "ui/report/figure_pen.h"
#include "ui/report/figures.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace jitscope::charts {

namespace {

using analysis::FunctionSummary;
using analysis::Summary;

constexpr std::size_t kBars = 10;

/// The figure of a bar chart whose parts may depend on the palette; none without bars.
Figures barFigure(FigurePen &pen, const QString &caption, const std::function<BarChart(const Palette &)> &makeBars) {
  const BarChart sample = makeBars(Palette::of(Scheme::Light));
  const std::size_t bars = sample.bars.size();
  if (bars == 0) {
    return {};
  }
  // Axis and legend, whose lines are as many as the narrow drawing needs.
  const qreal frame = 60 + kLegendLineHeight * legendLines(sample.parts, FigurePen::widthOf(Room::Narrow));
  constexpr qreal kBarHeight = 26;
  base::Result<report::DocumentFigure> figure =
      pen.figure(caption, frame + kBarHeight * static_cast<qreal>(bars), [&makeBars](const Palette &palette, Room room) {
        BarChart data = makeBars(palette);
        data.title.clear();
        if (room == Room::Narrow) {
          data.labelWidth = 110;
          data.ticks = 3;
        }
        return barChart(data, palette);
      });
  if (!figure) {
    return std::unexpected(std::move(figure.error()));
  }
  return std::vector{*std::move(figure)};
}

/// The longest bars, the longest first, and no empty ones.
template <typename T, typename Length> std::vector<T> longest(std::vector<T> bars, const Length &lengthOf) {
  std::erase_if(bars, [&](const T &bar) { return lengthOf(bar) == 0; });
  std::ranges::stable_sort(bars, std::greater{}, lengthOf);
  bars.resize(std::min(bars.size(), kBars));
  return bars;
}

std::map<base::TemplateId, const FunctionSummary *> functionsByTemplate(const Summary &summary) {
  std::map<base::TemplateId, const FunctionSummary *> result;
  for (const FunctionSummary &function : summary.functions) {
    for (const analysis::TemplateSummary &entry : function.templates) {
      result[entry.id] = &function;
    }
  }
  return result;
}

QString nameOfFunction(const FunctionSummary &function) {
  return oneLine(report::functionText(function.name, function.line, function.eager));
}

} // namespace

Figures phaseFigures(FigurePen &pen, session::SessionReader &reader, const Summary &summary) {
  if (summary.compiles == 0) {
    return {};
  }
  const base::Result<std::vector<analysis::CompileSpan>> compiles =
      analysis::readCompileSpans(reader.database(), summary.selection);
  if (!compiles) {
    return std::unexpected(compiles.error());
  }
  const auto functions = functionsByTemplate(summary);
  std::map<base::FunctionId, PhaseBar> byFunction;
  for (const analysis::CompileSpan &compile : *compiles) {
    const auto function = functions.find(compile.templateId);
    if (function == functions.end()) {
      continue;
    }
    PhaseBar &bar = byFunction[function->second->id];
    bar.name = nameOfFunction(*function->second);
    std::uint64_t phasesNs = 0;
    for (std::size_t phase = 0; phase < compile.phasesNs.size(); ++phase) {
      bar.phasesNs[phase] += compile.phasesNs[phase];
      phasesNs += compile.phasesNs[phase];
    }
    bar.phasesNs.back() += compile.totalNs > phasesNs ? compile.totalNs - phasesNs : 0;
  }
  std::vector<PhaseBar> bars;
  for (auto &[id, bar] : byFunction) {
    bars.push_back(std::move(bar));
  }
  bars = longest(std::move(bars),
                 [](const PhaseBar &bar) { return std::accumulate(bar.phasesNs.begin(), bar.phasesNs.end(), std::uint64_t{0}); });
  return barFigure(pen, words("Compile time of each function by phase, the longest first"),
                   [&bars](const Palette &palette) { return phaseBars(bars, palette); });
}

Figures missFigures(FigurePen &pen, const Summary &summary) {
  std::vector<PhaseBar> bars;
  for (const analysis::MissSummary &miss : summary.misses) {
    const analysis::CompileTimes &times = miss.times;
    const std::string name = report::functionText(miss.functionName, miss.functionLine, miss.eager) + "  " + miss.signature;
    bars.push_back(
        {oneLine(name), {times.traceNs, times.lowerNs, times.optimizeNs, times.codegenNs, times.linkNs, times.betweenNs()}});
  }
  bars.resize(std::min(bars.size(), kBars));
  return barFigure(pen, words("The slowest compiles by phase"),
                   [&bars](const Palette &palette) { return phaseBars(bars, palette); });
}

Figures reasonFigures(FigurePen &pen, session::SessionReader &reader, const Summary &summary) {
  JITSCOPE_TRY(const auto reasons, analysis::readReasons(reader.database(), summary.selection));
  struct FunctionReasons {
    const FunctionSummary *function = nullptr;
    analysis::ReasonCounts counts;
    std::uint64_t compiles = 0;
  };
  std::vector<FunctionReasons> functions;
  for (const FunctionSummary &function : summary.functions) {
    FunctionReasons &entry = functions.emplace_back();
    entry.function = &function;
    for (const analysis::TemplateSummary &known : function.templates) {
      const auto found = reasons.find(known.id);
      for (const auto &[reason, count] : found == reasons.end() ? analysis::ReasonCounts() : found->second) {
        entry.counts[reason] += count;
        entry.compiles += count;
      }
    }
  }
  functions = longest(std::move(functions), [](const FunctionReasons &entry) { return entry.compiles; });
  std::set<event::MissReason> met;
  for (const FunctionReasons &entry : functions) {
    for (const auto &[reason, count] : entry.counts) {
      met.insert(reason);
    }
  }
  return barFigure(pen, words("Compiles of each function by the reason for them"), [&](const Palette &palette) {
    // Eleven reasons, of which a session has few: the colours of outcomes and phases that differ most, in the order of reasons.
    const std::array colours{palette.outcomes[0], palette.outcomes[3], palette.phases[1], palette.phases[3],  palette.phases[4],
                             palette.phases[0],   palette.outcomes[5], palette.phases[5], palette.outcomes[1]};
    BarChart data;
    data.unit = BarUnit::Count;
    for (const event::MissReason reason : met) {
      const std::string_view name = nameOf(reason);
      data.parts.push_back(
          {QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), colours[data.parts.size() % colours.size()]});
    }
    for (const FunctionReasons &entry : functions) {
      Bar &bar = data.bars.emplace_back();
      bar.name = nameOfFunction(*entry.function);
      for (const event::MissReason reason : met) {
        const auto count = entry.counts.find(reason);
        bar.values.push_back(count == entry.counts.end() ? 0 : static_cast<double>(count->second));
      }
    }
    return data;
  });
}

Figures remarkFigures(FigurePen &pen, const Summary &summary) {
  const std::vector<analysis::RemarkTotal> totals =
      longest(summary.optimizer.remarksByPass, [](const analysis::RemarkTotal &total) { return total.count(); });
  return barFigure(pen, words("Remarks of each pass by kind"), [&totals](const Palette &palette) {
    BarChart data;
    data.unit = BarUnit::Count;
    data.parts = {
        {words("passed"), palette.outcomes[0]}, {words("missed"), palette.outcomes[3]}, {words("analysis"), palette.phases[5]}};
    for (const analysis::RemarkTotal &total : totals) {
      data.bars.push_back(
          {oneLine(total.pass),
           {static_cast<double>(total.passed), static_cast<double>(total.missed), static_cast<double>(total.analysis)}});
    }
    return data;
  });
}

Figures redundancyFigures(FigurePen &pen, const Summary &summary) {
  const std::vector<analysis::FunctionWorkSummary> work =
      longest(summary.optimizer.work, [](const analysis::FunctionWorkSummary &entry) { return entry.optimizeNs + entry.emitNs; });
  return barFigure(pen, words("Time to optimize and emit each function, and how much of it went to repeated copies"),
                   [&work](const Palette &palette) {
                     BarChart data;
                     data.parts = {{words("once"), palette.outcomes[0]}, {words("repeated"), palette.outcomes[3]}};
                     for (const analysis::FunctionWorkSummary &entry : work) {
                       const std::uint64_t allNs = entry.optimizeNs + entry.emitNs;
                       const std::uint64_t repeatNs = std::min(entry.repeatNs, allNs);
                       data.bars.push_back({oneLine(report::functionText(entry.name, 0, entry.eager)),
                                            {static_cast<double>(allNs - repeatNs), static_cast<double>(repeatNs)}});
                     }
                     return data;
                   });
}

} // namespace jitscope::charts
