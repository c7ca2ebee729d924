// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/cache_command.h"

#include "manual/help_text.h"
#include "output/output_file.h"

#include "jit/disk_cache.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace jitscope::app {

namespace {

ExitStatus show(const base::Result<jit::DiskCacheStatistics> &statistics, const std::filesystem::path &folder, bool isRemoval,
                bool asJson) {
  if (!statistics) {
    return reportError(statistics.error());
  }
  constexpr double kKiB = 1 << 10;
  std::string text;
  if (asJson) {
    const nlohmann::json object{{"folder", folder.string()},
                                {isRemoval ? "removed_entries" : "entries", statistics->entries},
                                {isRemoval ? "removed_bytes" : "bytes", statistics->bytes},
                                {"foreign_files", statistics->foreignFiles}};
    text = object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  } else {
    text = fmt::format("{}: {}{} {}, {:.1f} KiB\n", folder.string(), isRemoval ? "removed " : "", statistics->entries,
                       statistics->entries == 1 ? "entry" : "entries", static_cast<double>(statistics->bytes) / kKiB);
    if (statistics->foreignFiles > 0) {
      text +=
          fmt::format("{} other files in this folder do not belong to the cache and were left alone\n", statistics->foreignFiles);
    }
  }
  const base::Result<void> written = writeResult({}, text);
  return written ? ExitStatus::Done : reportError(written.error());
}

} // namespace

void addCacheCommand(CLI::App &app, ExitStatus &status) {
  auto asJson = std::make_shared<bool>(false);
  const auto footer = [](const std::vector<Example> &examples) {
    return helpFooter("", {{ExitStatus::Done, "done"}, {ExitStatus::BadInput, "wrong usage, or a folder that cannot be used"}},
                      examples);
  };
  CLI::App *command = app.add_subcommand("cache", "Show or empty the disk cache of object code");
  command->require_subcommand(1);
  command->footer(footer(
      {{"jitscope cache stat", "show the folder and the size of the cache"}, {"jitscope cache clear", "remove every entry"}}));
  const auto add = [&](const char *name, const char *help, bool isRemoval, const Example &example) {
    CLI::App *sub = command->add_subcommand(name, help);
    sub->add_flag("--json", *asJson, "Print one JSON object");
    sub->footer(footer({example}));
    sub->callback([asJson, isRemoval, &status] {
      base::Result<std::filesystem::path> folder = jit::DiskCache::defaultFolder();
      if (!folder) {
        status = reportError(folder.error());
        return;
      }
      const jit::DiskCache cache(*folder);
      status = show(isRemoval ? cache.clear() : cache.statistics(), *folder, isRemoval, *asJson);
    });
  };
  add("stat", "Show the folder of the cache and how much it holds", false,
      {"jitscope cache stat --json", "print folder, entries and bytes for a program"});
  add("clear", "Remove every entry; files that are not the cache's stay", true,
      {"jitscope cache clear", "remove every entry; the next run compiles again"});
}

} // namespace jitscope::app
