// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/batch_command.h"
#include "report/batch/junit.h"
#include "report/batch/sarif.h"
#include "report/render/document_html.h"
#include "report/render/document_markdown.h"
#include "report/render/document_text.h"

#include "batch/batch_runner.h"
#include "commands/compare_command.h"
#include "commands/report_command.h"
#include "commands/shared_options.h"
#include "manual/help_text.h"
#include "manual/value_type.h"
#include "output/message.h"
#include "output/output_file.h"
#include "output/terminal_options.h"
#include "process/chart_process.h"
#include "run/stop_watcher.h"

#include "base/try.h"
#include "report/batch/batch_result.h"
#include "report/document/batch_document.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace jitscope::app {

namespace {

namespace fs = std::filesystem;
using base::Result;
using report::BatchResult;
using report::ScriptResult;

struct BatchArguments {
  std::vector<std::string> scripts;
  std::size_t jobs = 1;
  std::string shard;
  std::string folder = "jitscope-batch";
  std::string baseline;
  std::string threshold = "5%";
  bool acrossMachines = false;
  std::size_t confirmations = 2;
  double timeoutSeconds = 600;
  std::vector<std::string> settings;
  std::string pipeline;
  std::string seed;
  std::vector<std::string> failOn;
  std::string junit;
  std::string sarif;
  std::string markdown;
  std::string html;
  bool asJson = false;
};

/// What is to be run and compared, or what is wrong with that. Nothing was run before this is known.
struct Plan {
  std::vector<BatchScript> all;
  std::vector<BatchScript> scripts; ///< of the shard
  std::optional<Baseline> baseline;
  BatchOptions options;
};

Result<Plan> planFrom(const BatchArguments &arguments) {
  Plan plan;
  const Result<double> threshold = parsePercent(arguments.threshold);
  const Result<Shard> shard = arguments.shard.empty() ? Shard{} : parseShard(arguments.shard);
  Result<std::vector<BatchScript>> all = findScripts(arguments.scripts);
  if (!threshold || !shard || !all) {
    return std::unexpected(!threshold ? threshold.error() : !shard ? shard.error() : all.error());
  }
  plan.all = *std::move(all);
  plan.scripts = scriptsOf(plan.all, *shard);
  if (!arguments.baseline.empty()) {
    JITSCOPE_TRY(Baseline baseline, Baseline::open(arguments.baseline, plan.all));
    std::error_code ignored;
    if (fs::equivalent(arguments.baseline, arguments.folder, ignored)) {
      return base::fail(base::ErrorCode::RuntimeOption, "the baseline and the folder to write to (-o) are the same");
    }
    plan.baseline = std::move(baseline);
  }
  std::error_code error;
  fs::create_directories(arguments.folder, error);
  if (error) {
    return base::fail(base::ErrorCode::StorageOpen,
                      fmt::format("the folder {} cannot be made: {}", arguments.folder, error.message()));
  }
  plan.options.folder = arguments.folder;
  plan.options.jobs = std::max<std::size_t>(arguments.jobs, 1);
  plan.options.timeoutSeconds = arguments.timeoutSeconds;
  plan.options.compare.threshold = *threshold;
  plan.options.compare.acrossMachines = arguments.acrossMachines;
  plan.options.confirmations = arguments.confirmations;
  plan.options.failOn = gatesFrom(arguments.failOn);
  for (const std::string &setting : arguments.settings) {
    plan.options.runArguments.insert(plan.options.runArguments.end(), {"--set", setting});
  }
  if (!arguments.seed.empty()) {
    plan.options.runArguments.insert(plan.options.runArguments.end(), {"--seed", std::to_string(seedFrom(arguments.seed))});
  }
  if (!arguments.pipeline.empty()) {
    plan.options.runArguments.insert(plan.options.runArguments.end(), {"--pipeline", arguments.pipeline});
  }
  return plan;
}

std::vector<std::string> problemsOf(const Plan &plan, const std::vector<ScriptResult> &results) {
  std::vector<std::string> problems;
  if (!plan.baseline) {
    return problems;
  }
  for (const std::string &session : plan.baseline->withoutScript()) {
    problems.push_back(fmt::format("the baseline has {}, but the batch has no script of that name", session));
  }
  const bool comparesNothing = !results.empty() && std::ranges::all_of(results, [](const ScriptResult &result) {
    return !result.comparison && !result.baselineProblem.empty();
  });
  if (comparesNothing) {
    problems.emplace_back("the baseline has no session for any of the scripts: nothing was compared");
  }
  return problems;
}

/// The report of each script beside its session, for the page to link to.
void writeScriptPages(BatchResult &batch, const fs::path &folder) {
  // Said once, and not for each script.
  const Result<fs::path> charts = findCharts();
  if (!charts) {
    say(fmt::format("jitscope: the reports have no drawings: {}\n", charts.error().message));
  }
  for (ScriptResult &script : batch.scripts) {
    if (script.session.empty()) {
      continue;
    }
    const fs::path page = folder / (script.name + ".html");
    // A session that cannot be read was reported already.
    if (writeReport({.session = script.session, .format = "html", .output = page, .hasDrawings = charts.has_value()}) ==
        ExitStatus::Done) {
      script.report = page.string();
    }
  }
}

Result<void> writeReports(BatchResult &batch, const BatchArguments &arguments) {
  Result<void> written;
  if (!arguments.html.empty()) {
    writeScriptPages(batch, arguments.folder);
    const fs::path from = arguments.html == "-" ? fs::path() : fs::path(arguments.html).parent_path();
    written = writeResult(arguments.html, report::renderHtml(report::batchDocument(batch, from)));
  }
  if (written && !arguments.junit.empty()) {
    written = writeResult(arguments.junit, report::renderJunit(batch));
  }
  if (written && !arguments.sarif.empty()) {
    written = writeResult(arguments.sarif, report::renderSarif(batch));
  }
  if (written && !arguments.markdown.empty()) {
    written = writeResult(arguments.markdown, report::renderMarkdown(report::batchDocument(batch)));
  }
  if (written) {
    written = writeResult({}, arguments.asJson ? report::renderBatchJson(batch)
                                               : report::renderText(report::batchDocument(batch), optionsForTerminal({})));
  }
  return written;
}

ExitStatus runBatch(const BatchArguments &arguments) {
  Result<Plan> plan = planFrom(arguments);
  if (!plan) {
    return reportError(plan.error());
  }
  plan->options.baseline = plan->baseline ? &*plan->baseline : nullptr;
  StopWatcher stop({.endsProcess = false});
  BatchRunner runner(plan->options, stop.stopRequested(), [](const std::string &line) { say(fmt::format("{}\n", line)); });
  BatchResult batch;
  batch.scripts = runner.run(plan->scripts);
  batch.shard = arguments.shard;
  batch.version = JITSCOPE_VERSION;
  batch.hasBaseline = plan->baseline.has_value();
  batch.problems = problemsOf(*plan, batch.scripts);
  if (Result<void> written = writeReports(batch, arguments); !written) {
    return reportError(written.error());
  }
  if (batch.hasFailed()) {
    return ExitStatus::Failed;
  }
  return batch.isInsufficient() ? ExitStatus::TooLittle : ExitStatus::Done;
}

} // namespace

