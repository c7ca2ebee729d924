// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QTest>

#include <string>

namespace jitscope::test {

inline QByteArray contentOf(const QString &path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Compares with tests/golden/NAME; what differs is left beside it as `.actual`.
inline void compareWithGolden(const std::string &text, const QString &name) {
  const QString expectedPath = QStringLiteral(JITSCOPE_SOURCE_DIR "/tests/golden/") + name;
  const QString actualPath = expectedPath + ".actual";
  const QByteArray actual = QByteArray::fromStdString(text);
  if (actual == contentOf(expectedPath)) {
    QFile::remove(actualPath);
    return;
  }
  QFile file(actualPath);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(actual);
  file.close();
  QFAIL(qPrintable(QString("the text differs from %1; see %2").arg(expectedPath, actualPath)));
}

} // namespace jitscope::test
