// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/chrome_trace.h"

#include "base/try.h"
#include "report/document/session_names.h"
#include "session/session_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jitscope::report {

namespace {

using Json = nlohmann::ordered_json;
using base::Result;
using session::Database;
using session::SessionReader;
using session::Statement;

std::string jsonText(std::string_view text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }
std::string dumped(const Json &value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// The track of sections stands beside the threads of calls, which count from 0.
constexpr std::uint32_t kSectionThread = 1'000'000;

struct Track {
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
};

/// How deep slices lie in each other.
enum class Depth : std::uint8_t { Whole = 1, Part, Phase, Pass };

class TraceWriter {
public:
  TraceWriter(SessionReader &reader, const ExportOutput &output) : m_reader(reader), m_buffer(output) {}

  Result<void> write() {
    using Part = Result<void> (TraceWriter::*)();
    constexpr std::array<Part, 7> kParts{&TraceWriter::load,
                                         &TraceWriter::begin,
                                         &TraceWriter::writeSections,
                                         &TraceWriter::writeCalls,
                                         &TraceWriter::writeEarlyCompiles,
                                         &TraceWriter::writeMoments,
                                         &TraceWriter::end};
    for (const Part part : kParts) {
      if (Result<void> done = (this->*part)(); !done) {
        return done;
      }
    }
    return {};
  }

private:
  Result<void> load();
  Result<void> begin();
  Result<void> writeSections();
  Result<void> writeCalls();
  Result<void> writeEarlyCompiles();
  Result<void> writeMoments();
  Result<void> end();

  /// One event, after a comma where it is not the first. `ending` follows the times and is valid JSON with its closing brace.
  void event(std::string_view name, char phase, std::uint64_t startNs, Track track, std::string_view ending) {
    constexpr std::uint64_t kNsPerUs = 1000;
    fmt::format_to(std::back_inserter(m_buffer.text()), "{}{{\"name\":{},\"ph\":\"{}\",\"ts\":{}.{:03},\"pid\":{},\"tid\":{}{}",
                   m_isFirst ? "\n" : ",\n", name, phase, startNs / kNsPerUs, startNs % kNsPerUs, track.process, track.thread,
                   ending);
    m_isFirst = false;
  }
  /// Readers add up start and duration in floating point, and what ends where the next one begins, or where that ends which it lies
  /// in, would end a little later for some of them. So slices end some tenths of a nanosecond earlier, the deeper the more.
  void slice(std::string_view quotedName, Depth depth, std::string_view category, std::uint64_t startNs, std::uint64_t durationNs,
             Track track, std::string_view arguments = {}) {
    constexpr std::uint64_t kTenthsPerUs = 10'000;
    const std::uint64_t tenths = durationNs > 0 ? durationNs * 10 - static_cast<std::uint64_t>(depth) : 0;
    const std::string ending = fmt::format(",\"dur\":{}.{:04},\"cat\":\"{}\"{}{}}}", tenths / kTenthsPerUs, tenths % kTenthsPerUs,
                                           category, arguments.empty() ? "" : ",\"args\":", arguments);
    event(quotedName, 'X', startNs, track, ending);
  }
  void writeCall(const event::CallEvent &call);
  Result<void> writeCompile(const event::CompileEvent &compile, Track track);
  Result<void> writePasses(const event::CompileEvent &compile, std::uint64_t startNs, Track track);
  const std::string &argumentsOf(const event::CallEvent &call);

  SessionReader &m_reader;
  ExportBuffer m_buffer;
  bool m_isFirst = true;
  SessionNames m_names;
  std::unordered_map<base::FunctionId, std::string> m_quotedNames;
  std::unordered_map<base::CallId, event::CompileEvent> m_compiles;
  std::vector<event::CompileEvent> m_earlyCompiles;
  std::unordered_map<base::CallId, event::RetrievalEvent> m_retrievals;
  std::optional<Statement> m_passes;

  using Context = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, event::Leg, event::CallPhase, event::Outcome>;
  std::map<Context, std::string> m_arguments;
};

Result<void> TraceWriter::load() {
  Result<SessionNames> names = SessionNames::read(m_reader);
  Result<std::vector<event::CompileEvent>> compiles = names ? m_reader.compiles() : std::unexpected(names.error());
  JITSCOPE_TRY(std::vector<event::RetrievalEvent> retrievals, compiles ? m_reader.retrievals() : std::unexpected(compiles.error()));
  m_names = *std::move(names);
  for (event::CompileEvent &compile : *compiles) {
    if (compile.callId.isValid()) {
      m_compiles.emplace(compile.callId, std::move(compile));
    } else {
      m_earlyCompiles.push_back(std::move(compile));
    }
  }
  for (event::RetrievalEvent &retrieval : retrievals) {
    m_retrievals.emplace(retrieval.callId, std::move(retrieval));
  }
  for (const auto &[id, function] : m_names.functions) {
    m_quotedNames.emplace(id, jsonText(function.name));
  }
  JITSCOPE_TRY(Statement passes,
               m_reader.database().prepare(
                   "SELECT name, duration_ns, stage, changed, function_id FROM pass WHERE compile_id = ?1 ORDER BY seq, id"));
  m_passes = std::move(passes);
  return {};
}

Result<void> TraceWriter::begin() {
  const session::SessionInfo &info = m_reader.session().info;
  const Json other = {{"script", info.scriptPath}, {"jitscope", info.jitscopeVersion}, {"llvm", info.llvmVersion},
                      {"cpu", info.cpu},           {"started", info.startedUtc},       {"uuid", info.uuid}};
  m_buffer.text() = fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{},\n\"traceEvents\":[", dumped(other));
  Result<Statement> tracks =
      m_reader.database().prepare("SELECT DISTINCT process, thread FROM call_context UNION SELECT DISTINCT process, 0 FROM compile "
                                  "UNION SELECT 0, 0 ORDER BY process, thread");
  if (!tracks) {
    return std::unexpected(std::move(tracks.error()));
  }
  std::set<std::uint32_t> processes;
  for (;;) {
    JITSCOPE_TRY(const bool row, tracks->step());
    if (!row) {
      break;
    }
    const Track track{tracks->number(0), tracks->number(1)};
    if (processes.insert(track.process).second) {
      const std::string name = track.process == 0 ? std::string("script") : fmt::format("process {}", track.process);
      event("\"process_name\"", 'M', 0, {track.process, 0}, fmt::format(",\"args\":{{\"name\":{}}}}}", jsonText(name)));
      event("\"process_sort_index\"", 'M', 0, {track.process, 0}, fmt::format(",\"args\":{{\"sort_index\":{}}}}}", track.process));
    }
    event("\"thread_name\"", 'M', 0, track, fmt::format(",\"args\":{{\"name\":\"thread {}\"}}}}", track.thread));
  }
  event("\"thread_name\"", 'M', 0, {0, kSectionThread}, R"(,"args":{"name":"sections"}})");
  event("\"thread_sort_index\"", 'M', 0, {0, kSectionThread}, R"(,"args":{"sort_index":-1}})");
  return m_buffer.flushIfFull();
}

Result<void> TraceWriter::writeSections() {
  std::vector<const event::SectionEvent *> sections;
  for (const auto &[id, section] : m_names.sections) {
    sections.push_back(&section);
  }
  std::ranges::sort(sections, {}, [](const event::SectionEvent *section) { return std::pair(section->startNs, section->id); });
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::uint64_t endNs = i + 1 < sections.size() ? sections[i + 1]->startNs : m_reader.session().durationNs;
    const std::uint64_t startNs = sections[i]->startNs;
    if (!sections[i]->name.empty()) {
      slice(jsonText(sections[i]->name), Depth::Whole, "section", startNs, endNs > startNs ? endNs - startNs : 0,
            {0, kSectionThread});
    }
  }
  return m_buffer.flushIfFull();
}

