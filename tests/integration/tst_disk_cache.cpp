// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "jit/disk_entry.h"
#include "support/engine_fixture.h"
#include "support/result_checks.h"

#include <fstream>
#include <thread>

#include <sys/stat.h>

using namespace jitscope;
using event::Outcome;
using graph::DType;
using script::Argument;
using test::EngineFixture;

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entriesIn(const fs::path &folder) {
  std::vector<fs::path> paths;
  for (const auto &file : fs::recursive_directory_iterator(folder)) {
    if (file.is_regular_file()) {
      paths.push_back(file.path());
    }
  }
  return paths;
}

void flipByte(const fs::path &path, std::streamoff offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(offset);
  const char byte = static_cast<char>(file.get());
  file.seekp(offset);
  file.put(static_cast<char>(byte ^ 0x10));
}

} // namespace

class DiskCacheTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void init();
  void aSecondProcessIsServedFromDisk();
  void everyFlippedByteIsNoticed_data();
  void everyFlippedByteIsNoticed();
  void aTruncatedEntryIsNoticed();
  void codeOfAnotherTargetIsSaidToBe();
  void otherOptionsAreOtherEntries();
  void theFolderIsPrivate();
  void anUnusableFolderOnlyWarns();
  void whatTwoWriteIsWhole();
  void clearingLeavesOtherFilesAlone();
  void decodingSurvivesAnyPrefix();

private:
  /// One run in a fresh engine: the outcome and the events.
  event::CallEvent runOnce(EngineFixture &fixture) {
    const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
    const Argument input = fixture.tensor<float>(DType::F32, {100});
    const auto result = fixture.engine->call(function, std::array{input, input});
    if (!result || result->results[0].elements<float>()[99] != 10001.F) {
      QTest::qFail("the result is wrong", __FILE__, __LINE__);
      return {};
    }
    return result->event;
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  fs::path m_path;
};

void DiskCacheTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_path = fs::path(m_folder->path().toStdString()) / "objects";
}

void DiskCacheTest::aSecondProcessIsServedFromDisk() {
  {
    EngineFixture first({"disk_cache=true"}, m_path);
    QVERIFY(runOnce(first).outcome == Outcome::Miss);
  }
  QCOMPARE(entriesIn(m_path).size(), std::size_t{1});
  EngineFixture second({"disk_cache=true"}, m_path);
  QVERIFY(runOnce(second).outcome == Outcome::Disk);
  QVERIFY(second.sink.all<event::CompileEvent>().empty());
  const auto retrieval = second.sink.all<event::RetrievalEvent>().at(0);
  QVERIFY(retrieval.outcome == Outcome::Disk);
  QVERIFY(retrieval.loadNs > 0 && retrieval.codeBytes > 0);
  QVERIFY(runOnce(second).outcome == Outcome::Retrace);
  EngineFixture without({}, m_path);
  QVERIFY(runOnce(without).outcome == Outcome::Miss);
}

void DiskCacheTest::everyFlippedByteIsNoticed_data() {
  QTest::addColumn<int>("perMille");
  for (const int perMille : {0, 5, 20, 100, 250, 500, 750, 999}) {
    QTest::addRow("at %d per mille", perMille) << perMille;
  }
}

void DiskCacheTest::everyFlippedByteIsNoticed() {
  QFETCH(int, perMille);
  {
    EngineFixture first({"disk_cache=true"}, m_path);
    runOnce(first);
  }
  const fs::path entry = entriesIn(m_path).at(0);
  flipByte(entry, static_cast<std::streamoff>(fs::file_size(entry)) * perMille / 1000);
  EngineFixture second({"disk_cache=true"}, m_path);
  QVERIFY(runOnce(second).outcome == Outcome::Miss);
  const auto compile = second.sink.all<event::CompileEvent>().at(0);
  QVERIFY(compile.reason == event::MissReason::DiskCorrupt);
  QVERIFY2(compile.difference.find(entry.string()) != std::string::npos, compile.difference.c_str());
  // The recompiled code took its place.
  EngineFixture third({"disk_cache=true"}, m_path);
  QVERIFY(runOnce(third).outcome == Outcome::Disk);
}

void DiskCacheTest::aTruncatedEntryIsNoticed() {
  {
    EngineFixture first({"disk_cache=true"}, m_path);
    runOnce(first);
  }
  const fs::path entry = entriesIn(m_path).at(0);
  for (const std::uintmax_t size : {std::uintmax_t{0}, std::uintmax_t{10}, fs::file_size(entry) / 2}) {
    fs::resize_file(entry, size);
    EngineFixture second({"disk_cache=true"}, m_path);
    QVERIFY(runOnce(second).outcome == Outcome::Miss);
    QVERIFY(second.sink.all<event::CompileEvent>().at(0).reason == event::MissReason::DiskCorrupt);
  }
}

