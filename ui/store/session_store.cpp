// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store/session_store.h"
#include "base/try.h"

#include "ui/widgets/text.h"

#include <tuple>
#include <vector>

namespace jitscope::ui {

namespace {

using session::SessionReader;

/// How often a session that is being recorded is looked at, at most; and a finished one, should it be deleted or replaced.
constexpr int kLiveMs = 250;
constexpr int kStillMs = 2000;

/// What tells one state of a session from the next.
struct Look {
  session::SessionRow row;
  std::int64_t version = 0; ///< changes with every commit of another connection
  bool moved = false;
};

base::Result<Look> lookAt(SessionReader &reader) {
  Look look;
  look.moved = reader.database().hasMoved();
  const bool wasRunning = reader.session().status == record::SessionStatus::Running;
  if (wasRunning && !look.moved) {
    JITSCOPE_TRY_VOID(reader.refresh());
  }
  look.row = reader.session();
  JITSCOPE_TRY(const std::optional<std::int64_t> version, reader.database().queryInteger("PRAGMA data_version"));
  look.version = version.value_or(0);
  return look;
}

} // namespace

/// A thread and the reader that only it touches.
struct SessionStore::Side {
  std::unique_ptr<SessionReader> reader;
  std::unique_ptr<SessionReader> candidate; ///< opened, and about to become `reader`
  base::Error why{base::ErrorCode::StorageOpen, "no session is open", {}};
  std::filesystem::path path; ///< what to open when first asked
  std::int64_t seenVersion = -1;
  std::unique_ptr<QueryThread> thread = std::make_unique<QueryThread>();

  base::Result<SessionReader *> get() {
    if (!reader && !path.empty()) {
      // The other side has checked the file already, and has repaired what there was to repair.
      JITSCOPE_TRY(std::unique_ptr<SessionReader> opened, SessionReader::open(path, {.verifyUpToBytes = 0, .repair = false}));
      reader = std::move(opened);
    }
    if (!reader) {
      return std::unexpected(why);
    }
    return reader.get();
  }
};

SessionStore::SessionStore(QObject *parent) : QObject(parent), m_sides{std::make_shared<Side>(), std::make_shared<Side>()} {
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &SessionStore::look);
}

SessionStore::~SessionStore() {
  // Nobody is to hear of the questions that end unanswered now.
  blockSignals(true);
  for (const std::shared_ptr<Side> &side : m_sides) {
    side->thread.reset();
    side->reader.reset();
    side->candidate.reset();
  }
}

void SessionStore::post(Lane lane, const QString &topic, QObject *receiver, Run run) {
  auto cancelled = std::make_shared<std::atomic<bool>>(false);
  if (const CancelFlag older = m_topics.value(topic)) {
    older->store(true);
  }
  m_topics.insert(topic, cancelled);
  Q_EMIT pendingChanged(++m_pending);
  const std::shared_ptr<Side> side = m_sides[static_cast<std::size_t>(lane)];
  Side *sidePointer = side.get(); // outlives its own thread
  const quint64 session = m_session;
  const QPointer<QObject> alive(receiver);
  // A job that is cancelled before its turn never runs, so that counting is bound to the life of this token.
  const std::shared_ptr<void> counted(nullptr, [guard = QPointer<SessionStore>(this)](void *) {
    if (guard) {
      QMetaObject::invokeMethod(guard, [guard] { Q_EMIT guard->pendingChanged(--guard->m_pending); });
    }
  });
  side->thread->post({cancelled, [=, this, run = std::move(run)](const CancelFlag &flag) {
                        base::Result<SessionReader *> reader = sidePointer->get();
                        if (reader) {
                          (*reader)->database().setCancelFlag(flag.get());
                        }
                        Finish finish = run(reader);
                        if (sidePointer->reader) {
                          sidePointer->reader->database().setCancelFlag(nullptr);
                        }
                        QMetaObject::invokeMethod(
                            this,
                            [=, this, finish = std::move(finish)] {
                              Q_UNUSED(counted)
                              if (!flag->load() && session == m_session && alive) {
                                if (m_topics.value(topic) == flag) {
                                  m_topics.remove(topic);
                                }
                                finish();
                              }
                            },
                            Qt::QueuedConnection);
                      }});
}

void SessionStore::post(Side &side, std::function<void()> job) {
  side.thread->post({std::make_shared<std::atomic<bool>>(false), [job = std::move(job)](const CancelFlag &) { job(); }});
}

void SessionStore::cancel(const QString &topic) {
  if (const CancelFlag flag = m_topics.take(topic)) {
    flag->store(true);
  }
}

void SessionStore::leave() {
  m_timer.stop();
  ++m_session;
  m_isOpen = false;
  m_isLooking = false;
  m_saidMoved = false;
  m_topics.clear();
  // Both readers go at one place, one after the other: the last to close a session leaves one plain file.
  const auto leaving = std::make_shared<std::vector<std::unique_ptr<SessionReader>>>(m_sides.size());
  for (std::size_t i = 0; i < m_sides.size(); ++i) {
    Side *side = m_sides[i].get();
    side->thread->cancelAll();
    post(*side, [side, leaving, i] {
      (*leaving)[i] = std::move(side->reader);
      side->path.clear();
    });
  }
  m_row = {};
  m_path.clear();
}

