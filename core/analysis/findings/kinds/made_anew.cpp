// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/made_anew.h"

#include "analysis/code/ir_text.h"
#include "analysis/query/each_row.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"
#include "session/file/database.h"
#include "session/optimizer_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::analysis {

namespace {

/// So many functions of one name and line, one after the other, are no accident of a script's layout.
constexpr std::size_t kFewestFunctions = 4;

/// What making one function cost its callers.
struct MadeFunction {
  base::FunctionId id;
  std::uint64_t compileNs = 0; ///< or tracing and loading, where an equal graph had been compiled
  std::uint64_t calls = 0;
  std::uint64_t firstCall = 0;
  std::uint64_t lastCall = 0;
  std::uint64_t traced = 0;   ///< times its body ran
  std::uint64_t retraced = 0; ///< of these, times an equal graph was compiled already
  std::vector<const CompileRecord *> compiles;
};

using MadeFunctions = std::vector<MadeFunction>;

/// Whether each function was done with before the next one came: nobody keeps them.
bool areMadeInTurn(const MadeFunctions &functions) {
  std::size_t overlaps = 0;
  for (std::size_t i = 1; i < functions.size(); ++i) {
    overlaps += functions[i].firstCall < functions[i - 1].lastCall ? 1 : 0;
  }
  return overlaps * 4 <= functions.size();
}

bool isNumberWord(const std::string &word) {
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word.front())) != 0 || (word.front() == '-' && word.size() > 1));
}

/// What differs between two graphs, by the code that they were lowered to: "identical", "one constant differs: 1.0 in the first,
/// 2.0 in the second"; empty where more than constants differs.
std::string differenceOf(const std::string &first, const std::string &second) {
  const std::vector<IrLine> one = readIr(first);
  const std::vector<IrLine> other = readIr(second);
  if (one.size() != other.size()) {
    return {};
  }
  std::vector<std::string> constants;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].tokens.size() != other[i].tokens.size()) {
      return {};
    }
    for (std::size_t k = 0; k < one[i].tokens.size(); ++k) {
      const IrToken &left = one[i].tokens[k];
      const IrToken &right = other[i].tokens[k];
      if (left.kind != right.kind) {
        return {};
      }
      if (left.text != right.text) {
        if (left.kind != IrTokenKind::Word || !isNumberWord(left.text) || !isNumberWord(right.text)) {
          return {};
        }
        constants.push_back(fmt::format("{} in the first, {} in the second", left.text, right.text));
      }
    }
  }
  if (constants.empty()) {
    return "the graphs of the first two are identical";
  }
  return fmt::format("the graphs of the first two differ in {} only ({})", base::counted(constants.size(), "constant"),
                     constants.front());
}

/// The graphs of the first two functions compared, at the earliest stage that is recorded; empty where they cannot be.
base::Result<std::string> compareGraphs(FindingEvidence &evidence, const MadeFunctions &functions) {
  session::OptimizerReader reader(evidence.reader());
  std::vector<std::string> texts;
  for (const MadeFunction &function : functions) {
    if (texts.size() == 2 || function.compiles.empty()) {
      continue;
    }
    JITSCOPE_TRY(const std::vector<session::SnapshotRow> snapshots, reader.snapshots(function.compiles.front()->compile.id));
    const auto earliest = std::ranges::find(snapshots, function.id, &session::SnapshotRow::functionId);
    if (earliest == snapshots.end()) {
      return std::string();
    }
    JITSCOPE_TRY(std::string text, reader.irText(earliest->irId));
    texts.push_back(std::move(text));
  }
  return texts.size() == 2 ? differenceOf(texts[0], texts[1]) : std::string();
}

