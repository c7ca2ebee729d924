// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/sessions/session_samples.h"

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// Sessions with benchmark legs whose times are drawn, for comparisons.
namespace jitscope::test {

/// One leg of one case.
struct MeasuredLeg {
  std::string name;
  std::string input = {};
  event::Leg leg = event::Leg::Warm;
  std::size_t samples = 200; ///< without the one that compiles
  double medianNs = 100'000;
  double spread = 0.02; ///< deviation of the logarithm
  bool compiles = false;
};

struct MeasuredSession {
  std::vector<MeasuredLeg> legs;
  std::uint64_t seed = 1;
  std::uint32_t moreTemplates = 0; ///< templates of the function beyond the one of the legs, each compiled by a call
  session::SessionInfo info = sampleInfo();
  record::SessionEnd end = {record::SessionStatus::Finished, "", kSampleEndNs};
};

class MeasuredRecording {
public:
  explicit MeasuredRecording(const MeasuredSession &plan) : m_random(plan.seed) {
    m_recording.events.emplace_back(event::SectionEvent{base::SectionId(1), "measured", 0});
    m_recording.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "kernel", 3, false});
    for (std::uint32_t i = 1; i <= 1 + plan.moreTemplates; ++i) {
      m_recording.events.emplace_back(
          event::TemplateEvent{base::TemplateId(i), base::FunctionId(1), "f32[" + std::to_string(64 * i) + "]"});
    }
    for (std::uint32_t i = 2; i <= 1 + plan.moreTemplates; ++i) {
      addCompile(i, takeCall(i, event::Outcome::Miss, 5 * kMs, 50'000));
    }
    std::vector<std::pair<std::string, std::string>> cases;
    for (const MeasuredLeg &leg : plan.legs) {
      const std::pair key(leg.name, leg.input);
      const auto found = std::find(cases.begin(), cases.end(), key);
      const auto caseId = static_cast<std::uint32_t>(found - cases.begin()) + 1;
      if (found == cases.end()) {
        cases.push_back(key);
        m_recording.events.emplace_back(
            event::BenchCaseEvent{base::CaseId(caseId), 1, leg.name, leg.input, base::FunctionId(1), 0, 1000 * kMs, 1});
      }
      addLeg(leg, caseId);
    }
  }
  [[nodiscard]] Recording take() { return std::move(m_recording); }

private:
  event::CallEvent &takeCall(std::uint32_t templateId, event::Outcome outcome, std::uint64_t compileNs, std::uint64_t executeNs) {
    ++m_calls;
    m_nowNs += compileNs + executeNs + 1000;
    m_recording.calls.push_back(makeCall(m_calls, templateId, 1, m_nowNs, outcome, compileNs, executeNs));
    return m_recording.calls.back();
  }
  void addCompile(std::uint32_t templateId, const event::CallEvent &call) {
    event::CompileEvent compile = makeCompile(++m_compiles, call.id.value, templateId, call.startNs, kMs);
    compile.process = call.process;
    m_recording.events.emplace_back(std::move(compile));
  }
  void addLeg(const MeasuredLeg &leg, std::uint32_t caseId) {
    std::lognormal_distribution<double> draw(std::log(leg.medianNs), leg.spread);
    const std::uint16_t process = leg.leg == event::Leg::Cold ? 1 : 0;
    for (std::size_t i = 0; i < leg.samples + (leg.compiles ? 1 : 0); ++i) {
      const bool compiles = leg.compiles && i == 0;
      const auto executeNs = static_cast<std::uint64_t>(draw(m_random));
      event::CallEvent &call =
          takeCall(1, compiles ? event::Outcome::Miss : event::Outcome::Hit, compiles ? 5 * kMs : 0, executeNs);
      call = asSample(call, caseId, leg.leg, process);
      if (compiles) {
        addCompile(1, call);
      }
    }
  }

  std::mt19937_64 m_random;
  Recording m_recording;
  std::uint64_t m_calls = 0;
  std::uint32_t m_compiles = 0;
  std::uint64_t m_nowNs = kMs;
};

inline base::Result<void> writeMeasured(const std::filesystem::path &path, const MeasuredSession &plan) {
  return writeSession(path, MeasuredRecording(plan).take(), plan.end, plan.info);
}

} // namespace jitscope::test
