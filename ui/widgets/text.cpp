// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text.h"

#include "base/units.h"
#include "report/document/summary_text.h"
#include "report/render/display_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace jitscope::ui {

QString toText(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

std::filesystem::path toPath(const QString &path) { return path.toStdString(); }

QString fromPath(const std::filesystem::path &path) { return QString::fromStdString(path.string()); }

QString durationText(double ns) { return QString::fromStdString(base::formatDuration(ns)); }

QString bytesText(std::uint64_t bytes) { return QString::fromStdString(base::formatBytes(bytes)); }

QString countText(std::uint64_t count) { return QString::fromStdString(base::formatCount(count)); }

QString statusText(record::SessionStatus status) {
  switch (status) {
  case record::SessionStatus::Running:
    return QCoreApplication::translate("text", "recording");
  case record::SessionStatus::Finished:
    return QCoreApplication::translate("text", "finished");
  case record::SessionStatus::Failed:
    return QCoreApplication::translate("text", "failed");
  case record::SessionStatus::Interrupted:
    return QCoreApplication::translate("text", "interrupted");
  }
  return {};
}

QString sentenceText(const QString &message) {
  static const QRegularExpression word(QStringLiteral("^\\p{Ll}+\\s"));
  return word.match(message).hasMatch() ? message.at(0).toUpper() + message.mid(1) : message;
}

QString lineText(std::string_view text, int most) {
  // What is cut need not be made printable first: names may have megabytes.
  const QString line = QString::fromStdString(report::printable(text.substr(0, static_cast<std::size_t>(most) * 4)));
  return line.size() <= most ? line : line.left(most - 1) + QChar(0x2026);
}

QString signatureText(std::string_view signature) { return lineText(report::signatureText(std::string(signature)), 2000); }

QString functionText(std::string_view name, int line, bool eager) {
  return lineText(report::functionText(std::string(name), line, eager));
}

QString caseText(std::string_view name, std::string_view input) {
  return lineText(event::caseName(std::string(name), std::string(input)));
}

QString originText(base::StudyId study, std::string_view section) {
  QStringList parts;
  if (study.isValid()) {
    parts << QCoreApplication::translate("origin", "study %1").arg(study.value);
  }
  if (!section.empty()) {
    parts << lineText(section, 80);
  }
  return parts.join(QStringLiteral(", "));
}

QString progressText(const analysis::BenchProgress &progress) {
  return QCoreApplication::translate("text",
                                     "Recording a benchmark of %1 cases: %2 cold and %3 warm legs are measured. A cold leg runs in "
                                     "a process of its own; its calls appear when it ends.")
      .arg(countText(progress.cases), countText(progress.coldLegs), countText(progress.warmLegs));
}

QString reasonText(event::MissReason reason, std::uint16_t process) {
  QString name = toText(nameOf(reason));
  name.replace(QLatin1Char('-'), QLatin1Char(' '));
  name[0] = name[0].toUpper();
  return QStringLiteral("%1: %2").arg(name, toText(report::explain(reason, process)));
}

QStringList differenceInWords(std::string_view difference) {
  static const QRegularExpression field(QStringLiteral("^(.*?): (.*) -> (.*)$"), QRegularExpression::DotMatchesEverythingOption);
  static const QRegularExpression argument(QStringLiteral("\\barg (\\d+)"));
  static const QRegularExpression dimension(QStringLiteral(" dim (\\d+)"));
  QStringList words;
  const QStringList parts = lineText(difference, 4000).split(QStringLiteral("; "), Qt::SkipEmptyParts);
  for (const QString &part : parts) {
    const QRegularExpressionMatch match = field.match(part);
    if (!match.hasMatch()) {
      words << part;
      continue;
    }
    QString name = match.captured(1);
    name.replace(argument, QCoreApplication::translate("text", "argument \\1"));
    name.replace(dimension, QCoreApplication::translate("text", ", dimension \\1"));
    name.replace(QStringLiteral(" dtype"), QCoreApplication::translate("text", ", element type"));
    name.replace(QStringLiteral(" rank"), QCoreApplication::translate("text", ", number of dimensions"));
    const auto valueText = [](const QString &value) {
      return value == QLatin1String("?") ? QCoreApplication::translate("text", "any size") : value;
    };
    words << QCoreApplication::translate("text", "%1: was %2, is %3")
                 .arg(name, valueText(match.captured(2)), valueText(match.captured(3)));
  }
  return words;
}

} // namespace jitscope::ui
