// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/save_file.h"

#include "ui/widgets/text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSettings>

#include <fmt/format.h>

namespace jitscope::ui {

base::Result<void> writeFile(const QString &path, const QByteArray &bytes) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
    return base::fail(base::ErrorCode::StorageWrite,
                      fmt::format("cannot write \"{}\": {}", path.toStdString(), file.errorString().toStdString()));
  }
  return {};
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
