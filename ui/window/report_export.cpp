// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/report_export.h"

#include "analysis/query/selection_text.h"
#include "analysis/summary.h"
#include "base/process.h"
#include "base/try.h"
#include "report/reporter.h"
#include "ui/script/find_program.h"
#include "ui/store/session_store.h"
#include "ui/widgets/save_file.h"
#include "ui/widgets/text.h"

#include <QFileInfo>
#include <QProcess>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <memory>

#include <unistd.h>

namespace jitscope::ui {

namespace {

struct Format {
  const char *name;
  const char *ending;
  const char *filter;
  bool isDrawn; ///< needs jitscope-charts, at least for all of it
};

constexpr std::array kFormats{
    Format{"html", "html", "HTML (*.html)", true},      Format{"pdf", "pdf", "PDF (*.pdf)", true},
    Format{"markdown", "md", "Markdown (*.md)", false}, Format{"text", "txt", "Text (*.txt)", false},
    Format{"json", "json", "JSON (*.json)", false},     Format{"csv", "csv", "Comma-separated values (*.csv)", false}};

} // namespace

ReportExport::ReportExport(SessionStore &store, QObject *parent) : QObject(parent), m_store(store), m_folder(programFolder()) {}

QStringList ReportExport::fileFilters() {
  QStringList filters;
  for (const Format &format : kFormats) {
    filters << tr(format.filter);
  }
  return filters;
}

base::Result<void> ReportExport::write(const QString &path, const analysis::Selection &selection) {
  const QString ending = QFileInfo(path).suffix().toLower();
  const auto *format =
      std::ranges::find_if(kFormats, [&ending](const Format &known) { return ending == QLatin1String(known.ending); });
  if (format == kFormats.end()) {
    return base::fail(base::ErrorCode::RuntimeOption,
                      fmt::format("no report format is known for files that end in \".{}\"", ending.toStdString()));
  }
  if (!format->isDrawn) {
    writePlain(path, format->name, selection, {});
    return {};
  }
  const QString program = findProgram(QStringLiteral("jitscope-charts"), m_folder);
  if (!program.isEmpty()) {
    writeDrawn(program, path, format->name, selection);
    return {};
  }
  const QString missing = tr("jitscope-charts, the program that draws, is neither beside this program nor in PATH.");
  if (std::string_view(format->name) != "html") {
    return base::fail(base::ErrorCode::RuntimeOption,
                      (missing + tr(" Install it, or choose another format than PDF.")).toStdString());
  }
  writePlain(path, format->name, selection, missing + tr(" The report has no drawings."));
  return {};
}

void ReportExport::writePlain(const QString &path, const std::string &format, const analysis::Selection &selection,
                              const QString &remark) {
  m_store.ask(
      SessionStore::Lane::Bulk, QStringLiteral("report"), this,
      [format, path, selection](session::SessionReader &reader) -> base::Result<QString> {
        JITSCOPE_TRY(const report::Reporter reporter, report::makeReporter(format));
        JITSCOPE_TRY(const analysis::Summary summary, analysis::summarize(reader, {.selection = selection}));
        JITSCOPE_TRY_VOID(writeFile(path, QByteArray::fromStdString(reporter.render(summary))));
        return path;
      },
      [this, remark](const QString &written) {
        Q_EMIT ended(tr("The report was written to %1").arg(written) +
                         (remark.isEmpty() ? QString() : QStringLiteral(". ") + remark),
                     remark.isEmpty());
      });
}

void ReportExport::writeDrawn(const QString &program, const QString &path, const std::string &format,
                              const analysis::Selection &selection) {
  QStringList arguments{QStringLiteral("--format"), toText(format)};
  for (const std::string &condition : analysis::conditionsOf(selection)) {
    arguments << QStringLiteral("--only") << toText(condition);
  }
  arguments << QStringLiteral("--") << m_store.path();
  auto *process = new QProcess(this);
  process->setChildProcessModifier([parent = ::getpid()] {
    if (!base::endWithParent(SIGKILL, parent)) {
      ::_exit(1);
    }
  });
  connect(process, &QProcess::errorOccurred, this, [this, process, program](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
      Q_EMIT ended(tr("No report was written: %1 cannot be started: %2").arg(program, process->errorString()), false);
      process->deleteLater();
    }
  });
  connect(process, &QProcess::finished, this, [this, process, path](int exitCode, QProcess::ExitStatus status) {
    process->deleteLater();
    if (status != QProcess::NormalExit || exitCode != 0) {
      const QString said = QString::fromUtf8(process->readAllStandardError()).trimmed();
      Q_EMIT ended(tr("No report was written: %1").arg(said.isEmpty() ? tr("jitscope-charts failed without a message") : said),
                   false);
      return;
    }
    const base::Result<void> written = writeFile(path, process->readAllStandardOutput());
    Q_EMIT ended(written ? tr("The report was written to %1").arg(path) : toText(base::describe(written.error())),
                 written.has_value());
  });
  Q_EMIT began(tr("The report is being drawn …"));
  process->start(program, arguments);
}

} // namespace jitscope::ui
