// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "jit/disk_entry.h"
#include "support/engine_fixture.h"
#include "support/outcome_texts.h"
#include "support/result_checks.h"

#include <algorithm>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace jitscope;
using event::Outcome;
using graph::DType;
using script::Argument;
using test::EngineFixture;
using test::spelled;

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entriesIn(const fs::path &folder) {
  std::vector<fs::path> paths;
  for (const auto &file : fs::recursive_directory_iterator(folder)) {
    if (file.is_regular_file() && file.path().extension() == ".jso") {
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

/// `x * y + 1`, as the function `name`.
auto multiplyAddOneAs(const std::string &name) {
  return [name](const graph::Template &tmpl) -> base::Result<std::shared_ptr<const graph::Graph>> {
    graph::GraphBuilder builder(name, 1, base::FunctionId(1), test::tensorTypes(tmpl));
    const auto product = builder.binary(graph::Op::Multiply, 0, 1);
    const auto sum = product ? builder.binary(graph::Op::Add, *product, builder.number(1.0)) : product;
    return sum ? builder.finish({*sum}) : std::unexpected(sum.error());
  };
}

jit::DiskKey sampleKey() {
  return {base::hashText("graph"),
          {{"pipeline", "deferred"}, {"opt", "3"}, {"fast_math", "on"}, {"cpu", "native"}},
          {{"llvm", "19.1.7"}, {"cpu", "x86-64"}, {"features", "+avx2,+sse2"}}};
}

/// Sets an option, or else a field of the target, which "target." says where both have it; adds an option that is in neither.
void setField(jit::DiskKey &key, std::string name, const std::string &value) {
  const bool isOfTarget = name.starts_with("target.");
  name = isOfTarget ? name.substr(std::string("target.").size()) : name;
  const auto option = std::ranges::find(key.options, name, &lower::KeyField::name);
  const auto target = std::ranges::find(key.target, name, &lower::KeyField::name);
  if (option != key.options.end() && !isOfTarget) {
    option->value = value;
  } else if (target != key.target.end()) {
    target->value = value;
  } else {
    key.options.push_back({name, value});
  }
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
  void whatDiffersFromTheNearestEntryIsNamed_data();
  void whatDiffersFromTheNearestEntryIsNamed();
  void filesThatAreNoEntriesAreNotCompared();
  void anEntryUnderAnothersNameIsNotLoaded();
  void aMissNamesTheOptionThatDiffersOnDisk_data();
  void aMissNamesTheOptionThatDiffersOnDisk();
  void aMissNamesTheOtherTemplatesOnDisk_data();
  void aMissNamesTheOtherTemplatesOnDisk();
  void damagedListsExplainNothing();
  void whatMemoryHadExplainsBeforeTheDisk();
  void otherOptionsAreOtherEntries();
  void theFolderIsPrivate();
  void anUnusableFolderOnlyWarns();
  void whatTwoWriteIsWhole();
  void clearingLeavesOtherFilesAlone();
  void decodingSurvivesAnyPrefix();
  void whatOthersCanHaveWrittenIsNotLoaded_data();
  void whatOthersCanHaveWrittenIsNotLoaded();
  void aFolderThatOthersDecideOnIsNotUsed();

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

void DiskCacheTest::whatDiffersFromTheNearestEntryIsNamed_data() {
  QTest::addColumn<QStringList>("known");
  QTest::addColumn<QString>("difference");
  QTest::addColumn<bool>("isOtherTarget");
  // "name=value" changes a field of the wanted key; one such list of them for each entry on disk, separated by spaces.
  const auto row = [](const char *name, const QStringList &known, const char *difference, bool isOtherTarget) {
    QTest::newRow(name) << known << difference << isOtherTarget;
  };
  row("an option", {"fast_math=off"}, "fast_math: off -> on", false);
  row("the pipeline", {"pipeline=separate"}, "pipeline: separate -> deferred", false);
  row("several options", {"opt=1 fast_math=off"}, "opt: 1 -> 3; fast_math: off -> on", false);
  row("the CPU", {"target.cpu=znver4"}, "cpu: znver4 -> x86-64", true);
  row("the version of LLVM", {"llvm=18.1.8"}, "llvm: 18.1.8 -> 19.1.7", true);
  row("features", {"features=+sse2,+sha,-avx2"}, "features: +avx2,-sha", true);
  row("features in another order", {"features=+sse2,+avx2"}, "features: listed otherwise", true);
  row("many features", {"features=+a,+b,+c,+d,+e,+f,+g,+h,+i"}, "features: +avx2,+sse2,-a,-b,-c,-d,-e,-f and 3 more", true);
  row("an option and the target", {"opt=1 llvm=18.1.8"}, "opt: 1 -> 3; llvm: 18.1.8 -> 19.1.7", true);
  row("the option for the CPU, which decides the features", {"cpu=haswell target.cpu=haswell features=+sse2"},
      "cpu: haswell -> native", false);
  row("the nearest of several", {"opt=1 fast_math=off", "opt=2", "opt=0 pipeline=separate"}, "opt: 2 -> 3", false);
  row("of equally near ones the same target", {"opt=2", "llvm=18.1.8"}, "opt: 2 -> 3", false);
  row("then the latest", {"opt=2", "opt=1"}, "opt: 1 -> 3", false);
  row("an option of another version", {"unroll=on"}, "unroll: on -> none", false);
}

void DiskCacheTest::whatDiffersFromTheNearestEntryIsNamed() {
  QFETCH(QStringList, known);
  QFETCH(QString, difference);
  QFETCH(bool, isOtherTarget);
  const jit::DiskCache cache(m_path);
  const jit::DiskKey wanted = sampleKey();
  timespec writtenAt{1'000'000'000, 0};
  for (const QString &changes : known) {
    jit::DiskKey key = wanted;
    for (const QString &change : changes.split(' ')) {
      setField(key, change.section('=', 0, 0).toStdString(), change.section('=', 1).toStdString());
    }
    JS_VERIFY_RESULT(cache.store(key, {"entry", {}}));
    // The last one that was written, by times that differ whatever the file system can tell apart.
    ++writtenAt.tv_sec;
    const std::array times{writtenAt, writtenAt};
    for (const fs::path &path : entriesIn(m_path)) {
      if (fs::last_write_time(path) > fs::file_time_type::clock::now() - std::chrono::hours(1)) {
        QCOMPARE(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
      }
    }
  }
  const jit::DiskLookup lookup = cache.load(wanted);
  QVERIFY(!lookup.entry);
  QCOMPARE(QString::fromStdString(lookup.detail), difference);
  QVERIFY(lookup.problem == (isOtherTarget ? jit::DiskProblem::OtherTarget : jit::DiskProblem::OtherOptions));
  jit::DiskKey otherGraph = wanted;
  otherGraph.graph = base::hashText("other graph");
  QVERIFY(cache.load(otherGraph).problem == jit::DiskProblem::Absent);
  // All can be kept side by side.
  JS_VERIFY_RESULT(cache.store(wanted, {"entry", {}}));
  QVERIFY(cache.load(wanted).entry.has_value());
  QCOMPARE(entriesIn(m_path).size(), static_cast<std::size_t>(known.size()) + 1);
}

void DiskCacheTest::filesThatAreNoEntriesAreNotCompared() {
  const jit::DiskCache cache(m_path);
  const jit::DiskKey wanted = sampleKey();
  jit::DiskKey known = wanted;
  setField(known, "opt", "1");
  JS_VERIFY_RESULT(cache.store(known, {"entry", {}}));
  const fs::path entry = entriesIn(m_path).at(0);
  const std::string graph = toHex(wanted.graph);
  // Of another graph under this one's name, empty, text, a link to an entry.
  jit::DiskKey foreign = sampleKey();
  foreign.graph = base::hashText("other graph");
  setField(foreign, "opt", "2");
  JS_VERIFY_RESULT(cache.store(foreign, {"entry", {}}));
  for (const fs::path &path : entriesIn(m_path)) {
    if (path != entry) {
      fs::rename(path, entry.parent_path() / (graph + "-0000000000000001.jso"));
    }
  }
  std::ofstream(entry.parent_path() / (graph + "-0000000000000002.jso"));
  std::ofstream(entry.parent_path() / (graph + "-0000000000000003.jso")) << std::string(100'000, 'x');
  QCOMPARE(QString::fromStdString(cache.load(wanted).detail), QStringLiteral("opt: 1 -> 3"));
  // A flipped byte of the key.
  flipByte(entry, 60);
  QVERIFY(cache.load(wanted).problem == jit::DiskProblem::Absent);
}

void DiskCacheTest::anEntryUnderAnothersNameIsNotLoaded() {
  const jit::DiskCache cache(m_path);
  const jit::DiskKey wanted = sampleKey();
  JS_VERIFY_RESULT(cache.store(wanted, {"entry", {}}));
  const fs::path path = entriesIn(m_path).at(0);
  jit::DiskKey foreign = wanted;
  setField(foreign, "opt", "1");
  JS_VERIFY_RESULT(cache.store(foreign, {"entry", {}}));
  for (const fs::path &other : entriesIn(m_path)) {
    if (other != path) {
      fs::rename(other, path);
    }
  }
  const jit::DiskLookup lookup = cache.load(wanted);
  QVERIFY(!lookup.entry);
  QVERIFY(lookup.problem == jit::DiskProblem::Corrupt);
  QCOMPARE(QString::fromStdString(lookup.detail), QString::fromStdString(path.string()) + ": its key does not match its file name");
}

void DiskCacheTest::aMissNamesTheOptionThatDiffersOnDisk_data() {
  QTest::addColumn<QString>("setting");
  QTest::addColumn<QString>("difference");
  QTest::newRow("pipeline") << "pipeline=separate" << "pipeline: deferred -> separate (disk)";
  QTest::newRow("opt") << "opt=1" << "opt: 3 -> 1 (disk)";
  QTest::newRow("slp") << "slp=false" << "slp: on -> off (disk)";
  QTest::newRow("loop_vectorize") << "loop_vectorize=false" << "loop_vectorize: on -> off (disk)";
  QTest::newRow("veclib") << "veclib=false" << "veclib: on -> off (disk)";
  QTest::newRow("fast_math") << "fast_math=true" << "fast_math: off -> on (disk)";
  QTest::newRow("cpu") << "cpu=x86-64" << "cpu: native -> x86-64 (disk)";
}

void DiskCacheTest::aMissNamesTheOptionThatDiffersOnDisk() {
  QFETCH(QString, setting);
  QFETCH(QString, difference);
  {
    EngineFixture first({"disk_cache=true"}, m_path);
    runOnce(first);
  }
  EngineFixture second({"disk_cache=true", setting.toStdString()}, m_path);
  QVERIFY2(second.error.empty(), second.error.c_str());
  QVERIFY(runOnce(second).outcome == Outcome::Miss);
  const auto compile = second.sink.all<event::CompileEvent>().at(0);
  QCOMPARE(spelled(compile.reason), QStringLiteral("options"));
  QCOMPARE(QString::fromStdString(compile.difference), difference);
  QVERIFY(compile.nearestTemplateId == compile.templateId);
}

void DiskCacheTest::aMissNamesTheOtherTemplatesOnDisk_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("setting");
  QTest::addColumn<int>("dtype");
  QTest::addColumn<QList<int>>("shape");
  QTest::addColumn<QString>("reason");
  QTest::addColumn<QString>("difference");
  const auto row = [](const char *title, const char *name, const char *setting, DType dtype, const QList<int> &shape,
                      const char *reason, const char *difference) {
    QTest::newRow(title) << name << setting << static_cast<int>(dtype) << shape << reason << difference;
  };
  // The disk has f for f32[100] and for f32[100,8].
  row("another size", "f", "opt=3", DType::F32, {64}, "new-shape", "arg 0 dim 0: 100 -> 64; arg 1 dim 0: 100 -> 64 (disk)");
  row("the nearest of two", "f", "opt=3", DType::F32, {100, 9}, "new-shape", "arg 0 dim 1: 8 -> 9; arg 1 dim 1: 8 -> 9 (disk)");
  row("another size and option", "f", "opt=1", DType::F32, {64}, "new-shape",
      "arg 0 dim 0: 100 -> 64; arg 1 dim 0: 100 -> 64; opt: 3 -> 1 (disk)");
  row("another dtype", "f", "opt=3", DType::F64, {100}, "new-dtype", "arg 0 dtype: f32 -> f64; arg 1 dtype: f32 -> f64 (disk)");
  row("another function", "g", "opt=3", DType::F32, {64}, "new-function", "");
  row("the same template of another function", "g", "opt=1", DType::F32, {100}, "options", "opt: 3 -> 1 (disk)");
}

void DiskCacheTest::aMissNamesTheOtherTemplatesOnDisk() {
  QFETCH(QString, name);
  QFETCH(QString, setting);
  QFETCH(int, dtype);
  QFETCH(QList<int>, shape);
  QFETCH(QString, reason);
  QFETCH(QString, difference);
  {
    EngineFixture first({"disk_cache=true"}, m_path);
    const base::FunctionId function = first.define("f", multiplyAddOneAs("f"));
    for (const graph::Shape &known : {graph::Shape{100}, graph::Shape{100, 8}}) {
      const Argument input = first.tensor<float>(DType::F32, known);
      JS_VERIFY_RESULT(first.engine->call(function, std::array{input, input}));
    }
  }
  EngineFixture second({"disk_cache=true", setting.toStdString()}, m_path);
  QVERIFY2(second.error.empty(), second.error.c_str());
  graph::Shape wanted;
  for (const int size : shape) {
    wanted.append(size);
  }
  const base::FunctionId function = second.define(name.toStdString(), multiplyAddOneAs(name.toStdString()));
  const auto element = static_cast<DType>(dtype);
  const Argument input = element == DType::F64 ? second.tensor<double>(element, wanted) : second.tensor<float>(element, wanted);
  JS_VERIFY_RESULT(second.engine->call(function, std::array{input, input}));
  const auto compile = second.sink.all<event::CompileEvent>().at(0);
  QCOMPARE(spelled(compile.reason), reason);
  QCOMPARE(QString::fromStdString(compile.difference), difference);
  QVERIFY(!compile.nearestTemplateId.isValid() || compile.nearestTemplateId == compile.templateId);
}

/// Lists are read with the same care as entries, and a bad one costs nothing but the explanation.
void DiskCacheTest::damagedListsExplainNothing() {
  const jit::DiskCache cache(m_path);
  const base::Hash128 function = base::hashText("f");
  const graph::Template tmpl{{graph::TensorType{DType::F32, {4, graph::kDynamic}, true}, graph::StaticValue{"\"relu\""}}};
  JS_VERIFY_RESULT(cache.store(sampleKey(), {"entry", {}, {function, tmpl}}));
  const std::vector<jit::DiskSummary> entries = cache.entriesOf(function);
  QCOMPARE(entries.size(), std::size_t{1});
  QVERIFY(entries[0].key == sampleKey() && entries[0].origin.function == function && entries[0].origin.tmpl == tmpl);
  QVERIFY(cache.entriesOf(base::hashText("g")).empty());
  const fs::path list = fs::path(m_path) / "functions" / (toHex(function) + ".list");
  QVERIFY(fs::exists(list));
  const std::string name = toHex(sampleKey().graph) + "-0000000000000000";
  std::ofstream(list, std::ios::app) << "\n\n../../../etc/passwd\n" << name << "\n" << std::string(5'000, 'a') << "\n\xff";
  QCOMPARE(cache.entriesOf(function).size(), std::size_t{1});
  // The list of one function does not speak for another.
  fs::copy_file(list, list.parent_path() / (toHex(base::hashText("g")) + ".list"));
  QVERIFY(cache.entriesOf(base::hashText("g")).empty());
  const auto statistics = cache.statistics();
  QVERIFY(statistics && statistics->entries == 1 && statistics->foreignFiles == 0);
  fs::permissions(list, fs::perms::others_write, fs::perm_options::add);
  QVERIFY(cache.entriesOf(function).empty());
  JS_VERIFY_RESULT(cache.clear());
  QVERIFY(!fs::exists(list));
}

void DiskCacheTest::whatMemoryHadExplainsBeforeTheDisk() {
  {
    EngineFixture first({"disk_cache=true", "opt=1"}, m_path);
    runOnce(first);
  }
  const fs::path optOne = entriesIn(m_path).at(0);
  EngineFixture second({"disk_cache=true", "capacity_entries=1"}, m_path);
  const base::FunctionId function = second.define("f", test::multiplyAddOne);
  for (const std::int64_t elements : {100, 8, 100}) {
    const Argument input = second.tensor<float>(DType::F32, {elements});
    JS_VERIFY_RESULT(second.engine->call(function, std::array{input, input}));
    for (const fs::path &path : entriesIn(m_path)) {
      if (path != optOne) {
        fs::remove(path);
      }
    }
  }
  QStringList reasons;
  for (const event::CompileEvent &compile : second.sink.all<event::CompileEvent>()) {
    reasons.push_back(spelled(compile.reason));
  }
  // The disk knows the first under other options, not the second, and the third only as memory did not have it before.
  QCOMPARE(reasons, (QStringList{"options", "new-shape", "evicted"}));
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
  const jit::DiskKey key = sampleKey();
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
  const std::vector<std::byte> bytes = jit::encodeEntry(sampleKey(), entry);
  QVERIFY(jit::decodeEntry(bytes).decoded.has_value());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    QVERIFY(!jit::decodeEntry(std::span(bytes).first(size)).decoded.has_value());
  }
}

void DiskCacheTest::whatOthersCanHaveWrittenIsNotLoaded_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("problem");
  QTest::newRow("a link") << "link" << "it is a link";
  QTest::newRow("a link as folder") << "folder link" << "its folder is not a folder, or is a link";
  QTest::newRow("a pipe") << "pipe" << "it is not a regular file";
  QTest::newRow("a file that others can write to") << "writable" << "others can write to it";
  QTest::newRow("another user's file") << "foreign" << "it belongs to another user";
  QTest::newRow("a hard link") << "hard link" << "it has a second name elsewhere (a hard link)";
  QTest::newRow("a huge file") << "huge" << "it is larger than 256 MiB";
  QTest::newRow("in a folder that others can write to") << "open folder" << "others can write to it";
}

void DiskCacheTest::whatOthersCanHaveWrittenIsNotLoaded() {
  QFETCH(QString, kind);
  QFETCH(QString, problem);
  const jit::DiskCache cache(m_path);
  JS_VERIFY_RESULT(cache.store(sampleKey(), {"entry", {}}));
  const fs::path entry = entriesIn(m_path).at(0);
  const fs::path aside = m_path.parent_path() / "aside";
  if (kind == "link") {
    fs::rename(entry, aside);
    fs::create_symlink(aside, entry);
  } else if (kind == "hard link") {
    fs::create_hard_link(entry, aside);
  } else if (kind == "folder link") {
    fs::rename(entry.parent_path(), aside);
    fs::create_directory_symlink(aside, entry.parent_path());
  } else if (kind == "pipe") {
    fs::remove(entry);
    QCOMPARE(::mkfifo(entry.c_str(), 0600), 0);
  } else if (kind == "writable") {
    fs::permissions(entry, fs::perms(0620));
  } else if (kind == "foreign") {
    if (::chown(entry.c_str(), 65534, 65534) != 0) {
      QSKIP("only root can give a file to somebody else");
    }
  } else if (kind == "huge") {
    fs::resize_file(entry, std::uintmax_t{257} * 1024 * 1024); // a hole
  } else {
    fs::permissions(m_path, fs::perms(0770));
  }
  const jit::DiskLookup lookup = cache.load(sampleKey());
  QVERIFY(!lookup.entry);
  QVERIFY(lookup.problem == jit::DiskProblem::Corrupt);
  QVERIFY2(QString::fromStdString(lookup.detail).endsWith(": " + problem), lookup.detail.c_str());
  if (kind == "folder link") {
    return; // nothing takes the place of a folder
  }
  // What is compiled instead takes its place, and what a link led to stays.
  JS_VERIFY_RESULT(cache.store(sampleKey(), {"entry", {}}));
  QVERIFY(cache.load(sampleKey()).entry.has_value());
  QVERIFY(kind != "link" || fs::exists(aside));
}

void DiskCacheTest::aFolderThatOthersDecideOnIsNotUsed() {
  const fs::path elsewhere = m_path.parent_path() / "elsewhere";
  fs::create_directory(elsewhere);
  std::ofstream(elsewhere / "a.jso") << "precious";
  fs::create_directory_symlink(elsewhere, m_path);
  const jit::DiskCache cache(m_path);
  const auto stored = cache.store(sampleKey(), {"entry", {}});
  JS_COMPARE_ERROR(stored, base::ErrorCode::StorageOpen);
  QVERIFY2(stored.error().message.find("it is a link") != std::string::npos, stored.error().message.c_str());
  QVERIFY(cache.load(sampleKey()).problem == jit::DiskProblem::Corrupt);
  JS_COMPARE_ERROR(cache.clear(), base::ErrorCode::StorageOpen);
  QCOMPARE(entriesIn(elsewhere).size(), std::size_t{1});
}

QTEST_GUILESS_MAIN(DiskCacheTest)
#include "tst_disk_cache.moc"
