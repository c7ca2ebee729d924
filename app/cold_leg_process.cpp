// SPDX-License-Identifier: GPL-3.0-or-later
#include "cold_leg_process.h"

#include "child_process.h"

#include "base/temporary_folder.h"
#include "base/try.h"
#include "runtime/id_registry.h"
#include "session/event_importer.h"
#include "session/session_reader.h"

#include <filesystem>
#include <optional>
#include <tuple>

#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

session::ImportIds importIdsFrom(runtime::IdRegistry &ids) {
  session::ImportIds importIds;
  importIds.function = [&ids](const event::FunctionEvent &function) {
    const base::FunctionId known = ids.findFunction(function.name, function.line, function.eager);
    // The registry announces what it adds.
    return session::AssignedId<base::FunctionId>{
        known.isValid() ? known : ids.addFunction(function.name, function.line, function.eager), false};
  };
  importIds.templateOf = [&ids](base::FunctionId function, const event::TemplateEvent &tmpl) {
    return session::AssignedId<base::TemplateId>{ids.templateOf(function, tmpl.signature), false};
  };
  importIds.newCall = [&ids] { return ids.nextCall(); };
  importIds.newCompile = [&ids] { return ids.nextCompile(); };
  return importIds;
}

} // namespace

Result<runtime::MeasuredLeg> ColdLegProcess::takeOver(const std::string &sessionPath, const runtime::ColdLegRequest &request,
                                                      runtime::IdRegistry &ids) {
  Result<std::unique_ptr<session::SessionReader>> reader = session::SessionReader::open(sessionPath);
  if (!reader) {
    return std::unexpected(std::move(reader.error()).within("while reading what a cold leg recorded"));
  }
  const session::ImportRequest import{std::nullopt, request.caseId, request.sectionId, request.process};
  if (auto counts = session::importCase(**reader, import, importIdsFrom(ids), m_setup.sink); !counts) {
    return std::unexpected(std::move(counts.error()).within("while taking over what a cold leg recorded"));
  }
  // An interrupted one has samples and does not say how they were taken.
  JITSCOPE_TRY(const std::vector<event::BenchLegEvent> legs, (*reader)->benchLegs());
  runtime::MeasuredLeg measured;
  if (!legs.empty()) {
    const event::BenchLegEvent &leg = legs.front();
    measured = {{}, leg.callsPerSample, leg.clockStepNs, leg.overheadNs, leg.isCapped};
  }
  session::CallFilter filter;
  filter.phase = event::CallPhase::Sample;
  const Result<void> read = (*reader)->eachCall(filter, [&](const event::CallEvent &call) -> Result<void> {
    measured.samples.push_back({call.totalNs(), call.outcome});
    return {};
  });
  if (!read) {
    return std::unexpected(read.error());
  }
  return measured;
}

Result<runtime::MeasuredLeg> ColdLegProcess::launch(const runtime::ColdLegRequest &request, runtime::IdRegistry &ids) {
  Result<base::TemporaryFolder> folder = base::TemporaryFolder::create();
  if (!folder) {
    return std::unexpected(std::move(folder.error()).within("while a cold leg was prepared"));
  }
  const fs::path sessionPath = folder->path() / "cold.jitscope";
  std::vector<std::string> arguments{
      "run",
      m_setup.scriptPath,
      "-o",
      sessionPath.string(),
      "--progress",
      "never",
      "--cold-leg",
      fmt::format("{},{},{}", request.target.bench, request.target.caseIndex, request.target.inputIndex),
      "--epoch",
      std::to_string(m_setup.epoch.monotonicNs),
      "--script-sha256",
      m_setup.scriptSha256,
      "--parent",
      std::to_string(::getpid())};
  arguments.insert(arguments.end(), m_setup.optionArguments.begin(), m_setup.optionArguments.end());
  JITSCOPE_TRY(const ChildEnd end, runChild({.arguments = std::move(arguments),
                                             .log = folder->path() / "stderr",
                                             .stopRequested = m_setup.stopRequested,
                                             .inheritedDescriptor = folder->lockDescriptor()}));
  if (m_setup.stopRequested.load(std::memory_order_relaxed)) {
    // What it had measured until then is kept; there may be nothing yet.
    std::ignore = takeOver(sessionPath, request, ids);
    return fail(ErrorCode::ScriptInterrupted, "interrupted while a cold leg was measured");
  }
  if (!end.isGood()) {
    std::ignore = takeOver(sessionPath, request, ids);
    return fail(ErrorCode::RuntimeProcess, fmt::format("the process of the cold leg {}:\n{}", end.description(), end.messages));
  }
  return takeOver(sessionPath, request, ids);
}

} // namespace jitscope::app
