// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "session/session_reader.h"
#include "ui/store/query_thread.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <array>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace jitscope::ui {

/// The open session. Nothing here waits for the disk: questions are asked on threads with connections of their own, and answers
/// arrive on the window's thread, where all of this class lives.
class SessionStore : public QObject {
  Q_OBJECT

public:
  /// Which thread answers: `Quick` for what the hand waits for, `Bulk` for what reads every call.
  enum class Lane : std::uint8_t { Quick, Bulk };

  explicit SessionStore(QObject *parent = nullptr);
  ~SessionStore() override;

  /// Opens a session in place of the present one. Ends in `opened` or `openFailed`; until the former, and after the latter, what
  /// was open before still is.
  void open(const QString &path);
  /// Leaves the present session.
  void close();

  [[nodiscard]] bool isOpen() const { return m_isOpen; }
  [[nodiscard]] bool isOpening() const { return m_isOpening; }
  [[nodiscard]] const QString &path() const { return m_path; }
  /// What is being opened; empty for nothing.
  [[nodiscard]] const QString &openingPath() const { return m_openingPath; }
  /// The session's own row, as last seen.
  [[nodiscard]] const session::SessionRow &row() const { return m_row; }
  [[nodiscard]] bool isRecording() const { return m_isOpen && m_row.status == record::SessionStatus::Running; }
  /// How many questions have no answer yet.
  [[nodiscard]] int pending() const { return m_pending; }

  /// Asks `work` on a lane and gives its answer to `done`, or what went wrong to `failed`, unless `receiver` is gone, the session
  /// has changed, or `topic` has been asked again in the meantime: a newer question of a topic cancels the older.
  template <typename Work, typename Done>
  void ask(Lane lane, const QString &topic, QObject *receiver, Work work, Done done,
           std::function<void(const base::Error &)> failed = {}) {
    using Answer = std::invoke_result_t<Work, session::SessionReader &>;
    post(lane, topic, receiver,
         [this, work = std::move(work), done = std::move(done),
          failed = std::move(failed)](base::Result<session::SessionReader *> reader) mutable -> std::function<void()> {
           auto answer = std::make_shared<Answer>(reader ? work(**reader) : Answer(std::unexpected(reader.error())));
           return [this, answer, done = std::move(done), failed = std::move(failed)]() mutable {
             if (*answer) {
               done(*std::move(*answer));
             } else if (failed) {
               failed(answer->error());
             } else {
               reportFailure(answer->error());
             }
           };
         });
  }
  /// Forgets the question of a topic.
  void cancel(const QString &topic);

Q_SIGNALS:
  void opening(const QString &path);
  /// Another session replaces the present one, which is closed; the new one is reported as open afterwards.
  void entering();
  void opened();
  void openFailed(const QString &path, const QString &message);
  void closed();
  /// The session has more rows than before, or its status changed.
  void changed();
  /// A question could not be answered.
  void queryFailed(const QString &message);
  void pendingChanged(int pending);

private:
  struct Side;
  using Finish = std::function<void()>;
  using Run = std::function<Finish(base::Result<session::SessionReader *>)>;

  void post(Lane lane, const QString &topic, QObject *receiver, Run run);
  /// Something for a side's thread that no newer question cancels.
  void post(Side &side, std::function<void()> job);
  /// Puts the session in order that has ended, and reads on from what is then one plain file.
  void settleEnd();
  /// Leaves the present session without a word.
  void leave();
  /// Makes the side's candidate the present session.
  void enter(const QString &path, session::SessionRow row, std::int64_t version);
  void look();
  void reportFailure(const base::Error &error);

  QString m_path;
  QString m_openingPath;
  session::SessionRow m_row;
  bool m_isOpen = false;
  bool m_isOpening = false;
  bool m_isLooking = false;
  bool m_saidMoved = false;
  quint64 m_session = 0; ///< counts `open` and `close`
  int m_pending = 0;
  QTimer m_timer;
  QHash<QString, CancelFlag> m_topics;
  std::array<std::shared_ptr<Side>, 2> m_sides; ///< one for each lane: its thread and its reader
};

} // namespace jitscope::ui
