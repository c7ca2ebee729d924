// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/ledger.h"

#include <fmt/format.h>

#include <algorithm>

namespace jitscope::analysis {

namespace {

void add(event::FunctionWork &total, const event::FunctionWork &work) {
  total.optimized += work.optimized;
  total.linked += work.linked;
  total.emitted += work.emitted;
  total.reused += work.reused;
  total.optimizeNs += work.optimizeNs;
  total.emitNs += work.emitNs;
  total.codeBytes += work.codeBytes;
  total.repeatOptimizeNs += work.repeatOptimizeNs;
  total.repeatEmitNs += work.repeatEmitNs;
  total.repeatCodeBytes += work.repeatCodeBytes;
}

std::uint64_t workNs(const event::CompileEvent &compile) { return compile.optimizeNs + compile.codegenNs; }

std::string milliseconds(std::uint64_t ns) {
  constexpr double kNsPerMs = 1e6;
  return fmt::format("{:.3g} ms", static_cast<double>(ns) / kNsPerMs);
}

std::string verdictText(const Ledger &ledger, const LedgerVerdict &verdict, const std::string &reference) {
  switch (verdict.cause) {
  case RepeatCause::None:
    return "hardly any work is repeated";
  case RepeatCause::SurvivingCopies:
    return fmt::format("surviving copies are the cause: {} of functions that other modules hold already were optimized and emitted "
                       "again, {} and {} bytes of code",
                       ledger.survivingCopies == 1 ? "1 copy" : fmt::format("{} copies", ledger.survivingCopies),
                       milliseconds(ledger.survivingNs), ledger.total.repeatCodeBytes);
  case RepeatCause::InlinedBodies:
    break;
  }
  std::string text = "inlined bodies are the cause, not surviving copies: ";
  if (verdict.inlinedNs > 0) {
    text += fmt::format("{} more than {} took went through the passes once more inside the callers",
                        milliseconds(verdict.inlinedNs), reference);
  }
  if (ledger.droppedNs > 0) {
    text += fmt::format("{}{} into copies that were gone before code was made", verdict.inlinedNs > 0 ? ", and " : "",
                        milliseconds(ledger.droppedNs));
  }
  text += ledger.survivingCopies == 0
              ? "; no copy was emitted twice"
              : fmt::format("; {} {} emitted again, which took {}", ledger.survivingCopies,
                            ledger.survivingCopies == 1 ? "copy was" : "copies were", milliseconds(ledger.survivingNs));
  return text;
}

} // namespace

std::string_view nameOf(RepeatCause cause) {
  switch (cause) {
  case RepeatCause::None:
    return "none";
  case RepeatCause::SurvivingCopies:
    return "surviving-copies";
  case RepeatCause::InlinedBodies:
    break;
  }
  return "inlined-bodies";
}

Ledger ledgerOf(const event::CompileEvent &compile, const std::vector<event::FunctionEvent> &functions) {
  Ledger ledger;
  for (const event::FunctionWork &work : compile.work) {
    const auto function = std::ranges::find(functions, work.functionId, &event::FunctionEvent::id);
    ledger.functions.push_back({work, function == functions.end() ? std::string() : function->name});
    add(ledger.total, work);
    const bool survives = work.emitted > 1;
    ledger.survivingCopies += survives ? work.emitted - 1 : 0;
    (survives ? ledger.survivingNs : ledger.droppedNs) += work.repeatOptimizeNs + work.repeatEmitNs;
  }
  return ledger;
}

LedgerVerdict judge(const Ledger &ledger, const event::CompileEvent &compile, const event::CompileEvent &reference) {
  // Below a twentieth of all work a difference is noise between two compiles.
  constexpr std::uint64_t kNoise = 20;
  LedgerVerdict verdict;
  const std::uint64_t copiesNs = ledger.survivingNs + ledger.droppedNs;
  verdict.excessNs = workNs(compile) > workNs(reference) ? workNs(compile) - workNs(reference) : 0;
  verdict.inlinedNs = verdict.excessNs > copiesNs ? verdict.excessNs - copiesNs : 0;
  const std::uint64_t repeatedNs = std::max(copiesNs, verdict.excessNs);
  if (repeatedNs > 0 && repeatedNs >= workNs(compile) / kNoise) {
    verdict.cause =
        ledger.survivingNs > ledger.droppedNs + verdict.inlinedNs ? RepeatCause::SurvivingCopies : RepeatCause::InlinedBodies;
  }
  verdict.text = verdictText(ledger, verdict, reference.pipeline);
  return verdict;
}

} // namespace jitscope::analysis
