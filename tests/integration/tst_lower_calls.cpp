// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "lower/symbols.h"
#include "support/code/lower_test.h"

namespace {

/// A function of two scalars with two results, as the one of the Numba post.
GraphPointer innerFunction() {
  return graphOf(
      {typeOf(DType::F64, {}), typeOf(DType::F64, {})},
      [](GraphBuilder &b) {
        const NodeIndex ratio = b.binary(Op::Divide, 0, 1).value();
        return std::vector{b.unary(Op::Sqrt, ratio).value(), b.binary(Op::Less, ratio, 1).value()};
      },
      "inner");
}

/// Fails where linked code and separate objects differ from the reference.
QString checkBothWays(const GraphPointer &graph, const std::vector<ReferenceArray> &inputs) {
  for (const bool linksFunctions : {true, false}) {
    HarnessOptions options;
    options.linksFunctions = linksFunctions;
    options.lower.compile.veclib = false;
    if (const std::string difference = checkAgainstReference(graph, inputs, options); !difference.empty()) {
      return (linksFunctions ? "linked: " : "separate: ") + text(difference);
    }
  }
  return {};
}

} // namespace

class TestLowerCalls : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void callsOfScalarsReturnByValue() {
    const GraphPointer inner = innerFunction();
    const auto graph = graphOf({typeOf(DType::F64, {}), typeOf(DType::F64, {})}, [&](GraphBuilder &b) {
      const auto results = b.call(inner, std::vector<NodeIndex>{0, 1}).value();
      return std::vector{b.binary(Op::Add, results[0], 0).value(), results[1]};
    });
    QCOMPARE(checkBothWays(graph, testing::randomArrays(graph->parameterTypes(), 1)), QString());
  }

  void mapCallsForEachElement_data() {
    QTest::addColumn<int>("size");
    for (const int size : {0, 1, 7, 64, 1000}) {
      QTest::newRow(qPrintable(QString::number(size))) << size;
    }
  }
  void mapCallsForEachElement() {
    QFETCH(int, size);
    const GraphPointer inner = innerFunction();
    const std::vector<graph::TensorType> types{typeOf(DType::F64, {2, size}), typeOf(DType::F64, {size})};
    const testing::Body body = [&](GraphBuilder &b) {
      const auto results = b.map(inner, std::vector<NodeIndex>{b.unary(Op::Abs, 0).value(), 1}).value();
      const NodeIndex chosen = b.select(results[1], results[0], 0).value();
      return std::vector{results[0], chosen, b.reduce(Op::ReduceSum, chosen, std::vector<std::int64_t>{0}).value()};
    };
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 2);
    QCOMPARE(checkBothWays(graphOf(types, body), inputs), QString());
    QCOMPARE(checkBothWays(graphOf(testing::dynamicTypes(types), body), inputs), QString());
  }

  void resultsOfOneMapMayBeUsedApart() {
    const GraphPointer inner = innerFunction();
    const std::vector<graph::TensorType> types{typeOf(DType::F64, {4, 5}), typeOf(DType::F64, {4, 5})};
    const auto graph = graphOf(types, [&](GraphBuilder &b) {
      const auto results = b.map(inner, std::vector<NodeIndex>{0, 1}).value();
      const NodeIndex turned = b.transpose(results[0], {}).value();
      const NodeIndex total = b.reduce(Op::ReduceSum, results[1], {}).value();
      return std::vector{turned, total};
    });
    QCOMPARE(checkBothWays(graph, testing::randomArrays(types, 3)), QString());
  }

  void callsOfArraysPassMemory_data() {
    QTest::addColumn<bool>("isDynamic");
    QTest::newRow("sizes known") << false;
    QTest::newRow("sizes open") << true;
  }
  void callsOfArraysPassMemory() {
    QFETCH(bool, isDynamic);
    const auto types = [&](std::vector<graph::TensorType> list) { return isDynamic ? testing::dynamicTypes(list) : list; };
    // Large enough for scratch memory, with intermediate results of its own, a scalar among the results, and one that nobody reads.
    const GraphPointer inner = graphOf(
        types({typeOf(DType::F32, {30, 40}), typeOf(DType::F32, {40})}),
        [](GraphBuilder &b) {
          const NodeIndex sum = b.binary(Op::Add, 0, 1).value();
          const NodeIndex turned = b.transpose(sum, {}).value();
          const NodeIndex product = b.dot(turned, sum).value();
          return std::vector{product, b.reduce(Op::ReduceMax, sum, {}).value(), turned, NodeIndex{1}};
        },
        "inner");
    const GraphPointer middle = graphOf(
        types({typeOf(DType::F32, {40, 30}), typeOf(DType::F32, {40})}),
        [&](GraphBuilder &b) {
          const NodeIndex turned = b.transpose(0, {}).value();
          const auto first = b.call(inner, std::vector<NodeIndex>{turned, 1}).value();
          const NodeIndex scaled = b.binary(Op::Multiply, turned, first[1]).value();
          const auto second = b.call(inner, std::vector<NodeIndex>{scaled, first[3]}).value();
          return std::vector{b.binary(Op::Subtract, first[0], second[0]).value(), second[3], second[1]};
        },
        "middle");
    const std::vector<graph::TensorType> rootTypes{typeOf(DType::F32, {40, 30}), typeOf(DType::F32, {1, 40})};
    const GraphPointer root = graphOf(types(rootTypes), [&](GraphBuilder &b) {
      const NodeIndex flat = b.reshape(1, {-1}).value();
      const auto results = b.call(middle, std::vector<NodeIndex>{0, flat}).value();
      return std::vector{b.unary(Op::Negate, results[0]).value(), b.reshape(results[1], {-1, 1}).value(), results[2]};
    });
    HarnessOptions options;
    options.lower.smallDot = 1 << 30;
    const std::vector<ReferenceArray> inputs = testing::randomArrays(rootTypes, 4);
    QCOMPARE(text(checkAgainstReference(root, inputs, options)), QString());
    options.linksFunctions = false;
    QCOMPARE(text(checkAgainstReference(root, inputs, options)), QString());
  }

  void chainsOfCallsAgreeWithTheReference() {
    GraphPointer current = graphOf({typeOf(DType::F64, {9})}, [](GraphBuilder &b) {
      const NodeIndex scaled = b.binary(Op::Multiply, 0, b.number(1.5)).value();
      return std::vector{b.binary(Op::Add, scaled, b.number(0.5)).value()};
    });
    for (int i = 0; i < 20; ++i) {
      const GraphPointer before = current;
      current = graphOf({typeOf(DType::F64, {9})}, [&](GraphBuilder &b) {
        const auto results = b.call(before, std::vector<NodeIndex>{b.reshape(0, {9}).value()}).value();
        return std::vector{b.reshape(b.reshape(results[0], {3, 3}).value(), {9}).value()};
      });
    }
    QCOMPARE(checkBothWays(current, testing::randomArrays(current->parameterTypes(), 5)), QString());
  }

  void mappedFunctionsMayWorkOnArrays() {
    // A scalar function that sums a little array; the array is memory, since dot wants it.
    const GraphPointer inner = graphOf({typeOf(DType::F64, {})}, [](GraphBuilder &b) {
      const NodeIndex steps = b.iota({400}, DType::F64).value();
      const NodeIndex scaled = b.binary(Op::Multiply, steps, 0).value();
      return std::vector{b.dot(scaled, b.binary(Op::Add, scaled, 0).value()).value()};
    });
    HarnessOptions options;
    options.lower.smallDot = 1 << 30;
    const std::vector<graph::TensorType> types{typeOf(DType::F64, {13})};
    const auto graph = graphOf(types, [&](GraphBuilder &b) { return b.map(inner, std::vector<NodeIndex>{0}).value(); });
    QCOMPARE(text(checkAgainstReference(graph, testing::randomArrays(types, 6), options)), QString());
  }

  void capturesFollowTheParameters() {
    class Owned : public graph::Buffer {
    public:
      explicit Owned(std::size_t bytes) : Owned(std::make_unique<std::byte[]>(bytes), bytes) {}

    private:
      Owned(std::unique_ptr<std::byte[]> memory, std::size_t bytes) : Buffer(memory.get(), bytes), m_memory(std::move(memory)) {}
      std::unique_ptr<std::byte[]> m_memory;
    };
    const graph::Tensor tensor{DType::F32, {5}, false, std::make_shared<Owned>(20)};
    const graph::Tensor scalar{DType::F32, {}, false, std::make_shared<Owned>(4)};
    const GraphPointer inner = graphOf({typeOf(DType::F32, {5})}, [&](GraphBuilder &b) {
      return std::vector{b.binary(Op::Multiply, 0, b.binary(Op::Add, b.capture(tensor), b.capture(scalar)).value()).value()};
    });
    const GraphPointer root = graphOf({typeOf(DType::F32, {5})}, [&](GraphBuilder &b) {
      return std::vector{b.binary(Op::Add, b.call(inner, std::vector<NodeIndex>{0}).value()[0], b.capture(scalar)).value()};
    });
    QCOMPARE(root->inputCount(), std::size_t{3});
    std::vector<ReferenceArray> inputs;
    for (std::size_t i = 0; i < root->inputCount(); ++i) {
      inputs.push_back(testing::randomArray(DType::F32, root->inputType(i).shape, i));
    }
    QCOMPARE(checkBothWays(root, inputs), QString());
  }

  void functionsOfOneStructureKeepTheirNames() {
    const auto named = [](const std::string &name) {
      return graphOf({typeOf(DType::F32, {4})}, [](GraphBuilder &b) { return std::vector{b.binary(Op::Add, 0, 0).value()}; }, name);
    };
    const GraphPointer root = graphOf({typeOf(DType::F32, {4})}, [&](GraphBuilder &b) {
      const NodeIndex once = b.call(named("one"), std::vector<NodeIndex>{0}).value()[0];
      return std::vector{b.call(named("two"), std::vector<NodeIndex>{once}).value()[0]};
    });
    QCOMPARE(lower::functionsOf(root).size(), std::size_t{3});
    QVERIFY(lower::functionsOf(root)[0].symbol.starts_with("one_"));
    QVERIFY(lower::functionsOf(root)[1].symbol.starts_with("two_"));
    QCOMPARE(checkBothWays(root, testing::randomArrays(root->parameterTypes(), 7)), QString());
  }
};

QTEST_GUILESS_MAIN(TestLowerCalls)
#include "tst_lower_calls.moc"
