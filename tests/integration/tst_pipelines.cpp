// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "base/clock.h"
#include "graph/builder/builder.h"
#include "graph/text.h"
#include "pipeline/pipeline.h"
#include "runtime/dispatch/compiler.h"
#include "runtime/memory/tensor_pool.h"
#include "support/code/lower_samples.h"
#include "support/scripts/chain_graph.h"
#include "support/scripts/random_graphs.h"
#include "support/scripts/reference_evaluator.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

using namespace jitscope;
using test::chainGraph;
using testing::RandomFunction;
using testing::ReferenceArray;

namespace {

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

graph::Tensor tensorOf(runtime::TensorPool &pool, const ReferenceArray &array) {
  graph::Tensor tensor = *pool.allocate(array.dtype, array.shape);
  const std::size_t bytes = graph::byteSize(array.dtype);
  for (std::size_t i = 0; i < array.bits.size(); ++i) {
    std::memcpy(tensor.buffer->data() + i * bytes, &array.bits[i], bytes);
  }
  return tensor;
}

ReferenceArray arrayOf(const graph::Tensor &tensor) {
  ReferenceArray array{tensor.dtype, tensor.shape, {}};
  const std::size_t bytes = graph::byteSize(tensor.dtype);
  for (std::int64_t i = 0; i < tensor.shape.elementCount(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, tensor.buffer->data() + static_cast<std::size_t>(i) * bytes, bytes);
    array.bits.push_back(bits);
  }
  return array;
}

} // namespace

/// What holds for every pipeline, whatever it is given.
class TestPipelines : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void init();
  void randomGraphsGiveTheReferencesResults_data();
  void randomGraphsGiveTheReferencesResults();
  void passesAddUpToTheOptimizePhase_data() { everyPipeline(); }
  void passesAddUpToTheOptimizePhase();
  void theTextOfEachFunctionIsKeptAtEachStage_data();
  void theTextOfEachFunctionIsKeptAtEachStage();
  void textAfterPassesDiffersFromPassToPass();
  void nothingIsWrittenDownUnlessAsked_data() { everyPipeline(); }
  void nothingIsWrittenDownUnlessAsked();
  void perFunctionRepeatsWorkAndDeferredDoesNot();
  void finishedFunctionsAreReused_data();
  void finishedFunctionsAreReused();
  void aPassOverAModuleNamesWhatItChanged();
  void keptWorkBringsItsCalleesAlong();
  void forgottenWorkIsDoneAgain();
  void remarksAreThoseAskedFor();
  void optionsActOnEveryPipeline_data() { everyPipeline(); }
  void optionsActOnEveryPipeline();

private:
  static void everyPipeline();
  base::Result<runtime::Compiled> compile(const std::shared_ptr<const graph::Graph> &graph, const QString &pipeline,
                                          const pipeline::Observation &observation = {}, bool mayReuse = false);
  std::vector<ReferenceArray> run(const runtime::Compiled &compiled, const std::vector<ReferenceArray> &inputs);

  std::unique_ptr<base::Clock> m_clock = base::makeClock(base::ClockEpoch::now());
  std::unique_ptr<runtime::Compiler> m_compiler;
  runtime::TensorPool m_pool;
};

void TestPipelines::init() { m_compiler = *runtime::Compiler::create(*m_clock, {}); }

void TestPipelines::everyPipeline() {
  QTest::addColumn<QString>("pipeline");
  for (const std::string_view name : pipeline::pipelineNames()) {
    QTest::addRow("%s", std::string(name).c_str()) << text(name);
  }
}

base::Result<runtime::Compiled> TestPipelines::compile(const std::shared_ptr<const graph::Graph> &graph, const QString &pipeline,
                                                       const pipeline::Observation &observation, bool mayReuse) {
  runtime::Compiler::Request request{graph, {}, nullptr, mayReuse, observation};
  request.options.pipeline = pipeline.toStdString();
  request.options.veclib = false; // so that results are exact
  return m_compiler->compile(request);
}

std::vector<ReferenceArray> TestPipelines::run(const runtime::Compiled &compiled, const std::vector<ReferenceArray> &inputs) {
  std::vector<graph::Tensor> tensors;
  for (const ReferenceArray &input : inputs) {
    tensors.push_back(tensorOf(m_pool, input));
  }
  std::vector<const graph::Tensor *> pointers;
  for (const graph::Tensor &tensor : tensors) {
    pointers.push_back(&tensor);
  }
  std::vector<ReferenceArray> results;
  const std::vector<graph::Tensor> outputs = *compiled.executable->run(pointers, m_pool);
  for (const graph::Tensor &result : outputs) {
    results.push_back(arrayOf(result));
  }
  return results;
}

