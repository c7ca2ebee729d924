// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sessions/big_session.h"

#include "support/sessions/session_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace jitscope::test {

namespace {

using namespace event;

/// Makes the calls one after the other.
class Generator {
public:
  explicit Generator(const BigSession &shape) : m_shape(shape), m_random(shape.seed), m_freeAt(shape.threads, 0) {}

  std::vector<Event> names() const {
    std::vector<Event> events;
    for (std::uint32_t f = 1; f <= m_shape.functions; ++f) {
      events.emplace_back(FunctionEvent{base::FunctionId(f), fmt::format("layer_{}", f), static_cast<int>(f) * 3, false});
    }
    for (std::uint32_t t = 1; t <= m_shape.templates; ++t) {
      events.emplace_back(TemplateEvent{base::TemplateId(t), base::FunctionId(1 + (t - 1) % m_shape.functions),
                                        fmt::format("f32[{0},{1}], f32[{1}]", 8 * t, 16 + t)});
    }
    return events;
  }

  void next(std::vector<CallEvent> &calls, std::vector<Event> &events) {
    ++m_id;
    const std::uint64_t perSection = std::max<std::uint64_t>(m_shape.calls / m_shape.sections, 1);
    if ((m_id - 1) % perSection == 0 && m_section < m_shape.sections) {
      ++m_section;
      events.emplace_back(SectionEvent{base::SectionId(m_section), fmt::format("phase {}", m_section), m_now});
    }
    CallEvent call;
    call.id = base::CallId(m_id);
    call.templateId = base::TemplateId(1 + static_cast<std::uint32_t>(below(m_shape.templates)));
    call.sectionId = base::SectionId(m_section);
    call.thread = static_cast<std::uint32_t>(below(m_shape.threads));
    m_now += 1 + below(2 * m_shape.gapNs);
    call.startNs = std::max(m_now, m_freeAt[call.thread]);
    call.lookupNs = 40 + below(20);
    // Long-tailed, as run times are: e to the power of something nearly normal.
    const double spread = (uniform() + uniform() + uniform() + uniform() - 2) * 0.9;
    call.executeNs = static_cast<std::uint64_t>(300 * std::exp(spread) * (1 + call.templateId.value % 5));
    if (below(m_shape.callsPerMiss) == 0 || m_id <= m_shape.functions) {
      call.outcome = Outcome::Miss;
      call.compileNs = 500'000 + below(2'000'000);
      events.emplace_back(compileOf(call));
    } else if (below(m_shape.callsPerMiss) < 3) {
      call.outcome = Outcome::Wait;
      call.waitNs = 100'000 + below(400'000);
    }
    m_freeAt[call.thread] = call.startNs + call.totalNs();
    m_end = std::max(m_end, m_freeAt[call.thread]);
    calls.push_back(call);
  }

  [[nodiscard]] std::uint64_t endNs() const { return m_end; }

private:
  CompileEvent compileOf(const CallEvent &call) {
    CompileEvent compile;
    compile.id = base::CompileId(++m_compiles);
    compile.callId = call.id;
    compile.templateId = call.templateId;
    compile.pipeline = "deferred";
    compile.reason = m_compiles == 1 ? MissReason::NewFunction : MissReason::NewShape;
    compile.difference = m_compiles == 1 ? "" : "arg 0 dim 0: 8 -> 16";
    compile.startNs = call.startNs + call.lookupNs;
    compile.traceNs = call.compileNs / 8;
    compile.lowerNs = call.compileNs / 8;
    compile.optimizeNs = call.compileNs / 2;
    compile.codegenNs = call.compileNs / 5;
    compile.linkNs = call.compileNs / 40;
    compile.totalNs = call.compileNs;
    compile.codeBytes = 1024 + below(8192);
    return compile;
  }

  std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : m_random() % limit; }
  double uniform() { return static_cast<double>(m_random() >> 11U) * 0x1p-53; }

  BigSession m_shape;
  std::mt19937_64 m_random;
  std::vector<std::uint64_t> m_freeAt;
  std::uint64_t m_id = 0;
  std::uint64_t m_now = 1000;
  std::uint64_t m_end = 0;
  std::uint32_t m_section = 0;
  std::uint32_t m_compiles = 0;
};

} // namespace

base::Result<void> writeBigSession(const std::filesystem::path &path, const BigSession &shape) {
  base::Result<std::unique_ptr<session::SessionWriter>> writer =
      session::SessionWriter::create(path, sampleInfo(), {.overwrite = true});
  if (!writer) {
    return std::unexpected(std::move(writer.error()));
  }
  Generator generator(shape);
  std::vector<event::Event> events = generator.names();
  std::vector<event::CallEvent> calls;
  constexpr std::uint64_t kBatch = 8192;
  for (std::uint64_t made = 0; made < shape.calls;) {
    calls.clear();
    for (const std::uint64_t end = std::min(shape.calls, made + kBatch); made < end; ++made) {
      generator.next(calls, events);
    }
    if (base::Result<void> written = (*writer)->write({events, calls}); !written) {
      return written;
    }
    events.clear();
  }
  return (*writer)->finish({record::SessionStatus::Finished, "", generator.endNs()});
}

} // namespace jitscope::test
