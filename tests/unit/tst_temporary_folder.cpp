// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/result_checks.h"

#include "base/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace jitscope;
using base::TemporaryFolder;
namespace fs = std::filesystem;

/// Every test has a place for temporary files of its own.
class TestTemporaryFolder : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    m_place.emplace();
    QVERIFY(m_place->isValid());
    qputenv("TMPDIR", m_place->path().toUtf8());
  }

  void itGoesWithItsContent() {
    fs::path path;
    {
      const auto folder = TemporaryFolder::create();
      JS_VERIFY_RESULT(folder);
      path = folder->path();
      QCOMPARE(QString::fromStdString(path.parent_path().string()), m_place->path());
      QVERIFY(fs::status(path).permissions() == fs::perms::owner_all);
      fs::create_directory(path / "below");
      std::ofstream(path / "below" / "file") << "content";
      QVERIFY(fs::exists(path / "below" / "file"));
    }
    QCOMPARE(entries(), QStringList());
  }

  void itMoves() {
    auto first = TemporaryFolder::create();
    auto second = TemporaryFolder::create();
    JS_VERIFY_RESULT(first);
    JS_VERIFY_RESULT(second);
    const fs::path path = first->path();
    TemporaryFolder owner(*std::move(first));
    QVERIFY(owner.path() == path);
    {
      const TemporaryFolder other = std::exchange(owner, *std::move(second));
      QVERIFY(other.path() == path);
    }
    QVERIFY(!fs::exists(path));
    QVERIFY(fs::exists(owner.path()));
    owner = TemporaryFolder();
    QCOMPARE(entries(), QStringList());
    QCOMPARE(owner.lockDescriptor(), -1);
  }

  void onlyWhatNobodyHasIsAbandoned() {
    const auto used = TemporaryFolder::create();
    JS_VERIFY_RESULT(used);
    make("jitscope-work-AAAAAA/below");
    make("jitscope-work-too-long"); // not a name that is given
    make("another");
    std::ofstream(m_place->filePath("jitscope-work-BBBBBB").toStdString()) << "a file";
    fs::create_directory_symlink(m_place->filePath("another").toStdString(),
                                 m_place->filePath("jitscope-work-CCCCCC").toStdString());
    QCOMPARE(TemporaryFolder::removeAbandoned(), std::size_t{1});
    QStringList expected{QString::fromStdString(used->path().filename().string()), "jitscope-work-too-long", "another",
                         "jitscope-work-BBBBBB", "jitscope-work-CCCCCC"};
    expected.sort();
    QCOMPARE(entries(), expected);
    QCOMPARE(TemporaryFolder::removeAbandoned(), std::size_t{0});
  }

  void nobodyElseCanEnterOrForesee() {
    const mode_t before = ::umask(0);
    const auto first = TemporaryFolder::create();
    const auto second = TemporaryFolder::create();
    ::umask(before);
    JS_VERIFY_RESULT(first);
    JS_VERIFY_RESULT(second);
    QVERIFY(fs::status(first->path()).permissions() == fs::perms::owner_all);
    QVERIFY(first->path() != second->path());
  }

  void linksAreRemovedAndNotFollowed() {
    make("outside");
    std::ofstream(m_place->filePath("outside/file").toStdString()) << "content";
    const fs::path outside = m_place->filePath("outside").toStdString();
    {
      const auto folder = TemporaryFolder::create();
      JS_VERIFY_RESULT(folder);
      fs::create_directory_symlink(outside, folder->path() / "link");
      fs::create_symlink(outside / "file", folder->path() / "file");
    }
    make("jitscope-work-DDDDDD");
    fs::create_directory_symlink(outside, m_place->filePath("jitscope-work-DDDDDD/link").toStdString());
    QCOMPARE(TemporaryFolder::removeAbandoned(), std::size_t{1});
    QCOMPARE(entries(), QStringList{"outside"});
    QVERIFY(fs::exists(outside / "file"));
  }

  void foldersOfOthersStay() {
    make("jitscope-work-EEEEEE");
    if (::chown(m_place->filePath("jitscope-work-EEEEEE").toUtf8().constData(), 65534, 65534) != 0) {
      QSKIP("only root can give a folder to somebody else");
    }
    QCOMPARE(TemporaryFolder::removeAbandoned(), std::size_t{0});
    QCOMPARE(entries(), QStringList{"jitscope-work-EEEEEE"});
  }

  void whoHasTheDescriptorHasTheFolder() {
    // As after the owner was killed while a child of it still works: the copy stands for the child's.
    int copy = -1;
    fs::path name;
    fs::path aside;
    {
      const auto folder = TemporaryFolder::create();
      JS_VERIFY_RESULT(folder);
      QVERIFY((::fcntl(folder->lockDescriptor(), F_GETFD) & FD_CLOEXEC) != 0);
      copy = ::dup(folder->lockDescriptor());
      name = folder->path();
      aside = name.string() + "-aside";
      fs::rename(name, aside); // not to be removed by the owner, which is not killed here
    }
    fs::rename(aside, name);
    QCOMPARE(TemporaryFolder::removeAbandoned(), std::size_t{0});
    ::close(copy);
    QCOMPARE(TemporaryFolder::removeAbandoned(), std::size_t{1});
    QCOMPARE(entries(), QStringList());
  }

  void aPlaceThatCannotBeUsedIsNamed() {
    qputenv("TMPDIR", "/proc");
    const auto folder = TemporaryFolder::create();
    JS_COMPARE_ERROR(folder, base::ErrorCode::StorageOpen);
    QVERIFY(QString::fromStdString(folder.error().message).startsWith("no temporary folder /proc/jitscope-work-"));
    QVERIFY(QString::fromStdString(folder.error().message).contains("TMPDIR"));
  }

private:
  void make(const QString &name) const { QVERIFY(QDir(m_place->path()).mkpath(name)); }
  [[nodiscard]] QStringList entries() const {
    QStringList names = QDir(m_place->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    names.sort();
    return names;
  }

  std::optional<QTemporaryDir> m_place;
};

QTEST_GUILESS_MAIN(TestTemporaryFolder)
#include "tst_temporary_folder.moc"
