// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/session_glance.h"
#include "base/error.h"
#include "session/session_open.h"
#include "ui/store/query_thread.h"

#include <QObject>
#include <QString>

#include <functional>

namespace jitscope::ui {

/// Looks into sessions without opening them for the pages, on a thread of its own. Lives on the window's thread, where the answers
/// arrive; none arrive after its end.
class Glances : public QObject {
  Q_OBJECT

public:
  struct Glance {
    session::SessionRow row;
    analysis::SessionGlance content;
  };
  using Done = std::function<void(const base::Result<Glance> &)>;

  using QObject::QObject;
  ~Glances() override;

  /// Looks into the session as it is, repairing nothing.
  void ask(const QString &path, Done done);

private:
  QueryThread m_thread;
};

} // namespace jitscope::ui