void DiskCacheTest::codeOfAnotherTargetIsSaidToBe() {
  const jit::DiskCache cache(m_path);
  const jit::DiskKey here{base::hashText("code"), "llvm: 19.1.7\ncpu: znver4\nfeatures: +avx2"};
  jit::DiskKey there = here;
  there.target = "llvm: 19.1.7\ncpu: x86-64\nfeatures: +avx2";
  JS_VERIFY_RESULT(cache.store(there, {"entry", {}}));
  const jit::DiskLookup lookup = cache.load(here);
  QVERIFY(!lookup.entry);
  QVERIFY(lookup.problem == jit::DiskProblem::OtherTarget);
  QCOMPARE(QString::fromStdString(lookup.detail), QStringLiteral("cpu: x86-64 -> znver4"));
  QVERIFY(cache.load({base::hashText("other code"), here.target}).problem == jit::DiskProblem::Absent);
  // Both can be kept side by side.
  JS_VERIFY_RESULT(cache.store(here, {"entry", {}}));
  QVERIFY(cache.load(here).entry.has_value());
  QVERIFY(cache.load(there).entry.has_value());
}

void DiskCacheTest::otherOptionsAreOtherEntries() {
  EngineFixture first({"disk_cache=true"}, m_path);
  runOnce(first);
  EngineFixture second({"disk_cache=true", "opt=1"}, m_path);
  QVERIFY(runOnce(second).outcome == Outcome::Miss);
  QCOMPARE(entriesIn(m_path).size(), std::size_t{2});
}

void DiskCacheTest::theFolderIsPrivate() {
  EngineFixture first({"disk_cache=true"}, m_path);
  runOnce(first);
  struct stat status{};
  QCOMPARE(::stat(m_path.c_str(), &status), 0);
  QCOMPARE(status.st_mode & 0777U, 0700U);
  QCOMPARE(::stat(entriesIn(m_path).at(0).c_str(), &status), 0);
  QCOMPARE(status.st_mode & 0777U, 0600U);
}

void DiskCacheTest::anUnusableFolderOnlyWarns() {
  EngineFixture fixture({"disk_cache=true"}, "/proc/jitscope-cannot-be-here");
  QVERIFY(runOnce(fixture).outcome == Outcome::Miss);
  const auto logs = fixture.sink.all<event::LogEvent>();
  QCOMPARE(logs.size(), std::size_t{1});
  QVERIFY(logs[0].level == event::LogLevel::Warning);
  QVERIFY(QString::fromStdString(logs[0].message).startsWith("the disk cache cannot use /proc/jitscope-cannot-be-here"));
}

void DiskCacheTest::whatTwoWriteIsWhole() {
  const jit::DiskCache cache(m_path);
  const jit::DiskKey key{base::hashText("code"), "target"};
  std::atomic<int> damaged{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 2; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i) {
          const bool stored = cache.store(key, {"entry", {}}).has_value();
          damaged += stored && cache.load(key).problem != jit::DiskProblem::Corrupt ? 0 : 1;
        }
      });
    }
  }
  QCOMPARE(damaged.load(), 0);
  QCOMPARE(entriesIn(m_path).size(), std::size_t{1});
}

void DiskCacheTest::clearingLeavesOtherFilesAlone() {
  EngineFixture fixture({"disk_cache=true"}, m_path);
  runOnce(fixture);
  std::ofstream(m_path / "notes.txt") << "mine";
  const jit::DiskCache cache(m_path);
  const auto before = cache.statistics();
  JS_VERIFY_RESULT(before);
  QCOMPARE(before->entries, std::uint64_t{1});
  QCOMPARE(before->foreignFiles, std::uint64_t{1});
  QVERIFY(before->bytes > 0);
  const auto removed = cache.clear();
  JS_VERIFY_RESULT(removed);
  QCOMPARE(removed->entries, std::uint64_t{1});
  QCOMPARE(removed->bytes, before->bytes);
  QVERIFY(fs::exists(m_path / "notes.txt"));
  QCOMPARE(cache.statistics()->entries, std::uint64_t{0});
}

void DiskCacheTest::decodingSurvivesAnyPrefix() {
  jit::DiskEntry entry{"entry", {}};
  const std::vector<std::byte> bytes = jit::encodeEntry("target", entry);
  QVERIFY(jit::decodeEntry(bytes).decoded.has_value());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    QVERIFY(!jit::decodeEntry(std::span(bytes).first(size)).decoded.has_value());
  }
}

QTEST_GUILESS_MAIN(DiskCacheTest)
#include "tst_disk_cache.moc"
