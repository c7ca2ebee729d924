// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/cold_leg_process.h"

#include "base/try.h"
#include "event/sink.h"
#include "runtime/dispatch/id_registry.h"
#include "session/import/event_importer.h"
#include "session/session_reader.h"

#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace jitscope::app {

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

/// Hands everything on and keeps the samples.
class SampleSink final : public event::Sink {
public:
  explicit SampleSink(event::Sink &next) : m_next(next) {}
  void call(const event::CallEvent &event) noexcept override {
    if (event.phase == event::CallPhase::Sample) {
      m_samples.push_back({event.totalNs(), event.outcome});
    }
    m_next.call(event);
  }
  void record(event::Event event) noexcept override { m_next.record(std::move(event)); }
  [[nodiscard]] std::vector<script::Sample> take() { return std::move(m_samples); }

private:
  event::Sink &m_next;
  std::vector<script::Sample> m_samples;
};

/// What the child records, on its way into this run's session.
class LegFollower {
public:
  LegFollower(FollowedChild &child, const runtime::ColdLegRequest &request, runtime::IdRegistry &ids, event::Sink &sink)
      : m_child(child), m_request(request), m_ids(ids), m_sink(sink) {}

  /// Takes over what is new.
  Result<void> follow() {
    JITSCOPE_TRY_VOID(open());
    return m_importer->follow();
  }

  /// Takes over the rest from a child that has ended; gives what it measured.
  Result<runtime::MeasuredLeg> finish() {
    JITSCOPE_TRY_VOID(base::within(open(), "while reading what a cold leg recorded"));
    JITSCOPE_TRY_VOID(base::within(m_importer->finish(), "while taking over what a cold leg recorded"));
    // An interrupted one has samples and does not say how they were taken.
    JITSCOPE_TRY(session::SessionReader *const reader, m_child.session());
    JITSCOPE_TRY(const std::vector<event::BenchLegEvent> legs, reader->benchLegs());
    runtime::MeasuredLeg measured;
    if (!legs.empty()) {
      const event::BenchLegEvent &leg = legs.front();
      measured = {{}, leg.callsPerSample, leg.clockStepNs, leg.overheadNs, leg.isCapped};
    }
    measured.samples = m_sink.take();
    return measured;
  }

private:
  Result<void> open() {
    if (!m_importer) {
      JITSCOPE_TRY(session::SessionReader *const reader, m_child.session());
      const session::ImportRequest import{std::nullopt, m_request.caseId, m_request.sectionId, m_request.process};
      m_importer = std::make_unique<session::CaseImporter>(*reader, import, importIdsFrom(m_ids), m_sink);
    }
    return {};
  }

  FollowedChild &m_child;
  const runtime::ColdLegRequest &m_request;
  runtime::IdRegistry &m_ids;
  SampleSink m_sink;
  std::unique_ptr<session::CaseImporter> m_importer;
};

} // namespace

Result<runtime::MeasuredLeg> ColdLegProcess::launch(const runtime::ColdLegRequest &request, runtime::IdRegistry &ids) {
  JITSCOPE_TRY(FollowedChild child, FollowedChild::prepare(m_setup.child, "a cold leg was measured"));
  std::vector<std::string> arguments{
      "run",
      m_setup.scriptPath,
      "-o",
      child.sessionPath(),
      "--progress",
      "never",
      "--cold-leg",
      fmt::format("{},{},{}", request.target.bench, request.target.caseIndex, request.target.inputIndex),
      "--epoch",
      std::to_string(m_setup.epoch.monotonicNs),
      "--script-sha256",
      m_setup.scriptSha256};
  arguments.insert(arguments.end(), m_setup.optionArguments.begin(), m_setup.optionArguments.end());
  LegFollower follower(child, request, ids, m_setup.sink);
  Result<ChildEnd> end = child.run(std::move(arguments), {.follow = [&follower] { return follower.follow(); }});
  if (end && end->isGood()) {
    return follower.finish();
  }
  // What it had measured until then is kept; there may be nothing yet.
  std::ignore = follower.finish();
  return end ? fail(ErrorCode::RuntimeProcess,
                    fmt::format("the process of the cold leg {}:\n{}", end->description(), end->messages))
             : std::unexpected(std::move(end.error()));
}

} // namespace jitscope::app
