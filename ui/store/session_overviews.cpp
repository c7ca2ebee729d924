// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store/session_overviews.h"

#include "session/session_reader.h"
#include "ui/widgets/text.h"

#include <QMetaObject>

#include <memory>
#include <utility>

namespace jitscope::ui {

namespace {

base::Result<SessionOverviews::Overview> overviewAt(const QString &path, const CancelFlag &cancelled) {
  base::Result<std::unique_ptr<session::SessionReader>> reader =
      session::SessionReader::open(toPath(path), {.verifyUpToBytes = 0, .repair = false});
  if (!reader) {
    return std::unexpected(std::move(reader.error()));
  }
  session::Database &database = (*reader)->database();
  database.setCancelFlag(cancelled.get());
  base::Result<analysis::SessionOverview> content = analysis::readSessionOverview(database);
  database.setCancelFlag(nullptr);
  if (!content) {
    return std::unexpected(std::move(content.error()));
  }
  return SessionOverviews::Overview{(*reader)->session(), *std::move(content)};
}

} // namespace

SessionOverviews::~SessionOverviews() = default;

void SessionOverviews::ask(const QString &path, Done done) {
  m_thread.post({std::make_shared<std::atomic<bool>>(false), [this, path, done = std::move(done)](const CancelFlag &cancelled) {
                   // Queued to this object, with whose end the answer is dropped.
                   QMetaObject::invokeMethod(
                       this, [done, overview = overviewAt(path, cancelled)] { done(overview); }, Qt::QueuedConnection);
                 }});
}

} // namespace jitscope::ui