void addBatchCommand(CLI::App &app, ExitStatus &status) {
  auto arguments = std::make_shared<BatchArguments>();
  CLI::App *command = app.add_subcommand("batch", "Run many scripts, each in its own process, and report failures and regressions");
  command->add_option("SCRIPT", arguments->scripts, "Graph scripts, or folders of them (*.lua)")
      ->type_name(value::kScripts)
      ->required();
  command
      ->add_option("-j,--jobs", arguments->jobs,
                   "Number of scripts that run in parallel, 1 to 1024; they disturb each other's times")
      ->type_name(value::kCount)
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str();
  command->add_option("--shard", arguments->shard, "Run only part I of N, I from 1 to N")->type_name(value::kShard);
  command->add_option("-o,--output", arguments->folder, "Folder for sessions and logs; it replaces those of earlier batches")
      ->type_name(value::kFolder)
      ->capture_default_str();
  command->add_option("--baseline", arguments->baseline, "Session, or folder of an earlier batch, to compare with")
      ->type_name(value::kSessions);
  command->add_option("--threshold", arguments->threshold, kThresholdHelp)->type_name(value::kPercent)->capture_default_str();
  command->add_flag("--across-machines", arguments->acrossMachines, kAcrossMachinesHelp);
  command
      ->add_option("--confirm", arguments->confirmations,
                   "Number of reruns, 0 to 100, of a script that is or may be slower; it counts as slower only if every rerun is")
      ->type_name(value::kCount)
      ->check(CLI::Range(0, 100).description(""))
      ->capture_default_str();
  command->add_option("--timeout", arguments->timeoutSeconds, "Maximum time of each script; 0: no limit")
      ->type_name(value::kSeconds)
      ->check(checkSeconds)
      ->capture_default_str();
  addSettingOptions(*command, arguments->settings, arguments->pipeline);
  command->add_option("--seed", arguments->seed, kSeedHelp)->type_name(value::kSeed)->check(checkSeed);
  addFailOnOption(*command, arguments->failOn);
  command->add_option("--junit", arguments->junit, "Write a JUnit XML file")->type_name(value::kFile);
  command->add_option("--sarif", arguments->sarif, "Write a SARIF 2.1.0 file")->type_name(value::kFile);
  command->add_option("--markdown", arguments->markdown, "Write the summary as Markdown")->type_name(value::kFile);
  command->add_option("--html", arguments->html, "Write the summary as HTML, and the report of each script beside its session")
      ->type_name(value::kFile);
  command->add_flag("--json", arguments->asJson, "Print the summary as one JSON object");
  command->footer(helpFooter(
      "",
      {{ExitStatus::Done, "all passed"},
       {ExitStatus::Failed,
        "a script or an expectation failed, a finding is forbidden, or something is worse than in the baseline"},
       {ExitStatus::BadInput, "wrong usage or unreadable input, and nothing was run; or an output that cannot be written"},
       {ExitStatus::TooLittle, "nothing failed, but not everything could be compared"}},
      {{"jitscope batch bench/ -o results", "run every script in bench/"},
       {"jitscope batch bench/ -o results --baseline main-results", "compare with an earlier batch, too"},
       {"jitscope batch bench/ --shard 2/4 --junit junit.xml --html index.html",
        "run the second quarter and write reports for CI"}}));
  command->callback([arguments, &status] { status = runBatch(*arguments); });
}

} // namespace jitscope::app
