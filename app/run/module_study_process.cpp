// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/module_study_process.h"

#include "commands/exit_status.h"

#include "base/try.h"
#include "event/loops.h"
#include "event/sink.h"
#include "runtime/dispatch/id_registry.h"
#include "runtime/engine_options.h"
#include "runtime/study/study_plan.h"
#include "session/import/study_importer.h"
#include "session/optimizer_reader.h"
#include "session/session_reader.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include <sys/wait.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace jitscope::app {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

/// A step of the study as the child tells it.
struct Step {
  std::string function;
  std::string pipeline;
  std::uint32_t repetition = 0;
  std::uint32_t repetitions = 0;
};

std::string toLine(const Step &step) {
  return nlohmann::json::array({step.function, step.pipeline, step.repetition, step.repetitions})
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<Step> fromLine(std::string_view line) {
  const nlohmann::json values = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  const bool isStep = values.is_array() && values.size() == 4 && values[0].is_string() && values[1].is_string() &&
                      values[2].is_number_unsigned() && values[3].is_number_unsigned();
  if (!isStep) {
    return std::nullopt;
  }
  return Step{values[0], values[1], values[2], values[3]};
}

std::vector<std::string> argumentsFor(const runtime::ModuleStudyRequest &request, const std::string &sessionPath,
                                      base::ClockEpoch epoch, const std::vector<std::string> &more) {
  std::vector<std::string> arguments{"study",         "-o",
                                     sessionPath,     "--in-process",
                                     "--epoch",       std::to_string(epoch.monotonicNs),
                                     "--line",        std::to_string(request.line),
                                     "--repetitions", std::to_string(request.repetitions)};
  const auto add = [&](const char *option, const std::string &value) {
    if (!value.empty()) {
      arguments.insert(arguments.end(), {option, value});
    }
  };
  add("--root", request.modules.root);
  add("--triple", request.modules.triple);
  add("--pipelines", fmt::format("{}", fmt::join(request.pipelines, ",")));
  runtime::EngineOptions options;
  options.dispatch.compile = request.options;
  options.dispatch.observation = request.observation;
  for (const runtime::OptionDescription &option : runtime::describeOptions(options)) {
    add("--set", option.name + "=" + option.value);
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), request.modules.paths.begin(), request.modules.paths.end());
  return arguments;
}

/// What the child printed about its failure, without the command's name.
std::string problemIn(std::string messages) {
  constexpr std::string_view kName = "jitscope: ";
  if (messages.starts_with(kName)) {
    messages.erase(0, kName.size());
  }
  return messages;
}

/// Hands everything on to the run's sink and keeps what the script is told.
class SummarizingSink final : public event::Sink {
public:
  explicit SummarizingSink(event::Sink &next) : m_next(next) {}
  void call(const event::CallEvent &event) noexcept override { m_next.call(event); }
  void record(event::Event event) noexcept override {
    if (const auto *compile = std::get_if<event::CompileEvent>(&event)) {
      add(*compile);
    } else if (const auto *result = std::get_if<event::StudyResultEvent>(&event)) {
      add(*result);
    }
    m_next.record(std::move(event));
  }
  [[nodiscard]] std::vector<script::StudyPipeline> summary() const {
    std::vector<script::StudyPipeline> pipelines;
    for (const event::StudyResultEvent &result : m_results) {
      const auto known = m_compiles.find(result.pipeline);
      script::StudyPipeline pipeline;
      pipeline.pipeline = result.pipeline;
      pipeline.codeBytes = result.codeBytes;
      pipeline.error = result.error;
      if (known != m_compiles.end()) {
        pipeline.compileNs = runtime::medianOf(known->second.compileNs);
        pipeline.loops = known->second.loops;
      }
      pipelines.push_back(std::move(pipeline));
    }
    return pipelines;
  }

private:
  struct Compiles {
    std::vector<double> compileNs;
    std::vector<event::LoopResult> loops;
  };
  void add(const event::CompileEvent &compile) {
    Compiles &compiles = m_compiles[compile.pipeline];
    if (compile.repetition == 0) {
      compiles.loops = event::vectorizedLoops(compile.loops);
    }
    runtime::addCompileTime(compiles.compileNs, compile.repetition, compile.totalNs);
  }
  void add(const event::StudyResultEvent &result) { m_results.push_back(result); }

  event::Sink &m_next;
  std::map<std::string, Compiles> m_compiles;
  std::vector<event::StudyResultEvent> m_results;
};

