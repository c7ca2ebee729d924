// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/recorded_findings.h"

#include "analysis/findings/finding_gate.h"
#include "analysis/findings/findings.h"
#include "base/try.h"
#include "record/recorder.h"
#include "report/document/finding_sections.h"
#include "session/file/database.h"
#include "session/session_reader.h"

#include <memory>

namespace jitscope::app {

base::Result<std::vector<std::string>> RecordedFindings::find(const script::FindingQuery &query) {
  constexpr double kNsPerMs = 1e6;
  JITSCOPE_TRY(const analysis::FindingGate gate,
               analysis::findingGateFor(query.kinds, static_cast<std::uint64_t>(query.aboveMs * kNsPerMs)));
  JITSCOPE_TRY_VOID(m_recorder.flush());
  // Written by this process: there is no reason to look for damage.
  JITSCOPE_TRY(const std::unique_ptr<session::SessionReader> reader,
               session::SessionReader::open(m_session, {.verifyUpToBytes = 0}));
  reader->database().setCancelFlag(&m_stopRequested);
  JITSCOPE_TRY(const std::vector<analysis::Finding> findings, analysis::readFindings(*reader));
  std::vector<std::string> lines;
  for (const analysis::Finding &finding : findings) {
    if (gate.forbids(finding)) {
      lines.push_back(report::findingHeadline(finding));
    }
  }
  return lines;
}

} // namespace jitscope::app
