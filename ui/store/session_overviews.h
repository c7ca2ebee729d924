// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/session_overview.h"
#include "base/error.h"
#include "session/file/session_open.h"
#include "ui/store/query_thread.h"

#include <QObject>
#include <QString>

#include <functional>

namespace jitscope::ui {

/// Looks into sessions without opening them for the pages, on a thread of its own. Lives on the window's thread, where the answers
/// arrive; none arrive after its end.
class SessionOverviews : public QObject {
  Q_OBJECT

public:
  struct Overview {
    session::SessionRow row;
    analysis::SessionOverview content;
  };
  using Done = std::function<void(const base::Result<Overview> &)>;

  using QObject::QObject;
  ~SessionOverviews() override;

  /// Looks into the session as it is, repairing nothing.
  void ask(const QString &path, Done done);

private:
  QueryThread m_thread;
};

} // namespace jitscope::ui
