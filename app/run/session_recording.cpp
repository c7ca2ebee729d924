// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/session_recording.h"

#include "run/stop_watcher.h"

#include "analysis/statistics/case_statistics.h"
#include "runtime/engine_options.h"
#include "session/session_writer.h"

#include <system_error>

#include <nlohmann/json.hpp>

namespace jitscope::app {

using base::Result;

std::string optionsAsJson(const runtime::EngineOptions &options) {
  nlohmann::json object = nlohmann::json::object();
  for (const runtime::OptionDescription &option : runtime::describeOptions(options)) {
    object[option.name] = option.value;
  }
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

base::Error interruptedWhile(const std::string &doing, const StopWatcher &stop) {
  return {base::ErrorCode::ScriptInterrupted, "interrupted while " + doing, {stop.reason()}};
}

Result<std::unique_ptr<record::Recorder>> startRecording(const std::filesystem::path &path, const session::SessionInfo &info,
                                                         const RecordingOptions &options, StopWatcher &stop) {
  session::SessionWriter::Options writerOptions;
  writerOptions.overwrite = options.overwrites;
  writerOptions.durable = options.isDurable;
  writerOptions.indexes = options.summarizes;
  writerOptions.hurry = &stop.hurry();
  writerOptions.lastWord = [&stop, during = options.stoppedWhile](record::SessionEnd &end) {
    if (stop.stopRequested() && end.status == record::SessionStatus::Finished) {
      end.status = record::SessionStatus::Interrupted;
      end.error = base::describe(interruptedWhile(during, stop));
    }
  };
  if (options.summarizes) {
    writerOptions.beforeEnd = [path, &stop](session::Database &database) {
      Result<void> stored = analysis::storeCaseStatistics(path, database, &stop.hurry());
      // Whoever reads the session computes them again.
      return !stored && stored.error().code == base::ErrorCode::StorageCancelled ? Result<void>() : stored;
    };
  }
  Result<std::unique_ptr<session::SessionWriter>> writer = session::SessionWriter::create(path, info, writerOptions);
  if (!writer) {
    std::error_code unknown;
    if (writer.error().code == base::ErrorCode::StorageExists && !options.overwrites &&
        std::filesystem::is_regular_file(path, unknown)) {
      writer.error().context.emplace_back("--overwrite replaces a session; other files are never replaced");
    }
    return std::unexpected(std::move(writer.error()));
  }
  record::Recorder::Options recorderOptions;
  recorderOptions.onFailure = [&stop](const base::Error &error) { stop.request("recording failed: " + error.message); };
  return record::Recorder::start(std::move(*writer), recorderOptions);
}

} // namespace jitscope::app
