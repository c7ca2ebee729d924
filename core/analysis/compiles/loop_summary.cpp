// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/loop_summary.h"

#include "analysis/compiles/loop_remedies.h"
#include "base/try.h"
#include "event/loops.h"
#include "session/file/query.h"
#include "session/optimizer_reader.h"
#include "session/session_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::analysis {

namespace {

using event::LoopResult;
using event::LoopState;

/// Findings about one loop as it is written.
struct Group {
  std::vector<LoopFinding> findings;
  std::vector<std::string> pipelines;
};

void addOnce(std::vector<std::string> &names, const std::string &name) {
  if (std::ranges::find(names, name) == names.end()) {
    names.push_back(name);
  }
}

/// The lower, the sooner a reader should see it.
int urgencyOf(const LoopResult &loop) {
  constexpr std::array<int, 5> kUrgency{2, 1, 0, 3, 4}; // in the order of `LoopState`
  return kUrgency.at(static_cast<std::size_t>(loop.state));
}

auto placeOf(const LoopResult &loop) {
  return std::tie(loop.file, loop.line, loop.column, loop.functionId, loop.symbol, loop.order);
}

const std::string kCall = "call ";

/// A script's function has a symbol made of its name, as far as that goes in one, and of 16 digits.
bool isSymbolOf(std::string_view symbol, std::string_view name) {
  constexpr std::size_t kEnding = 17;
  if (symbol.size() <= kEnding || symbol[symbol.size() - kEnding] != '_') {
    return false;
  }
  symbol.remove_suffix(kEnding);
  return symbol.size() <= name.size() &&
         std::ranges::equal(symbol, name.substr(0, symbol.size()), [](char one, char other) { return one == other || one == '_'; });
}

class LoopSummarizer {
public:
  explicit LoopSummarizer(const std::vector<event::FunctionEvent> &functions) : m_functions(functions) {}

  void add(const CompiledLoops &compile) {
    m_summary.isRecorded = true;
    addOnce(m_summary.pipelines, compile.pipeline);
    m_summary.unreached +=
        static_cast<std::uint64_t>(std::ranges::count_if(compile.loops, [](const LoopResult &loop) { return !loop.isReached; }));
    for (const LoopResult &loop : event::loopsAsWritten(compile.loops)) {
      if (loop.state == LoopState::Outer) {
        m_summary.outer += m_outer.insert(event::keyOf(loop)).second ? 1 : 0;
        continue;
      }
      ++m_summary.innermost;
      m_summary.vectorized += loop.state == LoopState::Vectorized ? 1 : 0;
      add(compile.pipeline, loop);
    }
  }

  LoopSummary finish() {
    std::ranges::stable_sort(m_groups, {}, [this](const Group &group) {
      const auto urgency = [](const LoopFinding &finding) { return urgencyOf(finding.loop); };
      const LoopFinding &most = *std::ranges::min_element(group.findings, {}, urgency);
      return std::tuple(isAgreed(group), urgencyOf(most.loop), placeOf(group.findings.front().loop));
    });
    for (Group &group : m_groups) {
      const std::optional<std::string> better = vectorizingPipeline(group);
      for (LoopFinding &finding : group.findings) {
        finding.isAgreed = isAgreed(group);
        finding.function = nameOf(finding.loop.functionId, finding.loop.symbol);
        const bool isInlined = finding.loop.holderId != finding.loop.functionId;
        finding.holder = isInlined ? nameOf(finding.loop.holderId, finding.loop.symbol) : std::string();
        nameCallee(finding.loop.instruction);
        finding.remedy = remedyFor(finding.loop, contextOf(finding));
        if (better && finding.remedy.empty() && finding.loop.state == LoopState::Scalar) {
          finding.remedy = "use the pipeline " + *better + ", which vectorizes it";
        }
        m_summary.findings.push_back(std::move(finding));
      }
    }
    return std::move(m_summary);
  }

private:
  void add(const std::string &pipeline, const LoopResult &loop) {
    const auto [place, isNew] = m_places.try_emplace(event::keyOf(loop), m_groups.size());
    if (isNew) {
      m_groups.emplace_back();
    }
    Group &group = m_groups[place->second];
    addOnce(group.pipelines, pipeline);
    auto finding =
        std::ranges::find_if(group.findings, [&loop](const LoopFinding &known) { return event::isSameOutcome(known.loop, loop); });
    if (finding == group.findings.end()) {
      finding = group.findings.insert(finding, LoopFinding{loop, {}, {}, {}, true, 0, {}});
    }
    addOnce(finding->pipelines, pipeline);
    ++finding->compiles;
  }

