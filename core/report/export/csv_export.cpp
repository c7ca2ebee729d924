// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/csv_export.h"

#include "base/try.h"
#include "report/export/csv.h"
#include "report/export/session_names.h"
#include "session/session_reader.h"

#include <initializer_list>

namespace jitscope::report {

namespace {

void addTitles(CsvWriter &csv, std::initializer_list<const char *> titles) {
  for (const char *title : titles) {
    csv.plain(title);
  }
  csv.endRow();
}

/// Hands on what the writer holds once it is much.
base::Result<void> handOn(CsvWriter &csv, const ExportOutput &output) {
  constexpr std::size_t kFull = std::size_t{256} * 1024;
  return csv.size() < kFull ? base::Result<void>() : output(csv.take());
}

} // namespace

base::Result<void> CallsCsvExporter::write(session::SessionReader &reader, const ExportOutput &output) const {
  const base::Result<session::ReadSnapshot> held = reader.snapshot();
  JITSCOPE_TRY(const SessionNames names, held ? SessionNames::read(reader) : std::unexpected(held.error()));
  CsvWriter csv;
  addTitles(csv, {"id", "start_ns", "function", "template", "section", "case", "input", "leg", "phase", "thread", "process",
                  "outcome", "lookup_ns", "wait_ns", "compile_ns", "execute_ns", "total_ns"});
  const base::Result<void> read = reader.eachCall({}, [&](const event::CallEvent &call) {
    const event::BenchCaseEvent &bench = names.caseOf(call.caseId);
    csv.number(call.id.value).number(call.startNs).text(names.functionOf(call.templateId).name);
    csv.text(names.templateOf(call.templateId).signature).text(names.sectionOf(call.sectionId).name);
    csv.text(bench.name)
        .text(bench.input)
        .plain(nameOf(call.leg))
        .plain(nameOf(call.phase))
        .number(call.thread)
        .number(call.process);
    csv.plain(nameOf(call.outcome)).number(call.lookupNs).number(call.waitNs).number(call.compileNs).number(call.executeNs);
    csv.number(call.totalNs()).endRow();
    return handOn(csv, output);
  });
  return read ? output(csv.take()) : read;
}

base::Result<void> CompilesCsvExporter::write(session::SessionReader &reader, const ExportOutput &output) const {
  const base::Result<session::ReadSnapshot> held = reader.snapshot();
  const base::Result<SessionNames> names = held ? SessionNames::read(reader) : std::unexpected(held.error());
  JITSCOPE_TRY(const std::vector<event::CompileEvent> compiles, names ? reader.compiles() : std::unexpected(names.error()));
  CsvWriter csv;
  addTitles(csv, {"id",         "call_id", "start_ns",         "function",   "line",     "eager",    "template",
                  "pipeline",   "reason",  "nearest_template", "difference", "trace_ns", "lower_ns", "optimize_ns",
                  "codegen_ns", "link_ns", "total_ns",         "code_bytes", "process",  "target"});
  for (const event::CompileEvent &compile : compiles) {
    const event::FunctionEvent &function = names->functionOf(compile.templateId);
    csv.number(compile.id.value);
    if (compile.callId.isValid()) {
      csv.number(compile.callId.value);
    } else {
      csv.blank();
    }
    csv.number(compile.startNs).text(function.name).number(function.line).number(function.eager ? 1 : 0);
    csv.text(names->templateOf(compile.templateId).signature).text(compile.pipeline).plain(nameOf(compile.reason));
    csv.text(names->templateOf(compile.nearestTemplateId).signature).text(compile.difference);
    csv.number(compile.traceNs).number(compile.lowerNs).number(compile.optimizeNs).number(compile.codegenNs).number(compile.linkNs);
    csv.number(compile.totalNs).number(compile.codeBytes).number(compile.process).text(compile.target).endRow();
    if (base::Result<void> written = handOn(csv, output); !written) {
      return written;
    }
  }
  return output(csv.take());
}

} // namespace jitscope::report
