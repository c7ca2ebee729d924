// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/findings.h"
#include "session/session_reader.h"
#include "support/sessions/session_samples.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Runs as they might have been, with round times, and what findings make of them.
namespace jitscope::test {

using event::MissReason;
using event::Outcome;

/// Writes down a run.
class Scene {
public:
  std::uint32_t function(const std::string &name, int line, bool eager = false) {
    m_recording.events.emplace_back(event::FunctionEvent{base::FunctionId(++m_functions), name, line, eager});
    return m_functions;
  }
  std::uint32_t entry(std::uint32_t function, const std::string &signature) {
    m_recording.events.emplace_back(event::TemplateEvent{base::TemplateId(++m_templates), base::FunctionId(function), signature});
    return m_templates;
  }
  event::CallEvent &hit(std::uint32_t entry, std::uint64_t executeNs = kMs) { return call(entry, Outcome::Hit, 0, executeNs); }
  void hits(std::uint32_t entry, int count, std::uint64_t executeNs = kMs) {
    for (int i = 0; i < count; ++i) {
      hit(entry, executeNs);
    }
  }
  /// A call that compiles for `ns`, a quarter of which goes into each of four phases.
  event::CompileEvent &miss(std::uint32_t entry, MissReason reason, std::uint64_t ns = 20 * kMs) {
    const event::CallEvent &made = call(entry, Outcome::Miss, ns, kMs);
    return compile(entry, reason, ns, made.id.value);
  }
  event::CompileEvent &compile(std::uint32_t entry, MissReason reason, std::uint64_t ns, std::uint64_t callId) {
    event::CompileEvent compile = test::makeCompile(++m_compiles, callId, entry, m_nowNs - ns, ns / 4);
    compile.reason = reason;
    compile.lowerNs = ns / 4;
    compile.optimizeNs = ns / 4;
    compile.codegenNs = ns / 4;
    compile.linkNs = 0;
    compile.totalNs = ns;
    m_compileEvents.push_back(compile);
    return m_compileEvents.back();
  }
  event::CallEvent &call(std::uint32_t entry, Outcome outcome, std::uint64_t compileNs, std::uint64_t executeNs) {
    m_recording.calls.push_back(test::makeCall(m_recording.calls.size() + 1, entry, 0, m_nowNs, outcome, compileNs, executeNs));
    m_nowNs += m_recording.calls.back().totalNs();
    return m_recording.calls.back();
  }
  /// Time in which nothing is called.
  void pass(std::uint64_t ns) { m_nowNs += ns; }
  [[nodiscard]] event::CallEvent &latestCall() { return m_recording.calls.back(); }
  void add(event::Event event) { m_recording.events.push_back(std::move(event)); }