void TestPipelines::randomGraphsGiveTheReferencesResults_data() {
  QTest::addColumn<QString>("pipeline");
  QTest::addColumn<int>("first");
  for (const std::string_view name : pipeline::pipelineNames()) {
    for (int first = 0; first < 60; first += 20) {
      QTest::addRow("%s, from %d", std::string(name).c_str(), first) << text(name) << first;
    }
  }
}

void TestPipelines::randomGraphsGiveTheReferencesResults() {
  QFETCH(QString, pipeline);
  QFETCH(int, first);
  for (int seed = first; seed < first + 20; ++seed) {
    const RandomFunction function = testing::randomFunction(static_cast<std::uint64_t>(seed));
    const std::vector<ReferenceArray> inputs = testing::randomArrays(function.parameters, static_cast<std::uint64_t>(seed));
    const auto graph = testing::build(function, function.parameters);
    QVERIFY2(graph.has_value(), graph ? "" : describe(graph.error()).c_str());
    if (toText(**graph).find(" dot ") != std::string::npos) {
      continue; // BLAS adds in an order of its own
    }
    const base::Result<runtime::Compiled> compiled = compile(*graph, pipeline);
    QVERIFY2(compiled.has_value(), compiled ? "" : describe(compiled.error()).c_str());
    const std::string difference = testing::firstDifference(run(*compiled, inputs), testing::evaluate(**graph, inputs));
    QVERIFY2(difference.empty(), qPrintable(QString("seed %1: ").arg(seed) + text(difference + "\n" + toText(**graph))));
  }
}

void TestPipelines::passesAddUpToTheOptimizePhase() {
  QFETCH(QString, pipeline);
  const base::Result<runtime::Compiled> compiled = compile(chainGraph(4), pipeline);
  QVERIFY(compiled.has_value());
  std::uint64_t sumNs = 0;
  std::set<std::uint32_t> seqs;
  for (const event::PassRun &pass : compiled->trace.passes) {
    sumNs += pass.durationNs;
    QVERIFY(seqs.insert(pass.seq).second);
    QVERIFY(!pass.name.empty() && pass.stage != event::Stage::None);
  }
  QCOMPARE(sumNs, compiled->optimizeNs);
  QVERIFY(seqs.size() > 20);
}

void TestPipelines::theTextOfEachFunctionIsKeptAtEachStage_data() {
  QTest::addColumn<QString>("pipeline");
  QTest::addColumn<QStringList>("ofTheRoot");
  QTest::addColumn<QStringList>("ofTheCallee");
  QTest::addRow("per-function") << "per-function" << QStringList{"before", "function", "cheap", "module", "final"}
                                << QStringList{"before", "function", "cheap", "module", "final"};
  // The callee is inlined and gone when the whole is optimized.
  QTest::addRow("deferred") << "deferred" << QStringList{"before", "function", "module", "final"}
                            << QStringList{"before", "function"};
  QTest::addRow("pre-link") << "pre-link" << QStringList{"before", "pre-link", "post-link", "final"}
                            << QStringList{"before", "pre-link"};
  QTest::addRow("separate") << "separate" << QStringList{"before", "module", "final"} << QStringList{"before", "module", "final"};
}

void TestPipelines::theTextOfEachFunctionIsKeptAtEachStage() {
  QFETCH(QString, pipeline);
  QFETCH(QStringList, ofTheRoot);
  QFETCH(QStringList, ofTheCallee);
  const base::Result<runtime::Compiled> compiled = compile(chainGraph(2), pipeline);
  QVERIFY(compiled.has_value());
  std::map<std::uint32_t, QStringList> stages;
  for (const event::IrSnapshot &snapshot : compiled->trace.snapshots) {
    stages[snapshot.functionId.value].append(QString::fromStdString(std::string(nameOf(snapshot.stage))));
    const std::string name = "@link" + std::to_string(snapshot.functionId.value) + "_";
    QVERIFY2(snapshot.text.find("define") != std::string::npos && snapshot.text.find(name) != std::string::npos,
             snapshot.text.c_str());
    QVERIFY(snapshot.text.find("; line ") != std::string::npos);
  }
  QCOMPARE(stages[2], ofTheRoot);
  QCOMPARE(stages[1], ofTheCallee);
}

