// SPDX-License-Identifier: GPL-3.0-or-later
// What `jitscope report` starts for a report with drawings: the command itself knows no Qt.
#include "analysis/query/selection_text.h"
#include "analysis/summary.h"
#include "base/try.h"
#include "report/document/session_document.h"
#include "report/reporter.h"
#include "session/session_reader.h"
#include "ui/report/document_pdf.h"
#include "ui/report/report_charts.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFile>
#include <QFont>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

using namespace jitscope;

namespace {

base::Result<QByteArray> htmlOf(const analysis::Summary &summary, const report::ChartSource &charts) {
  report::ReportOptions options;
  options.charts = &charts;
  JITSCOPE_TRY(const report::Reporter reporter, report::makeReporter("html", options));
  return QByteArray::fromStdString(reporter.render(summary));
}

base::Result<QByteArray> pdfOf(const analysis::Summary &summary, const report::ChartSource &charts) {
  // Paper has no end to scroll to.
  report::SessionDocumentOptions options;
  options.rows = 60;
  options.scriptBytes = 64 * 1024;
  options.charts = &charts;
  return charts::documentPdf(report::sessionDocument(summary, options));
}

base::Result<QByteArray> reportOf(const QString &session, const QStringList &conditions, bool isPdf) {
  // The command that asks for the drawings has looked at every row.
  JITSCOPE_TRY(const std::unique_ptr<session::SessionReader> reader,
               session::SessionReader::open(session.toStdString(), {.verifyUpToBytes = 0, .repair = false}));
  std::vector<std::string> only;
  std::ranges::transform(conditions, std::back_inserter(only), &QString::toStdString);
  JITSCOPE_TRY(analysis::Selection selection, analysis::readSelection(*reader, only));
  JITSCOPE_TRY(const analysis::Summary summary, analysis::summarize(*reader, {.selection = std::move(selection)}));
  const base::Result<charts::ReportCharts> drawn =
      charts::ReportCharts::draw(*reader, summary, isPdf ? charts::Medium::Paper : charts::Medium::Page);
  if (!drawn) {
    return std::unexpected(drawn.error());
  }
  return isPdf ? pdfOf(summary, *drawn) : htmlOf(summary, *drawn);
}

} // namespace

int main(int argc, char **argv) {
  // Nothing is shown, so that neither a screen nor a theme has a say.
  qputenv("QT_QPA_PLATFORM", "offscreen");
  qputenv("QT_SCALE_FACTOR", "1");
  qunsetenv("QT_QPA_PLATFORMTHEME");
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("jitscope-charts"));
  QApplication::setApplicationVersion(QStringLiteral(JITSCOPE_VERSION));
  QFont font;
  font.setFamilies({QStringLiteral("DejaVu Sans"), QStringLiteral("Noto Sans"), QStringLiteral("sans-serif")});
  font.setPointSizeF(9);
  QApplication::setFont(font);

  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Writes the report of a session with its drawings to standard output. "
                                                  "`jitscope report` starts it."));
  parser.addHelpOption();
  parser.addVersionOption();
  const QCommandLineOption format(QStringLiteral("format"), QStringLiteral("html or pdf."), QStringLiteral("format"),
                                  QStringLiteral("html"));
  parser.addOption(format);
  const QCommandLineOption only(QStringLiteral("only"),
                                QStringLiteral("Condition that the calls must meet, as for jitscope report --only."),
                                QStringLiteral("key=value"));
  parser.addOption(only);
  parser.addPositionalArgument(QStringLiteral("session"), QStringLiteral("Session file (.jitscope)."));
  parser.process(application);
  const QString wanted = parser.value(format);
  if (parser.positionalArguments().size() != 1 || (wanted != QLatin1String("html") && wanted != QLatin1String("pdf"))) {
    std::fprintf(stderr, "jitscope-charts: give one session, and html or pdf as its format\n");
    return 2;
  }
  const base::Result<QByteArray> text =
      reportOf(parser.positionalArguments().first(), parser.values(only), wanted == QLatin1String("pdf"));
  if (!text) {
    std::fprintf(stderr, "jitscope-charts: %s\n", base::describe(text.error()).c_str());
    return 2;
  }
  QFile output;
  if (!output.open(stdout, QIODevice::WriteOnly) || output.write(*text) != text->size() || !output.flush()) {
    std::fprintf(stderr, "jitscope-charts: standard output cannot be written: %s\n", qPrintable(output.errorString()));
    return 2;
  }
  return 0;
}