base::Result<void> addMade(FindingEvidence &evidence, FindingList &list, const MadeFunctions &functions) {
  const event::FunctionEvent &known = evidence.function(functions.front().id);
  Finding finding = evidence.about(FindingKind::MadeAnew, known);
  finding.rows.functions.clear();
  std::uint64_t calls = 0;
  std::uint64_t allNs = 0;
  std::uint64_t traced = 0;
  std::uint64_t retraced = 0;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const MadeFunction &function = functions[i];
    finding.costNs += i == 0 ? 0 : function.compileNs;
    allNs += function.compileNs;
    calls += function.calls;
    traced += function.traced;
    retraced += function.retraced;
    finding.rows.functions.push_back(function.id);
    for (const CompileRecord *const record : function.compiles) {
      finding.rows.compiles.push_back(record->compile.id);
      finding.rows.calls.push_back(record->compile.callId);
    }
  }
  if (!evidence.isWorthwhile(finding.costNs)) {
    return {};
  }
  for (std::size_t i = 1; i < functions.size(); ++i) {
    for (const CompileRecord *const record : functions[i].compiles) {
      list.claim(*record);
    }
  }
  finding.title = fmt::format("{} is made anew: {} of that name were made at line {} and called {}", nameForFinding(known),
                              base::counted(functions.size(), "function"), known.line, base::counted(calls, "time"));
  const std::uint64_t compiled = traced - std::min(traced, retraced);
  finding.explanation = fmt::format("Each new function is traced again, and the cache has nothing for it: {}, {} in all.",
                                    retraced == 0   ? base::counted(compiled, "compile")
                                    : compiled <= 1 ? base::counted(traced, "trace")
                                                    : fmt::format("{} and {} of an equal graph", base::counted(compiled, "compile"),
                                                                  base::counted(retraced, "trace")),
                                    base::formatNs(allNs));
  std::string difference;
  if (retraced + 1 >= traced) {
    difference = "all graphs are identical";
  } else {
    JITSCOPE_TRY(difference, compareGraphs(evidence, functions));
  }
  const bool isIdentical = difference.ends_with("identical");
  if (!difference.empty()) {
    difference[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(difference[0])));
    finding.explanation += " " + difference + ".";
  }
  finding.remedy = isIdentical ? "Make the function once, outside the loop, and call it there."
                               : "Make the function once, outside the loop, and pass what differs as an argument.";
  finding.effect = fmt::format("One compile of about {} would have served all {}.", base::formatNs(functions.front().compileNs),
                               base::counted(calls, "call"));
  list.add(std::move(finding));
  return {};
}

} // namespace

base::Result<void> findFunctionsMadeAnew(FindingEvidence &evidence, FindingList &list) {
  std::map<std::pair<int, std::string>, std::vector<base::FunctionId>> byPlace;
  for (const event::FunctionEvent &function : evidence.functions()) {
    if (!function.eager && function.line > 0) {
      byPlace[{function.line, function.name}].push_back(function.id);
    }
  }
  std::erase_if(byPlace, [](const auto &entry) { return entry.second.size() < kFewestFunctions; });
  if (byPlace.empty()) {
    return {};
  }
  std::map<base::FunctionId, MadeFunction> made;
  for (const CompileRecord &record : evidence.compiles()) {
    if (record.isPaidByCall() && !record.isCold() && !list.isClaimed(record)) {
      MadeFunction &function = made[record.functionId];
      function.compileNs += record.compile.totalNs;
      ++function.traced;
      function.compiles.push_back(&record);
    }
  }
  JITSCOPE_TRY_VOID(eachRow(evidence.database(),
                            "SELECT template_id, sum(trace_ns + load_ns), count(*), sum(outcome = 'retrace') FROM retrieval WHERE "
                            "call_id IS NOT NULL GROUP BY template_id",
                            [&](const session::Statement &row) {
                              MadeFunction &function = made[evidence.entry(base::TemplateId(row.number(0))).functionId];
                              function.compileNs += row.unsignedInteger(1);
                              function.traced += row.unsignedInteger(2);
                              function.retraced += row.unsignedInteger(3);
                            }));
  JITSCOPE_TRY(const CallHistory *const history, evidence.history());
  for (const auto &[place, ids] : byPlace) {
    MadeFunctions functions;
    for (const base::FunctionId id : ids) {
      const auto calls = history->functions.find(id);
      if (calls != history->functions.end() && calls->second.calls > 0 && calls->second.callsInCases == 0 && made.contains(id)) {
        MadeFunction &function = functions.emplace_back(made[id]);
        function.id = id;
        function.calls = calls->second.calls;
        function.firstCall = calls->second.firstCall;
        function.lastCall = calls->second.lastCall;
      }
    }
    std::ranges::sort(functions, {}, &MadeFunction::firstCall);
    if (functions.size() >= kFewestFunctions && areMadeInTurn(functions)) {
      JITSCOPE_TRY_VOID(addMade(evidence, list, functions));
    }
  }
  return {};
}

} // namespace jitscope::analysis
