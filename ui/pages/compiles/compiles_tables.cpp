// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compiles/compiles_tables.h"

#include "event/loops.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <utility>

namespace jitscope::ui {

namespace {

using analysis::LoopFinding;
using analysis::MissSummary;
using analysis::PassSum;
using analysis::WorkTotal;

QString compileWords(const char *text) { return QCoreApplication::translate("compiles", text); }

template <typename Row> Column<Row> textColumn(const QString &title, const QString &tip, std::function<QString(const Row &)> text) {
  return {title, tip, false, std::move(text), {}, {}, {}};
}

template <typename Row, typename Get> Column<Row> durationColumn(const QString &title, const QString &tip, Get get) {
  return {title,
          tip,
          true,
          [get](const Row &row) { return get(row) == 0 ? QString() : durationText(static_cast<double>(get(row))); },
          [get](const Row &row) { return numberValue(get(row)); },
          {},
          {},
          QStringLiteral("ns")};
}

template <typename Row, typename Get> Column<Row> countColumn(const QString &title, const QString &tip, Get get) {
  return {title,
          tip,
          true,
          [get](const Row &row) { return get(row) == 0 ? QString() : countText(get(row)); },
          [get](const Row &row) { return numberValue(get(row)); },
          {},
          {}};
}

template <typename Row, typename Get> Column<Row> bytesColumn(const QString &title, const QString &tip, Get get) {
  return {title,
          tip,
          true,
          [get](const Row &row) { return get(row) == 0 ? QString() : bytesText(get(row)); },
          [get](const Row &row) { return numberValue(get(row)); },
          {},
          {},
          QStringLiteral("bytes")};
}

} // namespace

std::vector<Column<MissSummary>> compileColumns() {
  using Row = MissSummary;
  return {
      textColumn<Row>(compileWords("Function"), {},
                      [](const Row &row) { return functionText(row.functionName, row.functionLine, row.eager); }),
      textColumn<Row>(compileWords("Template"), {},
                      [](const Row &row) { return row.templateId.isValid() ? signatureText(row.signature) : QString(); }),
      {compileWords("Reason"),
       compileWords("Why it was not in the cache"),
       false,
       [](const Row &row) { return toText(nameOf(row.reason)); },
       {},
       {},
       [](const Row &row) {
         return reasonText(row.reason, row.process) + QLatin1Char('\n') + differenceInWords(row.difference).join(QLatin1Char('\n'));
       }},
      textColumn<Row>(compileWords("Pipeline"), {}, [](const Row &row) { return lineText(row.pipeline); }),
      durationColumn<Row>(compileWords("Total"), compileWords("All phases, and the time between them"),
                          [](const Row &row) { return row.times.totalNs; }),
      durationColumn<Row>(compileWords("Trace"), {}, [](const Row &row) { return row.times.traceNs; }),
      durationColumn<Row>(compileWords("Lower"), {}, [](const Row &row) { return row.times.lowerNs; }),
      durationColumn<Row>(compileWords("Optimize"), {}, [](const Row &row) { return row.times.optimizeNs; }),
      durationColumn<Row>(compileWords("Codegen"), {}, [](const Row &row) { return row.times.codegenNs; }),
      durationColumn<Row>(compileWords("Link"), {}, [](const Row &row) { return row.times.linkNs; }),
      bytesColumn<Row>(compileWords("Code"), compileWords("Bytes of machine code of this one compile, callees included"),
                       [](const Row &row) { return row.codeBytes; }),
      textColumn<Row>(compileWords("Section"), {}, [](const Row &row) { return lineText(row.section); }),
  };
}

std::vector<Column<PassSum>> passColumns() {
  using Row = PassSum;
  return {
      textColumn<Row>(compileWords("Pass"), {}, [](const Row &row) { return lineText(row.name); }),
      durationColumn<Row>(compileWords("Time"), compileWords("Without the passes that ran inside it"),
                          [](const Row &row) { return row.totalNs; }),
      countColumn<Row>(compileWords("Runs"), {}, [](const Row &row) { return row.runs; }),
      countColumn<Row>(compileWords("Changed"), compileWords("Runs that may have changed the code"),
                       [](const Row &row) { return row.changed; }),
  };
}

std::vector<Column<WorkTotal>> redundantWorkColumns() {
  using Row = WorkTotal;
  return {
      textColumn<Row>(compileWords("Pipeline"), {}, [](const Row &row) { return lineText(row.pipeline); }),
      textColumn<Row>(compileWords("Function"), {}, [](const Row &row) { return lineText(row.functionName); }),
      countColumn<Row>(compileWords("Compiles"), compileWords("Compiles in which it took part"),
                       [](const Row &row) { return row.compiles; }),
      countColumn<Row>(compileWords("Optimized"), compileWords("Modules with its body that were optimized"),
                       [](const Row &row) { return row.optimized; }),
      countColumn<Row>(compileWords("Linked"), compileWords("Times its body was linked into another module"),
                       [](const Row &row) { return row.linked; }),
      countColumn<Row>(compileWords("Emitted"), compileWords("Times machine code was made for it"),
                       [](const Row &row) { return row.emitted; }),
      countColumn<Row>(compileWords("Reused"), compileWords("Times that cached work replaced optimizing it"),
                       [](const Row &row) { return row.reused; }),
      durationColumn<Row>(compileWords("Optimize"), {}, [](const Row &row) { return row.optimizeNs; }),
      durationColumn<Row>(compileWords("Emit"), {}, [](const Row &row) { return row.emitNs; }),
      durationColumn<Row>(compileWords("The part of it that was repeated"),
                          compileWords("Work on copies in other functions' modules"), [](const Row &row) { return row.repeatNs; }),
      bytesColumn<Row>(
          compileWords("Code"),
          compileWords(
              "Bytes of machine code of this function alone, in all compiles; each copy in another function's module counts"),
          [](const Row &row) { return row.codeBytes; }),
  };
}

std::vector<Column<LoopFinding>> loopColumns() {
  using Row = LoopFinding;
  return {
      {compileWords("Loop at"),
       compileWords("File, line and column; several loops of one line by their order"),
       false,
       [](const Row &row) {
         const QString location = lineText(event::locationText(row.loop));
         return row.loop.order == 0 ? location : QStringLiteral("%1 #%2").arg(location).arg(row.loop.order + 1);
       },
       [](const Row &row) { return numberValue(static_cast<std::uint64_t>(std::max(row.loop.line, 0))); },
       {},
       {}},
      textColumn<Row>(compileWords("Function"), {}, [](const Row &row) { return lineText(functionText(row)); }),
      textColumn<Row>(compileWords("Pipelines"), compileWords("The pipelines under which this became of the loop"),
                      [](const Row &row) { return lineText(pipelinesText(row)); }),
      textColumn<Row>(compileWords("Outcome"), {}, [](const Row &row) { return lineText(event::outcomeText(row.loop)); }),
      textColumn<Row>(compileWords("Pass"), compileWords("The pass that vectorized the loop, or that said why it did not"),
                      [](const Row &row) { return lineText(row.loop.pass); }),
      textColumn<Row>(compileWords("Reason"), compileWords("Why the loop is scalar, in LLVM's words"),
                      [](const Row &row) { return lineText(event::reasonText(row.loop)); }),
      textColumn<Row>(compileWords("What would help"), {}, [](const Row &row) { return lineText(row.remedy); }),
      countColumn<Row>(compileWords("Compiles"), {}, [](const Row &row) { return row.compiles; }),
  };
}

} // namespace jitscope::ui