void TestPipelines::textAfterPassesDiffersFromPassToPass() {
  pipeline::Observation observation;
  observation.ir = pipeline::IrDetail::Passes;
  const base::Result<runtime::Compiled> compiled = compile(chainGraph(2), "per-function", observation);
  QVERIFY(compiled.has_value());
  std::map<base::FunctionId, std::string> last;
  std::size_t afterPasses = 0;
  for (const event::IrSnapshot &snapshot : compiled->trace.snapshots) {
    if (snapshot.passSeq != 0) {
      ++afterPasses;
      QVERIFY(last[snapshot.functionId] != snapshot.text);
    }
    last[snapshot.functionId] = snapshot.text;
  }
  QVERIFY(afterPasses > 3);
}

void TestPipelines::nothingIsWrittenDownUnlessAsked() {
  QFETCH(QString, pipeline);
  const base::Result<runtime::Compiled> compiled = compile(chainGraph(3), pipeline, pipeline::Observation::none());
  QVERIFY(compiled.has_value());
  QVERIFY(compiled->trace.passes.empty());
  QVERIFY(compiled->trace.remarks.empty());
  QVERIFY(compiled->trace.snapshots.empty());
  QVERIFY(compiled->trace.work.empty());
  QVERIFY(compiled->optimizeNs > 0);
}

void TestPipelines::perFunctionRepeatsWorkAndDeferredDoesNot() {
  // Callees that are too large to be inlined into each caller survive as copies.
  const base::Result<runtime::Compiled> perFunction = compile(chainGraph(12), "per-function");
  const base::Result<runtime::Compiled> deferred = compile(chainGraph(12), "deferred");
  QVERIFY(perFunction.has_value() && deferred.has_value());
  QCOMPARE(perFunction->trace.work.size(), std::size_t{12});
  QCOMPARE(perFunction->emittedObjects, std::uint64_t{13}); // one for each function, one for the entry wrapper
  QCOMPARE(deferred->emittedObjects, std::uint64_t{1});
  for (const event::FunctionWork &work : deferred->trace.work) {
    QVERIFY(work.linked <= 1);
    QCOMPARE(work.repeatOptimizeNs, std::uint64_t{0});
    QCOMPARE(work.repeatCodeBytes, std::uint64_t{0});
  }
  for (const event::FunctionWork &work : perFunction->trace.work) {
    const bool isRoot = work.functionId == base::FunctionId(12);
    QVERIFY(isRoot ? work.linked == 0 : work.linked >= 1);
    QVERIFY(isRoot ? work.optimized == 1 : work.optimized >= 2);
    QVERIFY(work.emitted >= 1);
    QVERIFY(work.codeBytes > 0);
  }
}

void TestPipelines::finishedFunctionsAreReused_data() {
  QTest::addColumn<QString>("pipeline");
  QTest::addColumn<std::uint32_t>("reused");
  QTest::addRow("per-function") << "per-function" << 1U;
  QTest::addRow("pre-link") << "pre-link" << 1U;
  QTest::addRow("deferred") << "deferred" << 0U;
  QTest::addRow("separate") << "separate" << 0U;
}

void TestPipelines::finishedFunctionsAreReused() {
  QFETCH(QString, pipeline);
  QFETCH(std::uint32_t, reused);
  QVERIFY(compile(chainGraph(5), pipeline, {}, /*mayReuse=*/true).has_value());
  const std::shared_ptr<const graph::Graph> longer = chainGraph(6);
  const base::Result<runtime::Compiled> compiled = compile(longer, pipeline, {}, /*mayReuse=*/true);
  QVERIFY(compiled.has_value());
  for (const event::FunctionWork &work : compiled->trace.work) {
    QCOMPARE(work.reused, work.functionId == base::FunctionId(6) ? 0U : reused);
  }
  const std::vector<ReferenceArray> inputs =
      testing::randomArrays(std::vector<graph::TensorType>{{graph::DType::F64, graph::Shape{9}, false}}, 1);
  const std::string difference = testing::firstDifference(run(*compiled, inputs), testing::evaluate(*longer, inputs));
  QVERIFY2(difference.empty(), difference.c_str());
}

void TestPipelines::aPassOverAModuleNamesWhatItChanged() {
  pipeline::Observation observation;
  observation.fingerprints = true;
  const base::Result<runtime::Compiled> compiled = compile(chainGraph(3), "deferred", observation);
  QVERIFY(compiled.has_value());
  std::vector<const event::PassRun *> inlining;
  std::map<std::uint32_t, std::uint64_t> before;
  for (const event::PassRun &run : compiled->trace.passes) {
    if (run.name == "module-inline") {
      inlining.push_back(&run);
    } else if (inlining.empty() && run.fingerprint != 0) {
      before[run.functionId.value] = run.fingerprint;
    }
  }
  // The functions that called are changed, the first one calls nobody; those that were inlined everywhere are gone.
  QCOMPARE(inlining.size(), std::size_t{2});
  QVERIFY(!inlining[0]->functionId.isValid() && inlining[0]->changed && inlining[0]->durationNs > 0);
  QCOMPARE(inlining[1]->functionId, base::FunctionId(3));
  QVERIFY(inlining[1]->changed && inlining[1]->durationNs == 0 && inlining[1]->seq == inlining[0]->seq);
  QVERIFY(inlining[1]->fingerprint != 0 && inlining[1]->fingerprint != before.at(3));
}

