// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/save_file.h"

#include "session/file/session_file.h"
#include "ui/widgets/text.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSettings>

#include <fmt/format.h>

namespace jitscope::ui {

namespace {

std::unexpected<base::Error> cannotWrite(const QString &path, const QString &why) {
  const bool isThere = QFileInfo::exists(path);
  return base::fail(base::ErrorCode::StorageWrite, fmt::format("cannot write \"{}\": {}{}", path.toStdString(), why.toStdString(),
                                                               isThere ? "; the file is unchanged" : ""));
}

/// Why nothing may be put under this name; empty where it may.
QString whyNotAt(const QString &path, bool isSession) {
  const QFileInfo info(path); // of what a link leads to
  if (info.isDir()) {
    return QObject::tr("it is a folder; add a file name");
  }
  if (info.exists() && !info.isFile()) {
    return QObject::tr("it is a pipe or a device; choose the name of a file");
  }
  if (!isSession && session::isDatabaseFile(toPath(path))) {
    return QObject::tr("it is a session or another database; choose another name");
  }
  if (isSession && QFileInfo(fromPath(session::sideFile(toPath(path), "-wal"))).size() > 0) {
    return QObject::tr("it is a session that is being recorded or was not closed; choose another name");
  }
  if (!info.isSymLink() && !info.absoluteDir().exists()) {
    return QObject::tr("the folder %1 does not exist").arg(info.absolutePath());
  }
  return {};
}

/// Lets `fill` write to a file beside the target, which then takes its place. QSaveFile writes behind a link and keeps permissions.
template <typename Fill> base::Result<void> replaceFile(const QString &path, bool isSession, const Fill &fill) {
  if (const QString why = whyNotAt(path, isSession); !why.isEmpty()) {
    return cannotWrite(path, why);
  }
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) {
    return cannotWrite(path, file.errorString());
  }
  if (const QString problem = fill(file); !problem.isEmpty()) {
    file.cancelWriting();
    return cannotWrite(path, problem);
  }
  if (!file.commit()) {
    return cannotWrite(path, file.errorString());
  }
  return {};
}

} // namespace

base::Result<void> writeFile(const QString &path, const QByteArray &bytes) {
  return replaceFile(path, false, [&bytes](QSaveFile &file) {
    return file.write(bytes) == bytes.size() && file.flush() ? QString() : file.errorString();
  });
}

base::Result<void> copySession(const QString &source, const QString &path) {
  QFile from(source);
  if (!from.open(QIODevice::ReadOnly)) {
    return base::fail(base::ErrorCode::StorageOpen,
                      fmt::format("cannot read \"{}\": {}", source.toStdString(), from.errorString().toStdString()));
  }
  return replaceFile(path, true, [&from](QSaveFile &file) {
    constexpr qint64 kPieceBytes = qint64{1} << 20;
    while (!from.atEnd()) {
      const QByteArray piece = from.read(kPieceBytes);
      if (piece.isEmpty()) {
        return from.errorString();
      }
      if (file.write(piece) != piece.size()) {
        return file.errorString();
      }
    }
    return file.flush() ? QString() : file.errorString();
  });
}

void saveWithDialog(QWidget *parent, const QString &title, const QString &suggestedName, const QStringList &filters,
                    const std::function<base::Result<void>(const QString &)> &save) {
  QSettings settings;
  const QString folder = settings.value(QStringLiteral("files/saveFolder")).toString();
  QString name = suggestedName;
  name.replace(QRegularExpression(QStringLiteral("[^\\w.-]+")), QStringLiteral("-"));
  QFileDialog dialog(parent, title, folder);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setNameFilters(filters);
  dialog.selectFile(name);
  // The dialog adds the ending itself, so that it asks before a file is replaced that has this ending.
  const auto followFilter = [&dialog](const QString &filter) {
    static const QRegularExpression ending(QStringLiteral("\\*\\.(\\w+)"));
    dialog.setDefaultSuffix(ending.match(filter).captured(1));
  };
  followFilter(dialog.selectedNameFilter());
  QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, followFilter);
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) {
    return;
  }
  const QString path = dialog.selectedFiles().constFirst();
  settings.setValue(QStringLiteral("files/saveFolder"), QFileInfo(path).absolutePath());
  if (const base::Result<void> saved = save(path); !saved) {
    QMessageBox::warning(parent, title, sentenceText(toText(base::describe(saved.error()))));
  }
}

} // namespace jitscope::ui