const std::string &TraceWriter::argumentsOf(const event::CallEvent &call) {
  const Context key(call.templateId.value, call.sectionId.value, call.caseId.value, call.leg, call.phase, call.outcome);
  const auto [place, isNew] = m_arguments.try_emplace(key);
  if (isNew) {
    Json arguments = {{"outcome", nameOf(call.outcome)}, {"template", m_names.templateOf(call.templateId).signature}};
    if (const std::string &section = m_names.sectionOf(call.sectionId).name; !section.empty()) {
      arguments["section"] = section;
    }
    arguments["phase"] = nameOf(call.phase);
    if (call.caseId.isValid()) {
      const event::BenchCaseEvent &bench = m_names.caseOf(call.caseId);
      arguments["case"] = bench.name;
      if (!bench.input.empty()) {
        arguments["input"] = bench.input;
      }
      arguments["leg"] = nameOf(call.leg);
    }
    place->second = dumped(arguments);
    place->second.pop_back(); // the brace: what differs from call to call follows
  }
  return place->second;
}

void TraceWriter::writeCall(const event::CallEvent &call) {
  const auto name = m_quotedNames.find(m_names.templateOf(call.templateId).functionId);
  const std::string arguments = fmt::format("{},\"call\":{},\"lookup_ns\":{},\"execute_ns\":{}}}", argumentsOf(call), call.id.value,
                                            call.lookupNs, call.executeNs);
  slice(name == m_quotedNames.end() ? std::string_view("\"?\"") : std::string_view(name->second), Depth::Whole, "call",
        call.startNs, call.totalNs(), {call.process, call.thread}, arguments);
}