  [[nodiscard]] test::Recording recording() const {
    test::Recording result = m_recording;
    for (const event::CompileEvent &compile : m_compileEvents) {
      result.events.emplace_back(compile);
    }
    return result;
  }
  [[nodiscard]] std::uint64_t nowNs() const { return m_nowNs; }
  /// When everything was over, in all threads.
  [[nodiscard]] std::uint64_t endNs() const {
    std::uint64_t endNs = m_nowNs;
    for (const event::CallEvent &call : m_recording.calls) {
      endNs = std::max(endNs, call.startNs + call.totalNs());
    }
    return endNs;
  }

private:
  test::Recording m_recording;
  std::vector<event::CompileEvent> m_compileEvents;
  std::uint32_t m_functions = 0;
  std::uint32_t m_templates = 0;
  std::uint32_t m_compiles = 0;
  std::uint64_t m_nowNs = kMs;
};

inline std::string sizes(int n) { return "f32[" + std::to_string(n) + ",64]"; }

inline void storm(Scene &scene, int count, const std::string &name = "step", int line = 4, std::uint64_t ns = 20 * kMs) {
  const std::uint32_t function = scene.function(name, line);
  for (int i = 0; i < count; ++i) {
    scene.miss(scene.entry(function, sizes(17 + i)), i == 0 ? MissReason::NewFunction : MissReason::NewShape, ns);
  }
}

/// Functions of one name and line; `inTurn`: each is done with before the next one comes.
inline void madeAnew(Scene &scene, int count, bool inTurn, std::uint64_t ns = 20 * kMs) {
  std::vector<std::uint32_t> entries;
  for (int i = 0; i < count; ++i) {
    entries.push_back(scene.entry(scene.function("layer", 7), "f32[64]"));
    scene.miss(entries.back(), MissReason::NewFunction, ns);
  }
  for (int round = 0; round < (inTurn ? 0 : 20); ++round) {
    for (const std::uint32_t entry : entries) {
      scene.hit(entry);
    }
  }
}

inline void evictions(Scene &scene, int rounds) {
  const std::uint32_t function = scene.function("energy", 8);
  const std::vector<std::uint32_t> entries{scene.entry(function, "f32[32]"), scene.entry(function, "f32[64]"),
                                           scene.entry(function, "f32[128]")};
  for (int round = 0; round < rounds; ++round) {
    for (const std::uint32_t entry : entries) {
      scene.miss(entry, round > 0 ? MissReason::Evicted : MissReason::NewShape);
      scene.add(event::EvictionEvent{scene.nowNs(), base::TemplateId(entry), event::EvictionReason::Entries, 2048});
    }
  }
}

/// `threads` calls that found their executable being compiled by another one.
inline void waiting(Scene &scene, std::uint32_t threads, std::uint64_t ns) {
  const std::uint32_t entry = scene.entry(scene.function("shared", 5), "f32[64]");
  scene.miss(entry, MissReason::NewFunction, 100 * kMs);
  const std::uint64_t startNs = scene.nowNs() - 95 * kMs; // while it was compiled
  for (std::uint32_t i = 0; i < threads; ++i) {
    event::CallEvent &call = scene.call(entry, Outcome::Wait, 0, kMs);
    call.startNs = startNs;
    call.waitNs = ns;
    call.thread = i + 1;
  }
}

inline void slowTrace(Scene &scene, std::uint64_t traceNs) {
  const std::uint32_t entry = scene.entry(scene.function("dot", 15), "f32[64]");
  event::CompileEvent &compile = scene.miss(entry, MissReason::NewFunction, 1100 * kMs);
  compile.traceNs = traceNs;
  compile.lowerNs = 10 * kMs;
  compile.optimizeNs = 50 * kMs;
  compile.codegenNs = 40 * kMs;
  compile.totalNs = traceNs + 100 * kMs;
  scene.hits(entry, 100, 10 * kMs);
}

inline void slowPass(Scene &scene, const std::string &pass, std::uint64_t ns) {
  const std::uint32_t entry = scene.entry(scene.function("unrolled", 9), "f32[64]");
  event::CompileEvent &compile = scene.miss(entry, MissReason::NewFunction, 400 * kMs);
  compile.traceNs = kMs;
  compile.lowerNs = kMs;
  compile.optimizeNs = 358 * kMs;
  compile.codegenNs = 40 * kMs;
  compile.passes = {{base::FunctionId(1), base::FunctionId(1), event::Stage::Module, 1, pass, ns, true, 0},
                    {base::FunctionId(1), base::FunctionId(1), event::Stage::Module, 2, "gvn", (358 * kMs - ns) / 2, true, 0},
                    {base::FunctionId(1), base::FunctionId(1), event::Stage::Module, 3, "licm", (358 * kMs - ns) / 2, true, 0}};
  scene.hits(entry, 100, 10 * kMs);
}

/// First calls of so many functions.
inline void coldStart(Scene &scene, int functions, std::uint64_t ns) {
  for (int i = 0; i < functions; ++i) {
    const std::uint32_t entry = scene.entry(scene.function("stage " + std::to_string(i), 40 + i), "f32[64]");
    scene.miss(entry, MissReason::NewFunction, ns);
    scene.hits(entry, 10);
  }
}

/// `Spiky`: some samples are so long that they move the average. `Hiccup`: one is long, and the average stays among the others.
enum class Samples : std::uint8_t { Steady, Stepped, Spiky, Hiccup, Short };

/// The samples of one leg of case 1.
inline void leg(Scene &scene, std::uint32_t entry, event::Leg which, Samples kind) {
  event::BenchLegEvent leg;
  leg.caseId = base::CaseId(1);
  leg.leg = which;
  leg.clockStepNs = 20;
  leg.maxSamples = 100'000;
  scene.add(leg);
  for (std::uint64_t i = 0; i < 200; ++i) {
    std::uint64_t ns = kind == Samples::Short ? 0 : 100'000 + i % 7 * 500;
    if (kind == Samples::Stepped && i >= 100) {
      ns += 60'000;
    } else if (kind == Samples::Spiky && i % 50 == 25) {
      ns = 40 * kMs;
    } else if (kind == Samples::Hiccup) {
      ns = i == 77 ? 4 * kMs : 100'000 + i % 7 * 20'000;
    }
    event::CallEvent &call = scene.hit(entry, ns);
    call.lookupNs = 80;
    call = test::asSample(call, 1, which);
  }
}

/// A benchmark of one case.
inline void benchmark(Scene &scene, Samples kind, const std::vector<event::Leg> &legs = {event::Leg::Warm}) {
  const std::uint32_t function = scene.function("kernel", 50);
  const std::uint32_t entry = scene.entry(function, "f32[64]");
  scene.add(event::BenchCaseEvent{base::CaseId(1), 1, "kernel", "", base::FunctionId(function), 0, 1000 * kMs, 1});
  scene.miss(entry, MissReason::NewFunction, 5 * kMs);
  for (const event::Leg which : legs) {
    leg(scene, entry, which, kind);
  }
}

/// The findings about a scene, by way of a session file in `folder`; one that is titled with the error where there is one.
inline std::vector<analysis::Finding> findingsOf(const Scene &scene, const std::filesystem::path &folder) {
  const std::filesystem::path path = folder / "s.jitscope";
  std::filesystem::remove(path);
  const auto failed = [](const base::Error &error) {
    analysis::Finding finding;
    finding.title = "an error: " + error.message;
    return std::vector{finding};
  };
  const auto written = writeSession(path, scene.recording(), {record::SessionStatus::Finished, "", scene.endNs()}, sampleInfo());
  if (!written) {
    return failed(written.error());
  }
  const auto reader = session::SessionReader::open(path);
  if (!reader) {
    return failed(reader.error());
  }
  const auto findings = analysis::readFindings(**reader);
  return findings ? *findings : failed(findings.error());
}

/// Their kinds, e.g. "storm measurement".
inline std::string kindsOf(const std::vector<analysis::Finding> &findings) {
  std::string kinds;
  for (const analysis::Finding &finding : findings) {
    kinds += (kinds.empty() ? "" : " ") + std::string(nameOf(finding.kind));
  }
  return kinds;
}

} // namespace jitscope::test
