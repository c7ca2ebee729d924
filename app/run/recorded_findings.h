// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runtime/finding_source.h"

#include <atomic>
#include <filesystem>
#include <utility>

namespace jitscope::record {
class Recorder;
} // namespace jitscope::record

namespace jitscope::app {

/// The findings about the session that a run is recording: has the recorder write what it holds, and reads the file.
class RecordedFindings final : public runtime::FindingSource {
public:
  /// Reading ends soon after `stopRequested` has become true.
  RecordedFindings(std::filesystem::path session, record::Recorder &recorder, const std::atomic<bool> &stopRequested)
      : m_session(std::move(session)), m_recorder(recorder), m_stopRequested(stopRequested) {}

  base::Result<std::vector<std::string>> find(const script::FindingQuery &query) override;

private:
  std::filesystem::path m_session;
  record::Recorder &m_recorder;
  const std::atomic<bool> &m_stopRequested;
};

} // namespace jitscope::app
