// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/summary_text.h"

#include "analysis/summary.h"
#include "base/units.h"
#include "event/compile_cost.h"
#include "session/file/session_open.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::report {

Tone toneOf(event::Outcome outcome) { return event::heldUpByCompile(outcome) ? Tone::Notable : Tone::Plain; }

std::string_view explain(event::MissReason reason, std::uint16_t process) {
  switch (reason) {
  case event::MissReason::NewFunction:
    return "never compiled before";
  case event::MissReason::NewShape:
    return "compiled before, for other sizes";
  case event::MissReason::NewDtype:
    return "compiled before, for other element types";
  case event::MissReason::NewRank:
    return "compiled before, for another number of dimensions";
  case event::MissReason::NewArity:
    return "compiled before, for another number of arguments";
  case event::MissReason::StaticValue:
    return "compiled before, for another value of a static argument";
  case event::MissReason::Options:
    return "compiled before, under other options";
  case event::MissReason::Evicted:
    return "compiled before, and evicted since";
  case event::MissReason::Cleared:
    return process > 0 ? "compiled before, but a cold leg starts with an empty cache"
                       : "compiled before, and the cache was cleared since";
  case event::MissReason::DiskCorrupt:
    return "its file in the disk cache could not be used";
  case event::MissReason::DiskOtherTarget:
    return "its file in the disk cache was made for another CPU or version";
  case event::MissReason::Study:
    return "compiled anew by a study";
  }
  return "";
}

std::string functionText(const std::string &name, int line, bool eager) {
  if (eager) {
    return name + " (eager)";
  }
  return event::functionLabel(name, line);
}

std::string signatureText(const std::string &signature) { return signature.empty() ? "no arguments" : signature; }

Tone toneOf(record::SessionStatus status) {
  switch (status) {
  case record::SessionStatus::Finished:
    return Tone::Good;
  case record::SessionStatus::Running:
    return Tone::Notable;
  case record::SessionStatus::Failed:
  case record::SessionStatus::Interrupted:
    break;
  }
  return Tone::Bad;
}

std::string statusText(const session::SessionRow &session) {
  const std::string duration = base::formatDuration(static_cast<double>(session.durationNs));
  switch (session.status) {
  case record::SessionStatus::Finished:
    return "Finished in " + duration;
  case record::SessionStatus::Running:
    return "Still running, " + duration + " so far";
  case record::SessionStatus::Failed:
    return "Failed after " + duration;
  case record::SessionStatus::Interrupted:
    break;
  }
  return "Interrupted after " + duration;
}

std::string timeText(const std::string &startedUtc) {
  constexpr std::size_t kDate = 10;
  constexpr std::size_t kSeconds = 19;
  if (startedUtc.size() < kSeconds || startedUtc[kDate] != 'T' || startedUtc.back() != 'Z') {
    return startedUtc;
  }
  return startedUtc.substr(0, kDate) + " " + startedUtc.substr(kDate + 1, kSeconds - kDate - 1) + " UTC";
}

namespace {

std::string fileName(const std::string &path) { return std::filesystem::path(path).filename().string(); }

} // namespace

std::string titleText(const analysis::Summary &summary) {
  const std::string &path = summary.session.info.scriptPath;
  if (!summary.parts.empty()) {
    return fmt::format("{} sessions, merged", summary.parts.size());
  }
  return path.empty() ? std::string("session") : fileName(path);
}

std::string scriptOfBench(const analysis::Summary &summary, std::uint32_t bench) {
  const auto part = std::ranges::find_if(
      summary.parts, [bench](const session::MergedPart &known) { return known.firstBench <= bench && bench <= known.lastBench; });
  return part == summary.parts.end() ? std::string() : fileName(part->scriptPath);
}

std::string scriptOfExpectation(const analysis::Summary &summary, std::size_t number) {
  const auto part = std::ranges::find_if(summary.parts, [number](const session::MergedPart &known) {
    return known.firstExpectation <= number && number <= known.lastExpectation;
  });
  return part == summary.parts.end() ? std::string() : fileName(part->scriptPath);
}

std::string noCallsText(const analysis::Summary &summary) {
  if (summary.only.empty()) {
    return "No calls were recorded";
  }
  return std::string(summary.only.size() == 1 ? "No call meets this condition" : "No call meets these conditions") +
         (summary.selection.functionId ? "; what is only called inside of other functions has no calls of its own" : "");
}

std::string onlyText(const analysis::Summary &summary) {
  return summary.only.empty() ? std::string() : fmt::format("Only {}", fmt::join(summary.only, ", "));
}

} // namespace jitscope::report
