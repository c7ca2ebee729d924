// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/merge_command.h"

#include "manual/help_text.h"
#include "manual/value_type.h"

#include "session/import/session_merge.h"
#include "session/session_reader.h"

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace jitscope::app {

namespace {

ExitStatus merge(const std::vector<std::string> &sessions, const std::string &output) {
  std::vector<std::unique_ptr<session::SessionReader>> readers;
  std::vector<session::SessionReader *> sources;
  for (const std::string &path : sessions) {
    base::Result<std::unique_ptr<session::SessionReader>> reader = session::SessionReader::open(path);
    if (!reader) {
      return reportError(reader.error());
    }
    sources.push_back(reader->get());
    readers.push_back(*std::move(reader));
  }
  const base::Result<void> merged = session::mergeSessions(sources, output);
  return merged ? ExitStatus::Done : reportError(merged.error());
}

} // namespace

void addMergeCommand(CLI::App &app, ExitStatus &status) {
  struct MergeArguments {
    std::vector<std::string> sessions;
    std::string output;
  };
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App *command = app.add_subcommand("merge", "Put several sessions, such as those of shards, into one");
  command->add_option("SESSION", arguments->sessions, "Session files (.jitscope)")->type_name(value::kSession)->required();
  command->add_option("-o,--output", arguments->output, "Session file to write; an existing file is not replaced")
      ->type_name(value::kSession)
      ->required();
  command->footer(helpFooter("", {{ExitStatus::Done, "done"}, kBadInput},
                             {{"jitscope merge shard-*/*.jitscope -o all.jitscope", "merge the sessions of all shards"}}));
  command->callback([arguments, &status] { status = merge(arguments->sessions, arguments->output); });
}

} // namespace jitscope::app