void SessionStore::close() {
  const bool wasOpen = m_isOpen || m_isOpening;
  m_isOpening = false;
  m_openingPath.clear();
  leave();
  Side *quick = m_sides[static_cast<std::size_t>(Lane::Quick)].get();
  post(*quick, [quick] { quick->candidate.reset(); });
  if (wasOpen) {
    Q_EMIT closed();
  }
}

void SessionStore::open(const QString &path) {
  m_openingPath = path;
  m_isOpening = true;
  Q_EMIT opening(path);
  Side *quick = m_sides[static_cast<std::size_t>(Lane::Quick)].get();
  // What is open stays so until the other one has proved to be a session.
  post(Lane::Quick, QStringLiteral("open"), this, [this, quick, path](const base::Result<SessionReader *> & /*present*/) -> Finish {
    base::Result<std::unique_ptr<SessionReader>> opened = SessionReader::open(toPath(path));
    base::Result<Look> look = opened ? lookAt(**opened) : base::Result<Look>(std::unexpected(opened.error()));
    if (!look) {
      return [this, path, error = std::move(look.error())] {
        m_isOpening = false;
        m_openingPath.clear();
        Q_EMIT openFailed(path, toText(base::describe(error)));
      };
    }
    quick->candidate = *std::move(opened);
    return [this, path, look = *std::move(look)] { enter(path, look.row, look.version); };
  });
}

void SessionStore::enter(const QString &path, session::SessionRow row, std::int64_t version) {
  const bool wasOpen = m_isOpen;
  leave();
  if (wasOpen) {
    Q_EMIT closed();
  }
  Side *quick = m_sides[static_cast<std::size_t>(Lane::Quick)].get();
  post(*quick, [quick, version] {
    quick->reader = std::move(quick->candidate);
    quick->seenVersion = version;
  });
  Side *bulk = m_sides[static_cast<std::size_t>(Lane::Bulk)].get();
  // Opened now and not when first asked, for the file may be deleted meanwhile: what is open can still be read.
  post(*bulk, [bulk, file = toPath(path)] {
    bulk->path = file;
    std::ignore = bulk->get();
  });
  m_path = path;
  m_row = std::move(row);
  m_isOpening = false;
  m_openingPath.clear();
  Q_EMIT entering();
  m_isOpen = true;
  m_timer.start(isRecording() ? kLiveMs : kStillMs);
  Q_EMIT opened();
}

void SessionStore::look() {
  if (!m_isOpen || m_isLooking) {
    return;
  }
  // While pages still read, more to read would only make them later.
  if (m_pending > 0) {
    m_timer.start(kLiveMs);
    return;
  }
  m_isLooking = true;
  Side *quick = m_sides[static_cast<std::size_t>(Lane::Quick)].get();
  ask(
      Lane::Quick, QStringLiteral("look"), this,
      [quick](SessionReader &reader) -> base::Result<std::pair<Look, bool>> {
        JITSCOPE_TRY(Look look, lookAt(reader));
        const bool isNew = look.version != quick->seenVersion;
        quick->seenVersion = look.version;
        return std::pair(std::move(look), isNew);
      },
      [this](std::pair<Look, bool> seen) {
        auto &[look, isNew] = seen;
        m_isLooking = false;
        const bool ended = isRecording() && look.row.status != record::SessionStatus::Running;
        m_row = std::move(look.row);
        if (look.moved && !m_saidMoved) {
          m_saidMoved = true;
          Q_EMIT queryFailed(tr("The session's file was deleted, moved or replaced. The window shows what it read before; open the "
                                "file again to see its present contents."));
        }
        m_timer.start(isRecording() ? kLiveMs : kStillMs);
        if (ended) {
          settleEnd();
        } else if (isNew) {
          Q_EMIT changed();
        }
      },
      [this](const base::Error &error) {
        m_isLooking = false;
        m_timer.start(kStillMs);
        reportFailure(error);
      });
}

void SessionStore::settleEnd() {
  // While either side holds the file as it was while it was written, it cannot become a plain one.
  Side *bulk = m_sides[static_cast<std::size_t>(Lane::Bulk)].get();
  Side *quick = m_sides[static_cast<std::size_t>(Lane::Quick)].get();
  post(Lane::Bulk, QStringLiteral("settle"), this, [=, this](const base::Result<SessionReader *> & /*present*/) -> Finish {
    bulk->reader.reset();
    return [=, this] {
      post(Lane::Quick, QStringLiteral("settle"), this,
           [this, quick, bulk, file = toPath(m_path)](const base::Result<SessionReader *> &present) -> Finish {
             if (present && !(*present)->database().hasMoved()) {
               quick->reader.reset();
               base::Result<std::unique_ptr<SessionReader>> opened = SessionReader::open(file);
               if (!opened) {
                 quick->why = opened.error();
                 return [this, error = std::move(opened.error())] { reportFailure(error); };
               }
               quick->reader = *std::move(opened);
               if (const base::Result<Look> look = lookAt(*quick->reader)) {
                 quick->seenVersion = look->version;
               }
             }
             return [this, bulk] {
               post(*bulk, [bulk] { std::ignore = bulk->get(); });
               Q_EMIT changed();
             };
           });
    };
  });
}

void SessionStore::reportFailure(const base::Error &error) {
  if (error.code != base::ErrorCode::StorageCancelled) {
    Q_EMIT queryFailed(toText(base::describe(error)));
  }
}

} // namespace jitscope::ui