void TestPipelines::keptWorkBringsItsCalleesAlong() {
  QVERIFY(compile(chainGraph(3), "pre-link", {}, /*mayReuse=*/true).has_value());
  const base::Result<runtime::Compiled> compiled = compile(chainGraph(4), "pre-link", {}, /*mayReuse=*/true);
  QVERIFY(compiled.has_value());
  // The third function is lent to the fourth with the first two inlined, so that nobody asks for those any more.
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> reusedAndLinked;
  for (const event::FunctionWork &work : compiled->trace.work) {
    reusedAndLinked[work.functionId.value] = {work.reused, work.linked};
  }
  const std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> expected{{3, {1, 1}}, {4, {0, 0}}};
  QVERIFY(reusedAndLinked == expected);
  QCOMPARE(compiled->emittedObjects, std::uint64_t{1});
}

void TestPipelines::forgottenWorkIsDoneAgain() {
  QVERIFY(compile(chainGraph(3), "pre-link", {}, /*mayReuse=*/true).has_value());
  m_compiler->forgetKeptWork();
  const base::Result<runtime::Compiled> compiled = compile(chainGraph(4), "pre-link", {}, /*mayReuse=*/true);
  QVERIFY(compiled.has_value());
  for (const event::FunctionWork &work : compiled->trace.work) {
    QCOMPARE(work.reused, 0U);
  }
}

void TestPipelines::remarksAreThoseAskedFor() {
  pipeline::Observation observation;
  observation.remarkPasses = {"inline"};
  const base::Result<runtime::Compiled> compiled = compile(chainGraph(3), "deferred", observation);
  QVERIFY(compiled.has_value());
  QVERIFY(!compiled->trace.remarks.empty());
  for (const event::Remark &remark : compiled->trace.remarks) {
    QCOMPARE(text(remark.pass), QString("inline"));
    QVERIFY(remark.functionId.isValid());
    QVERIFY(remark.line > 0);
    QVERIFY(remark.passSeq > 0);
    QVERIFY(remark.args.starts_with('['));
  }
}

void TestPipelines::optionsActOnEveryPipeline() {
  QFETCH(QString, pipeline);
  const graph::TensorType type{graph::DType::F64, graph::Shape{1000}, false};
  graph::GraphBuilder builder("scaled", 1, base::FunctionId(1), {type});
  const graph::NodeIndex product = *builder.binary(graph::Op::Multiply, 0, builder.number(3.0));
  const std::shared_ptr<const graph::Graph> graph = *builder.finish({product});
  const std::vector<ReferenceArray> inputs = testing::randomArrays(std::vector<graph::TensorType>{type}, 1);
  const auto made = [&](const auto &change) {
    runtime::Compiler::Request request{graph, {}, nullptr, /*mayReuse=*/false, {}};
    request.options.pipeline = pipeline.toStdString();
    change(request.options);
    return *m_compiler->compile(request);
  };
  const auto vectorized = [](const runtime::Compiled &compiled) {
    return std::ranges::count_if(compiled.trace.remarks, [](const event::Remark &remark) { return remark.name == "Vectorized"; });
  };
  const runtime::Compiled usual = made([](lower::CompileOptions & /*options*/) {});
  const runtime::Compiled scalar = made([](lower::CompileOptions &options) { options.loopVectorize = false; });
  const runtime::Compiled plain = made([](lower::CompileOptions &options) { options.opt = 0; });
  QCOMPARE(vectorized(usual), 1);
  QCOMPARE(vectorized(scalar), 0);
  QCOMPARE(vectorized(plain), 0);
  QVERIFY(plain.trace.passes.size() < usual.trace.passes.size());
  for (const runtime::Compiled *compiled : {&usual, &scalar, &plain}) {
    const std::string difference = testing::firstDifference(run(*compiled, inputs), testing::evaluate(*graph, inputs));
    QVERIFY2(difference.empty(), difference.c_str());
  }
}

QTEST_GUILESS_MAIN(TestPipelines)
#include "tst_pipelines.moc"
