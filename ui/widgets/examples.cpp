// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/examples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>

namespace jitscope::ui {

Example describeExample(const QString &path, const QString &text) {
  Example example{path, QFileInfo(path).completeBaseName(), {}};
  example.title.replace(QLatin1Char('_'), QLatin1Char(' '));
  if (!example.title.isEmpty()) {
    example.title[0] = example.title[0].toUpper();
  }
  const QStringList lines = text.split(QLatin1Char('\n'));
  for (const QString &line : lines) {
    if (!line.startsWith(QLatin1String("--")) || line.trimmed() == QLatin1String("--")) {
      break;
    }
    example.summary += (example.summary.isEmpty() ? QString() : QStringLiteral(" ")) + line.mid(2).trimmed();
  }
  static const QRegularExpression sentence(QStringLiteral("^(.*?\\.)(\\s|$)"));
  if (const QRegularExpressionMatch match = sentence.match(example.summary); match.hasMatch()) {
    example.summary = match.captured(1);
  }
  return example;
}

std::vector<Example> findExamples() {
  const QString beside = QCoreApplication::applicationDirPath();
  std::vector<Example> examples;
  for (const QString &folder :
       {beside + QStringLiteral("/../share/jitscope/examples"), beside + QStringLiteral("/../../../resources/examples")}) {
    const QFileInfoList files = QDir(folder).entryInfoList({QStringLiteral("*.lua")}, QDir::Files | QDir::Readable, QDir::Name);
    for (const QFileInfo &info : files) {
      QFile file(info.canonicalFilePath());
      if (file.open(QIODevice::ReadOnly)) {
        examples.push_back(describeExample(info.canonicalFilePath(), QString::fromUtf8(file.read(4096))));
      }
    }
    if (!examples.empty()) {
      break;
    }
  }
  return examples;
}

} // namespace jitscope::ui
