// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QSplitter>

namespace jitscope::ui {

/// A splitter that keeps its sizes from one run to the next.
class Splitter : public QSplitter {
public:
  Splitter(const QString &name, Qt::Orientation orientation, QWidget *parent) : QSplitter(orientation, parent) {
    setObjectName(name);
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, [this] { QSettings().setValue(key(), saveState()); });
  }

  /// Call once all children are there: their sizes from last time, or the ones given.
  void restore(const QList<int> &sizes) {
    if (!restoreState(QSettings().value(key()).toByteArray())) {
      setSizes(sizes);
    }
  }

private:
  [[nodiscard]] QString key() const { return QStringLiteral("splitters/") + objectName(); }
};

} // namespace jitscope::ui
