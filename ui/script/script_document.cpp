// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/script_document.h"

#include "ui/script/script_editor.h"
#include "ui/widgets/examples.h"
#include "ui/widgets/save_file.h"
#include "ui/widgets/text.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace jitscope::ui {

namespace {

bool isExample(const QString &path) {
  const std::vector<Example> examples = findExamples();
  return !path.isEmpty() && std::ranges::find(examples, QFileInfo(path).canonicalFilePath(), &Example::path) != examples.end();
}

} // namespace

ScriptDocument::ScriptDocument(ScriptEditor &editor, QWidget &window) : QObject(&window), m_editor(editor), m_window(window) {
  connect(&m_editor, &QsciScintilla::modificationChanged, this, &ScriptDocument::stateChanged);
}

bool ScriptDocument::isChanged() const { return m_isConverted || m_editor.isModified(); }

void ScriptDocument::show(ScriptText text, const QString &path) {
  m_text = std::move(text);
  m_path = path;
  m_isConverted = false;
  m_editor.setBytes(m_text.shown);
  m_editor.setEolMode(m_text.hasCrLf() ? QsciScintilla::EolWindows : QsciScintilla::EolUnix);
  m_editor.setReadOnly(!m_text.isEditable());
  Q_EMIT replaced();
  Q_EMIT stateChanged();
}

void ScriptDocument::convertFrom(const TextEncoding &encoding) {
  base::Result<QByteArray> converted = m_text.convertedFrom(encoding.name);
  if (!converted) {
    Q_EMIT problem(toText(base::describe(converted.error())));
    return;
  }
  // What the file has stays what it is compared with before it is overwritten.
  QByteArray onDisk = std::exchange(m_text.bytes, {});
  ScriptText text = ScriptText::of(*std::move(converted));
  text.hasBom = false;
  text.bytes = std::move(onDisk);
  show(std::move(text), m_path);
  m_isConverted = true;
  Q_EMIT stateChanged();
  Q_EMIT news(tr("Converted from %1. Saving writes it as UTF-8.").arg(encoding.label));
}

bool ScriptDocument::mayLeave() {
  if (!isChanged()) {
    return true;
  }
  const auto answer = QMessageBox::question(&m_window, tr("Unsaved script"), tr("The script has changes that were not saved."),
                                            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
  return answer == QMessageBox::Discard ||
         (answer == QMessageBox::Save && save({tr("Save script"), tr("Save a copy: examples cannot be changed")}));
}

QByteArray ScriptDocument::bytes() const { return m_text.isEditable() ? m_text.bytesFor(m_editor.bytes()) : m_text.bytes; }

ScriptDocument::DiskState ScriptDocument::diskState() const {
  if (!QFileInfo::exists(m_path)) {
    return DiskState::Gone;
  }
  const base::Result<QByteArray> onDisk = readScriptFile(m_path);
  return onDisk && *onDisk == m_text.bytes ? DiskState::Same : DiskState::Changed;
}

bool ScriptDocument::reload() {
  base::Result<QByteArray> onDisk = readScriptFile(m_path);
  if (!onDisk) {
    Q_EMIT problem(toText(base::describe(onDisk.error())));
    return false;
  }
  int line = 0;
  int column = 0;
  m_editor.getCursorPosition(&line, &column);
  const int top = m_editor.firstVisibleLine();
  show(ScriptText::of(*std::move(onDisk)), m_path);
  m_editor.setCursorPosition(line, column);
  m_editor.setFirstVisibleLine(top);
  return true;
}

base::Result<void> ScriptDocument::write(const QString &path) {
  QByteArray written = bytes();
  if (base::Result<void> saved = writeFile(path, written); !saved) {
    return saved;
  }
  m_text.bytes = std::move(written);
  m_isConverted = false;
  m_editor.setModified(false);
  return {};
}

bool ScriptDocument::overwrite() {
  if (const base::Result<void> saved = write(m_path); !saved) {
    Q_EMIT problem(toText(base::describe(saved.error())));
    return false;
  }
  Q_EMIT stateChanged();
  return true;
}

bool ScriptDocument::save(const SaveTitles &titles) {
  if (m_path.isEmpty()) {
    return saveAs(titles.plain);
  }
  if (isExample(m_path)) {
    // What comes with Jitscope stays as it is.
    return !isChanged() || saveAs(titles.ofExample);
  }
  const DiskState state = diskState();
  if (state != DiskState::Same) {
    return settle(state, titles);
  }
  return !isChanged() || overwrite();
}

bool ScriptDocument::settle(DiskState state, const SaveTitles &titles) {
  const QString name = QFileInfo(m_path).fileName();
  if (state == DiskState::Changed && !isChanged()) {
    if (!reload()) {
      return false;
    }
    Q_EMIT news(tr("Another program changed %1. It was read again.").arg(name));
    return true;
  }
  const bool isGone = state == DiskState::Gone;
  QMessageBox box(QMessageBox::Warning, tr("Save script"),
                  isGone ? tr("%1 was deleted or moved since it was read.").arg(name)
                         : tr("Another program changed %1 since it was read. Saving replaces what that program wrote.").arg(name),
                  QMessageBox::Cancel, &m_window);
  box.setObjectName(QStringLiteral("changedOnDisk"));
  QPushButton *again = box.addButton(isGone ? tr("Save &Again") : tr("&Replace"), QMessageBox::AcceptRole);
  QPushButton *elsewhere = box.addButton(tr("Save &As…"), QMessageBox::ActionRole);
  QPushButton *discard =
      isGone ? nullptr : box.addButton(tr("Read It Again and &Discard My Changes"), QMessageBox::DestructiveRole);
  box.setDefaultButton(isGone ? again : elsewhere);
  box.exec();
  if (box.clickedButton() == again) {
    return overwrite();
  }
  if (box.clickedButton() == elsewhere) {
    return saveAs(titles.plain);
  }
  return discard != nullptr && box.clickedButton() == discard && reload();
}

bool ScriptDocument::saveAs(const QString &title) {
  bool isDone = false;
  saveWithDialog(&m_window, title, m_path.isEmpty() ? QStringLiteral("script.lua") : QFileInfo(m_path).fileName(),
                 {tr("Graph scripts (*.lua)")}, [this, &isDone](const QString &path) {
                   base::Result<void> saved = write(path);
                   if (saved) {
                     m_path = QFileInfo(path).absoluteFilePath();
                     isDone = true;
                   }
                   return saved;
                 });
  if (isDone) {
    Q_EMIT stateChanged();
    Q_EMIT opened(m_path);
  }
  return isDone;
}

} // namespace jitscope::ui