Result<void> TraceWriter::writePasses(const event::CompileEvent &compile, std::uint64_t startNs, Track track) {
  m_passes->reset();
  m_passes->bind(1, compile.id.value);
  struct Pass {
    std::string name;
    std::uint64_t durationNs;
    std::string arguments;
  };
  std::vector<Pass> passes;
  std::uint64_t sumNs = 0;
  for (;;) {
    JITSCOPE_TRY(const bool row, m_passes->step());
    if (!row) {
      break;
    }
    const auto function = m_names.functions.find(base::FunctionId(m_passes->number(4)));
    Json arguments = {{"stage", m_passes->text(2)}, {"changed", m_passes->integer(3) != 0}};
    if (function != m_names.functions.end()) {
      arguments["function"] = function->second.name;
    }
    passes.push_back({jsonText(m_passes->text(0)), m_passes->unsignedInteger(1), dumped(arguments)});
    sumNs += passes.back().durationNs;
  }
  const double scale = sumNs > compile.optimizeNs ? static_cast<double>(compile.optimizeNs) / static_cast<double>(sumNs) : 1.0;
  const std::uint64_t endNs = startNs + compile.optimizeNs;
  for (const Pass &pass : passes) {
    const auto scaledNs = static_cast<std::uint64_t>(static_cast<double>(pass.durationNs) * scale);
    const std::uint64_t durationNs = std::min(scaledNs, endNs - startNs);
    slice(pass.name, Depth::Pass, "pass", startNs, durationNs, track, pass.arguments);
    startNs += durationNs;
  }
  return {};
}

Result<void> TraceWriter::writeCompile(const event::CompileEvent &compile, Track track) {
  const Json arguments = {{"reason", nameOf(compile.reason)},
                          {"difference", compile.difference},
                          {"nearest_template", m_names.templateOf(compile.nearestTemplateId).signature},
                          {"template", m_names.templateOf(compile.templateId).signature},
                          {"pipeline", compile.pipeline},
                          {"code_bytes", compile.codeBytes}};
  slice("\"compile\"", Depth::Part, "compile", compile.startNs, compile.totalNs, track, dumped(arguments));
  const std::array<std::pair<const char *, std::uint64_t>, 5> phases{{{"\"trace\"", compile.traceNs},
                                                                      {"\"lower\"", compile.lowerNs},
                                                                      {"\"optimize\"", compile.optimizeNs},
                                                                      {"\"codegen\"", compile.codegenNs},
                                                                      {"\"link\"", compile.linkNs}}};
  std::uint64_t startNs = compile.startNs;
  for (const auto &[name, durationNs] : phases) {
    if (durationNs > 0) {
      slice(name, Depth::Phase, "phase", startNs, durationNs, track);
    }
    if (std::string_view(name) == "\"optimize\"") {
      if (Result<void> written = writePasses(compile, startNs, track); !written) {
        return written;
      }
    }
    startNs += durationNs;
  }
  return {};
}

