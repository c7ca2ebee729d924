// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "base/process.h"

#include <array>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

using namespace jitscope;

/// Children end with their parents.
class TestProcess : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void aChildEndsWithItsParent_data() {
    QTest::addColumn<int>("parentsEnd"); ///< 0: it exits by itself
    QTest::newRow("that exits") << 0;
    QTest::newRow("that is killed") << SIGKILL;
  }
  void aChildEndsWithItsParent() {
    QFETCH(int, parentsEnd);
    // Its writing end is open in the child alone once the parent is gone, so that reading ends with the child.
    std::array<int, 2> pipe{};
    QCOMPARE(::pipe(pipe.data()), 0);
    const pid_t parent = ::fork();
    if (parent == 0) {
      ::close(pipe[0]);
      const pid_t self = ::getpid();
      if (::fork() == 0) {
        const char ready = base::endWithParent(SIGKILL, self) ? 'y' : 'n';
        if (::write(pipe[1], &ready, 1) != 1) {
          ::_exit(1);
        }
        ::sleep(60);
        ::_exit(0);
      }
      ::close(pipe[1]);
      ::sleep(parentsEnd == 0 ? 1 : 60);
      ::_exit(0);
    }
    ::close(pipe[1]);
    char ready = 0;
    QCOMPARE(::read(pipe[0], &ready, 1), 1);
    QCOMPARE(ready, 'y');
    QElapsedTimer timer;
    timer.start();
    if (parentsEnd != 0) {
      QCOMPARE(::kill(parent, parentsEnd), 0);
    }
    QCOMPARE(::read(pipe[0], &ready, 1), 0);
    QVERIFY(timer.elapsed() < 30'000);
    ::close(pipe[0]);
    QCOMPARE(::waitpid(parent, nullptr, 0), parent);
  }

  void aParentThatHasEndedIsNoticed() {
    const pid_t child = ::fork();
    if (child == 0) {
      // Not the parent's number.
      ::_exit(base::endWithParent(SIGKILL, ::getpid()) ? 1 : 0);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
  }
};

QTEST_GUILESS_MAIN(TestProcess)
#include "tst_process.moc"
