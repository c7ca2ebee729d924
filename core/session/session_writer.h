// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "record/batch_writer.h"
#include "session/file/session_info.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

namespace jitscope::session {

class Database;

/// Writes a session file. One transaction for each batch; what `write` has returned from outlives the death of the process.
class SessionWriter final : public record::BatchWriter {
public:
  struct Options {
    /// Replace an existing session. Files that are no sessions, and sessions being recorded, are never replaced.
    bool overwrite = false;
    /// Make the indexes at the end: about 0.2 s and 9 MB for a million calls.
    bool indexes = true;
    /// Ask the disk to have everything before `finish` returns, so that a finished session outlives a power failure.
    bool durable = true;
    /// Adds what is derived from all that was recorded, through the writer's own connection, before the session says that it has
    /// ended: whoever waits for that may read these rows, and is not in the way while they are written. When it fails, the session
    /// ends nevertheless, and `finish` gives the error.
    std::function<base::Result<void>(Database &)> beforeEnd = {};
    /// May change how the session ends, at the last moment before that is written: the run may have been stopped meanwhile.
    std::function<void(record::SessionEnd &)> lastWord = {};
    /// Once it is true, `finish` leaves out what can be made later (indexes) or is a precaution (waiting for the disk). Null: it
    /// has time. Must outlive the writer.
    const std::atomic<bool> *hurry = nullptr;
  };

  /// Creates the file. StorageExists where something has that name already, StorageOpen where the place cannot be written; either
  /// names the path and what to do, and leaves nothing behind.
  [[nodiscard]] static base::Result<std::unique_ptr<SessionWriter>> create(const std::filesystem::path &path,
                                                                           const SessionInfo &info, Options options);
  /// The same with the default options.
  [[nodiscard]] static base::Result<std::unique_ptr<SessionWriter>> create(const std::filesystem::path &path,
                                                                           const SessionInfo &info);

  /// Without a `finish` before, ends the session as failed.
  ~SessionWriter() override;

  [[nodiscard]] base::Result<void> write(const record::Batch &batch) override;
  /// Sets the status and leaves one plain file (when a reader has it open, that reader does so when it closes it).
  [[nodiscard]] base::Result<void> finish(const record::SessionEnd &end) override;

  [[nodiscard]] const std::filesystem::path &path() const;

private:
  struct State;
  explicit SessionWriter(std::unique_ptr<State> state);

  std::unique_ptr<State> m_state;
};

} // namespace jitscope::session