Result<void> TraceWriter::writeCalls() {
  return m_reader.eachCall({}, [this](const event::CallEvent &call) -> Result<void> {
    writeCall(call);
    if (call.outcome != event::Outcome::Hit) {
      const Track track{call.process, call.thread};
      std::uint64_t startNs = call.startNs;
      slice("\"lookup\"", Depth::Part, "phase", startNs, call.lookupNs, track);
      startNs += call.lookupNs;
      if (call.waitNs > 0) {
        slice("\"wait\"", Depth::Part, "phase", startNs, call.waitNs, track);
      }
      startNs += call.waitNs;
      if (const auto compile = m_compiles.find(call.id); compile != m_compiles.end()) {
        event::CompileEvent within = compile->second;
        // The clock is read once more between the call's lookup and its compile.
        within.startNs = std::clamp(within.startNs, startNs, startNs + call.compileNs - std::min(call.compileNs, within.totalNs));
        if (Result<void> written = writeCompile(within, track); !written) {
          return written;
        }
      } else if (const auto retrieval = m_retrievals.find(call.id); retrieval != m_retrievals.end()) {
        const std::string arguments =
            dumped({{"reason", nameOf(retrieval->second.reason)}, {"difference", retrieval->second.difference}});
        slice("\"retrieve\"", Depth::Part, "compile", startNs, call.compileNs, track, arguments);
      }
      startNs += call.compileNs;
      slice("\"execute\"", Depth::Part, "phase", startNs, call.executeNs, track);
    }
    return m_buffer.flushIfFull();
  });
}

Result<void> TraceWriter::writeEarlyCompiles() {
  for (const event::CompileEvent &compile : m_earlyCompiles) {
    if (Result<void> written = writeCompile(compile, {compile.process, 0}); !written) {
      return written;
    }
  }
  return m_buffer.flushIfFull();
}

Result<void> TraceWriter::writeMoments() {
  const Result<std::vector<event::MemoryEvent>> memory = m_reader.memory();
  JITSCOPE_TRY(const std::vector<event::EvictionEvent> evictions, memory ? m_reader.evictions() : std::unexpected(memory.error()));
  for (const event::MemoryEvent &entry : *memory) {
    event("\"tensor bytes\"", 'C', entry.atNs, {}, fmt::format(",\"args\":{{\"live\":{}}}}}", entry.tensorLiveBytes));
    event("\"code bytes\"", 'C', entry.atNs, {}, fmt::format(",\"args\":{{\"cached\":{}}}}}", entry.cacheCodeBytes));
  }
  for (const event::EvictionEvent &entry : evictions) {
    const Json arguments = {{"reason", nameOf(entry.reason)},
                            {"function", m_names.functionOf(entry.templateId).name},
                            {"template", m_names.templateOf(entry.templateId).signature},
                            {"code_bytes", entry.codeBytes}};
    event("\"eviction\"", 'i', entry.atNs, {}, fmt::format(",\"s\":\"p\",\"cat\":\"cache\",\"args\":{}}}", dumped(arguments)));
  }
  return m_buffer.flushIfFull();
}

Result<void> TraceWriter::end() {
  m_buffer.text() += "\n]}\n";
  return m_buffer.flush();
}

} // namespace

Result<void> ChromeTraceExporter::write(SessionReader &reader, const ExportOutput &output) const {
  JITSCOPE_TRY_VOID(reader.snapshot());
  return TraceWriter(reader, output).write();
}

} // namespace jitscope::report