  [[nodiscard]] bool isAgreed(const Group &group) const {
    return group.pipelines.size() == m_summary.pipelines.size() &&
           std::ranges::all_of(group.findings,
                               [&](const LoopFinding &finding) { return finding.pipelines.size() == group.pipelines.size(); });
  }

  /// A pipeline that vectorizes the loop in every one of its compiles.
  static std::optional<std::string> vectorizingPipeline(const Group &group) {
    const auto isVectorizedOnly = [&group](const std::string &pipeline) {
      return std::ranges::all_of(group.findings, [&pipeline](const LoopFinding &finding) {
        const bool isConcerned = std::ranges::find(finding.pipelines, pipeline) != finding.pipelines.end();
        return !isConcerned || finding.loop.state == LoopState::Vectorized;
      });
    };
    const auto pipeline = std::ranges::find_if(group.pipelines, isVectorizedOnly);
    return pipeline == group.pipelines.end() ? std::nullopt : std::optional(*pipeline);
  }

  [[nodiscard]] std::string nameOf(base::FunctionId id, const std::string &symbol) const {
    const auto known = std::ranges::find(m_functions, id, &event::FunctionEvent::id);
    return id.isValid() && known != m_functions.end() ? known->name : symbol;
  }

  [[nodiscard]] RemedyContext contextOf(const LoopFinding &finding) const {
    RemedyContext context;
    const auto function = std::ranges::find(m_functions, finding.loop.holderId, &event::FunctionEvent::id);
    context.isModules = function == m_functions.end() || !function->symbol.empty();
    context.isUnitByUnit = std::ranges::all_of(
        finding.pipelines, [](const std::string &pipeline) { return pipeline == "per-function" || pipeline == "separate"; });
    context.isCalleeCompiled = std::ranges::any_of(
        m_functions, [&](const event::FunctionEvent &known) { return finding.loop.instruction == kCall + known.name; });
    return context;
  }

  /// Puts a function's name for its symbol.
  void nameCallee(std::string &instruction) const {
    if (!instruction.starts_with(kCall)) {
      return;
    }
    const std::string_view callee = std::string_view(instruction).substr(kCall.size());
    const auto function = std::ranges::find_if(m_functions, [callee](const event::FunctionEvent &known) {
      return known.symbol.empty() ? isSymbolOf(callee, known.name) : callee == known.symbol;
    });
    if (function != m_functions.end()) {
      instruction = kCall + function->name;
    }
  }

  const std::vector<event::FunctionEvent> &m_functions;
  LoopSummary m_summary;
  std::vector<Group> m_groups;
  std::set<event::LoopKey> m_outer;
  std::map<event::LoopKey, std::size_t> m_places; ///< in `m_groups`
};

} // namespace

std::string functionText(const LoopFinding &finding) {
  return finding.holder.empty() ? finding.function : fmt::format("{}, in {}", finding.function, finding.holder);
}

std::string pipelinesText(const LoopFinding &finding) {
  return finding.isAgreed && finding.pipelines.size() > 1 ? "all" : fmt::format("{}", fmt::join(finding.pipelines, ", "));
}

LoopSummary summarizeLoops(const std::vector<CompiledLoops> &compiles, const std::vector<event::FunctionEvent> &functions) {
  LoopSummarizer summarizer(functions);
  for (const CompiledLoops &compile : compiles) {
    summarizer.add(compile);
  }
  return summarizer.finish();
}

base::Result<LoopSummary> readLoopSummary(session::SessionReader &reader, const Selection &selection, LoopScope scope) {
  JITSCOPE_TRY(const std::vector<event::FunctionEvent> functions, reader.functions());
  struct Compile {
    base::CompileId id;
    std::string pipeline;
  };
  JITSCOPE_TRY(const std::vector<Compile> compiles,
               session::collect<Compile>(reader.database(),
                                         "SELECT c.id, c.pipeline FROM compile c WHERE c.has_loops AND " +
                                             std::string(scope == LoopScope::Calls ? "c.study_id IS NULL AND " : "") +
                                             compileCondition(selection, "c") + " ORDER BY c.id",
                                         [](const session::Statement &row) {
                                           return Compile{session::idOf<base::CompileId>(row, 0), session::textOf(row, 1)};
                                         }));
  JITSCOPE_TRY(std::vector<session::LoopRow> loops, session::OptimizerReader(reader).loops());
  std::map<base::CompileId, std::size_t> places;
  std::vector<CompiledLoops> compiled;
  for (const Compile &compile : compiles) {
    places.emplace(compile.id, compiled.size());
    compiled.push_back({compile.pipeline, {}});
  }
  for (session::LoopRow &row : loops) {
    if (const auto place = places.find(row.compileId); place != places.end()) {
      compiled[place->second].loops.push_back(std::move(row.part));
    }
  }
  return summarizeLoops(compiled, functions);
}

} // namespace jitscope::analysis
