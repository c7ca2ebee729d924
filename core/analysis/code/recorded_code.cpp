// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/recorded_code.h"

#include "analysis/query/near_names.h"
#include "base/number.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

namespace jitscope::analysis {

namespace {

using event::FunctionEvent;
using session::SnapshotRow;

std::string nameWithLine(const FunctionEvent &function) { return event::functionLabel(function.name, function.line); }

std::vector<FunctionEvent> filtered(const std::vector<FunctionEvent> &functions,
                                    const std::function<bool(const FunctionEvent &)> &is) {
  std::vector<FunctionEvent> result;
  std::ranges::copy_if(functions, std::back_inserter(result), is);
  return result;
}

std::unexpected<base::Error> wrong(std::string message) { return base::fail(base::ErrorCode::RuntimeOption, std::move(message)); }

/// The functions that a name may mean, by the first rule that gives any.
std::vector<FunctionEvent> meantBy(std::string_view name, const std::vector<FunctionEvent> &functions) {
  const std::string ending = "::" + std::string(name);
  const std::vector<std::function<bool(const FunctionEvent &)>> rules{
      [&](const FunctionEvent &function) { return function.name == name; },
      [&](const FunctionEvent &function) { return !name.empty() && (nameWithLine(function) == name || function.symbol == name); },
      [&](const FunctionEvent &function) { return function.name.ends_with(ending); },
      [&](const FunctionEvent &function) { return !name.empty() && function.name.find(name) != std::string::npos; }};
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    std::vector<FunctionEvent> found = filtered(functions, rules[rule]);
    if (rule == 2 && found.size() > 1) {
      // Wrappers of a function go by longer names than the function itself.
      const std::size_t least = std::ranges::min(found, {}, [](const FunctionEvent &f) { return f.name.size(); }).name.size();
      std::erase_if(found, [least](const FunctionEvent &function) { return function.name.size() > least; });
    }
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

base::Result<FunctionEvent> chosen(std::string_view name, const std::vector<FunctionEvent> &all,
                                   const std::vector<FunctionEvent> &with) {
  std::vector<FunctionEvent> meant = meantBy(name, with);
  if (meant.size() == 1) {
    return std::move(meant.front());
  }
  std::vector<std::string> names;
  if (meant.size() > 1) {
    std::ranges::transform(meant, std::back_inserter(names), nameWithLine);
    return wrong(fmt::format("\"{}\" may be any of: {}; name one of them", name, fmt::join(names, ", ")));
  }
  std::ranges::transform(with, std::back_inserter(names), &FunctionEvent::name);
  const std::string near = fmt::format("{}", fmt::join(nearNames(name, std::move(names)), ", "));
  if (meantBy(name, all).empty()) {
    return wrong(fmt::format("the session has no function \"{}\"; the nearest ones with recorded code: {}", name, near));
  }
  return wrong(fmt::format("the session holds no code of \"{}\"; it has that of: {}", name, near));
}

} // namespace

std::string CodePoint::describe() const {
  if (passSeq > 0) {
    return passName.empty() ? fmt::format("pass {}", passSeq) : fmt::format("pass {}, {}", passSeq, passName);
  }
  const std::string name(nameOf(stage));
  return stage == event::Stage::Final || stage == event::Stage::Before ? name : "stage " + name;
}

base::Result<RecordedCode> RecordedCode::find(session::SessionReader &reader, std::string_view name) {
  RecordedCode code;
  base::Result<std::vector<FunctionEvent>> functions = reader.functions();
  base::Result<std::vector<SnapshotRow>> snapshots = session::OptimizerReader(reader).snapshots();
  base::Result<std::vector<event::CompileEvent>> compiles = reader.compiles();
  if (!functions || !snapshots || !compiles) {
    return std::unexpected(std::move(!functions ? functions.error() : !snapshots ? snapshots.error() : compiles.error()));
  }
  if (snapshots->empty()) {
    return wrong("the session holds no code: nothing was compiled while it was recorded, or recording the code was off");
  }
  std::set<base::FunctionId> withCode;
  for (const SnapshotRow &row : *snapshots) {
    withCode.insert(row.functionId);
  }
  JITSCOPE_TRY(FunctionEvent function, chosen(name, *functions, filtered(*functions, [&withCode](const FunctionEvent &known) {
                                                return withCode.contains(known.id);
                                              })));
  code.m_function = std::move(function);
  code.m_functions = *std::move(functions);
  code.m_snapshots = *std::move(snapshots);
  std::erase_if(code.m_snapshots, [&code](const SnapshotRow &row) { return row.functionId != code.m_function.id; });
  code.m_compiles = *std::move(compiles);
  std::erase_if(code.m_compiles, [&code](const event::CompileEvent &compile) {
    return std::ranges::find(code.m_snapshots, compile.id, &SnapshotRow::compileId) == code.m_snapshots.end();
  });
  return code;
}

std::vector<SnapshotRow> RecordedCode::snapshotsOf(base::CompileId compile) const {
  std::vector<SnapshotRow> rows;
  std::ranges::copy_if(m_snapshots, std::back_inserter(rows),
                       [compile](const SnapshotRow &row) { return row.compileId == compile; });
  return rows;
}

std::string RecordedCode::pointsOf(base::CompileId compile) const {
  std::vector<std::string_view> points;
  std::size_t passes = 0;
  for (const SnapshotRow &row : snapshotsOf(compile)) {
    passes += row.passSeq > 0 ? 1U : 0U;
    if (row.passSeq == 0 && std::ranges::find(points, nameOf(row.stage)) == points.end()) {
      points.push_back(nameOf(row.stage));
    }
  }
  return fmt::format("{}{}", fmt::join(points, ", "), passes > 0 ? fmt::format(", and after {} passes", passes) : std::string());
}

base::Result<CodePoint> RecordedCode::afterPass(const event::CompileEvent &compile, std::uint32_t seq,
                                                const std::vector<event::PassRun> &passes) const {
  const std::vector<SnapshotRow> rows = snapshotsOf(compile.id);
  if (std::ranges::none_of(rows, [](const SnapshotRow &row) { return row.passSeq > 0; })) {
    return wrong(fmt::format("the code of \"{}\" after each pass was not recorded under {}; there is: {}", m_function.name,
                             compile.pipeline, pointsOf(compile.id)));
  }
  const auto pass = std::ranges::find(passes, seq, &event::PassRun::seq);
  if (pass == passes.end()) {
    return wrong(fmt::format("there is no pass {} under {}; passes count from 1 to {}", seq, compile.pipeline,
                             passes.empty() ? 0 : passes.back().seq));
  }
  // A pass that changed nothing left no text: its code is that of the last one before it that did.
  const SnapshotRow *last = nullptr;
  for (const SnapshotRow &row : rows) {
    const bool isBefore = row.passSeq > 0 ? row.passSeq <= seq : row.stage == event::Stage::Before;
    if (isBefore && (last == nullptr || row.passSeq >= last->passSeq)) {
      last = &row;
    }
  }
  if (last == nullptr) {
    return wrong(fmt::format("no code of \"{}\" was recorded under {} up to pass {}", m_function.name, compile.pipeline, seq));
  }
  return CodePoint{pass->stage, seq, pass->name, last->irId, {}};
}

base::Result<CodePoint> RecordedCode::at(const event::CompileEvent &compile, std::string_view point,
                                         const std::vector<event::PassRun> &passes) const {
  const std::vector<SnapshotRow> rows = snapshotsOf(compile.id);
  for (const SnapshotRow &row : rows) {
    if (row.passSeq == 0 && nameOf(row.stage) == point) {
      return CodePoint{row.stage, 0, {}, row.irId, {}};
    }
  }
  if (const std::optional<std::uint32_t> seq = base::numberFrom<std::uint32_t>(point)) {
    return afterPass(compile, *seq, passes);
  }
  // The last run of a pass over the function.
  for (auto pass = passes.rbegin(); pass != passes.rend(); ++pass) {
    if (pass->name == point && pass->functionId == m_function.id) {
      return afterPass(compile, pass->seq, passes);
    }
  }
  if (point == nameOf(event::Stage::Final) && !rows.empty()) {
    const auto last = std::ranges::max_element(rows, {}, [](const SnapshotRow &row) { return row.passSeq; });
    const SnapshotRow &row = last->passSeq > 0 ? *last : rows.back();
    return CodePoint{row.stage,
                     row.passSeq,
                     {},
                     row.irId,
                     fmt::format("{} made no code for {} itself, since it was inlined everywhere: this is the last of it",
                                 compile.pipeline, m_function.name)};
  }
  return wrong(fmt::format("the code of \"{}\" at \"{}\" was not recorded under {}; there is: {}", m_function.name, point,
                           compile.pipeline, pointsOf(compile.id)));
}

} // namespace jitscope::analysis