/// What the child records, on its way into this run's session.
class StudyFollower {
public:
  StudyFollower(FollowedChild &child, base::SectionId section, runtime::IdRegistry &ids, event::Sink &sink)
      : m_child(child), m_section(section), m_ids(ids), m_sink(sink) {}

  /// Takes over what is new.
  Result<void> follow() {
    if (!m_importer) {
      JITSCOPE_TRY(session::SessionReader *const reader,
                   base::within(m_child.session(), "while reading what a study of modules recorded"));
      session::StudyImportIds importIds;
      // The registry announces what it adds.
      importIds.function = [this](const event::FunctionEvent &function) {
        return m_ids.foreignFunction(function.name, function.symbol);
      };
      importIds.newCompile = [this] { return m_ids.nextCompile(); };
      importIds.newStudy = [this] { return m_ids.nextStudy(); };
      m_importer = std::make_unique<session::StudyImporter>(*reader, m_section, std::move(importIds), m_sink);
    }
    return m_importer->follow();
  }

  /// Takes over the rest from a child that has ended; gives what the script is told.
  Result<std::vector<script::StudyPipeline>> finish() {
    JITSCOPE_TRY_VOID(follow());
    return m_sink.summary();
  }

private:
  FollowedChild &m_child;
  base::SectionId m_section;
  runtime::IdRegistry &m_ids;
  SummarizingSink m_sink;
  std::unique_ptr<session::StudyImporter> m_importer;
};

constexpr auto kWork = "modules were studied";

} // namespace

void StepPrinter::studyStep(std::string_view function, std::string_view pipeline, std::uint32_t repetition,
                            std::uint32_t repetitions) {
  const std::string line = toLine({std::string(function), std::string(pipeline), repetition, repetitions}) + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

Result<void> ModuleStudyProcess::check(const runtime::ModuleStudyRequest &request) {
  JITSCOPE_TRY(FollowedChild child, FollowedChild::prepare(m_setup.child, kWork));
  return run(child, argumentsFor(request, child.sessionPath(), m_setup.epoch, {"--check"}), {});
}

Result<std::vector<script::StudyPipeline>> ModuleStudyProcess::launch(const runtime::ModuleStudyRequest &request,
                                                                      runtime::IdRegistry &ids) {
  JITSCOPE_TRY(FollowedChild child, FollowedChild::prepare(m_setup.child, kWork));
  StudyFollower follower(child, request.section, ids, m_setup.sink);
  Result<void> done = run(child, argumentsFor(request, child.sessionPath(), m_setup.epoch, {}),
                          {.follow = [&follower] { return follower.follow(); }});
  if (!done) {
    // What there was until then is kept; there may be nothing yet.
    std::ignore = follower.finish();
    return std::unexpected(std::move(done.error()));
  }
  return follower.finish();
}

Result<void> ModuleStudyProcess::run(FollowedChild &child, std::vector<std::string> arguments, FollowedChild::Hooks hooks) {
  std::optional<Step> latest; // none: the child reads the modules
  hooks.onLine = [&](std::string_view line) {
    if (std::optional<Step> step = fromLine(line)) {
      m_setup.observer.studyStep(step->function, step->pipeline, step->repetition, step->repetitions);
      latest = *std::move(step);
    }
  };
  Result<ChildEnd> end = child.run(std::move(arguments), hooks);
  m_setup.observer.studyEnded();
  if (!end) {
    return std::unexpected(std::move(end.error()));
  }
  if (end->isGood()) {
    return {};
  }
  if (WIFSIGNALED(end->waitStatus)) {
    const std::string doing =
        latest ? fmt::format("compiled {} under the pipeline {}", latest->function, latest->pipeline) : "read the modules";
    // What LLVM cannot read is unreadable input, however it says so. A SIGKILL is somebody else's.
    const bool isInput = !latest && WTERMSIG(end->waitStatus) != SIGKILL;
    return fail(isInput ? ErrorCode::CompileInput : ErrorCode::RuntimeProcess,
                fmt::format("LLVM crashed while it {}: the process {}{}{}", doing, end->description(),
                            end->messages.empty() ? "" : "\n", end->messages));
  }
  const bool isInput = WEXITSTATUS(end->waitStatus) == static_cast<int>(ExitStatus::BadInput);
  return fail(isInput ? ErrorCode::CompileInput : ErrorCode::CompileOptimize, problemIn(end->messages));
}

} // namespace jitscope::app
