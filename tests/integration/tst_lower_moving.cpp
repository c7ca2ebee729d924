// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/code/lower_test.h"

namespace {

using Sizes = std::vector<std::int64_t>;

/// A way to move the elements of an array of shape [4,6,5], and what the builder calls for it.
struct Move {
  const char *name;
  std::function<NodeIndex(GraphBuilder &, NodeIndex)> apply;
};

const std::vector<Move> &moves() {
  static const std::vector<Move> kMoves{
      {"reverse the axes", [](GraphBuilder &b, NodeIndex x) { return b.transpose(x, {}).value(); }},
      {"swap the inner axes", [](GraphBuilder &b, NodeIndex x) { return b.transpose(x, Sizes{0, 2, 1}).value(); }},
      {"rotate the axes", [](GraphBuilder &b, NodeIndex x) { return b.transpose(x, Sizes{1, 2, 0}).value(); }},
      {"keep the axes", [](GraphBuilder &b, NodeIndex x) { return b.transpose(x, Sizes{0, 1, 2}).value(); }},
      {"flatten", [](GraphBuilder &b, NodeIndex x) { return b.reshape(x, {-1}).value(); }},
      {"regroup", [](GraphBuilder &b, NodeIndex x) { return b.reshape(x, {8, 15}).value(); }},
      {"add axes of size 1", [](GraphBuilder &b, NodeIndex x) { return b.reshape(x, {1, 4, 1, 6, 5, 1}).value(); }},
      {"cut rows", [](GraphBuilder &b, NodeIndex x) { return b.slice(x, Sizes{1, 0, 0}, Sizes{2, 6, 5}).value(); }},
      {"cut the middle", [](GraphBuilder &b, NodeIndex x) { return b.slice(x, Sizes{0, 2, 0}, Sizes{4, 3, 5}).value(); }},
      {"cut every axis", [](GraphBuilder &b, NodeIndex x) { return b.slice(x, Sizes{1, 2, 3}, Sizes{3, 2, 1}).value(); }},
      {"cut nothing", [](GraphBuilder &b, NodeIndex x) { return b.slice(x, Sizes{4, 0, 0}, Sizes{0, 6, 5}).value(); }},
      {"repeat", [](GraphBuilder &b, NodeIndex x) { return b.broadcast(x, {3, 4, 6, 5}).value(); }},
      {"join with itself, rows", [](GraphBuilder &b, NodeIndex x) { return b.concat(std::vector{x, x}, 0).value(); }},
      {"join with itself, middle", [](GraphBuilder &b, NodeIndex x) { return b.concat(std::vector{x, x, x}, 1).value(); }},
      {"join with itself, inside", [](GraphBuilder &b, NodeIndex x) { return b.concat(std::vector{x, x}, -1).value(); }},
      {"flatten the turned", [](GraphBuilder &b, NodeIndex x) { return b.reshape(b.transpose(x, {}).value(), {-1}).value(); }},
      {"flatten the cut",
       [](GraphBuilder &b, NodeIndex x) { return b.reshape(b.slice(x, Sizes{0, 1, 1}, Sizes{4, 4, 3}).value(), {6, 8}).value(); }},
      {"turn the regrouped", [](GraphBuilder &b, NodeIndex x) { return b.transpose(b.reshape(x, {8, 15}).value(), {}).value(); }},
      {"turn with axes of size 1",
       [](GraphBuilder &b, NodeIndex x) { return b.transpose(b.reshape(x, {4, 1, 30}).value(), Sizes{2, 1, 0}).value(); }},
  };
  return kMoves;
}

const graph::TensorType kType = typeOf(DType::F64, {4, 6, 5});

} // namespace

class TestLowerMoving : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void movesAgreeWithTheReference_data() {
    QTest::addColumn<int>("move");
    for (std::size_t i = 0; i < moves().size(); ++i) {
      QTest::newRow(moves()[i].name) << static_cast<int>(i);
    }
  }
  void movesAgreeWithTheReference() {
    QFETCH(int, move);
    const auto body = [&](GraphBuilder &b) { return std::vector{moves().at(static_cast<std::size_t>(move)).apply(b, 0)}; };
    const std::vector<ReferenceArray> inputs{testing::randomArray(DType::F64, kType.shape, 1)};
    QCOMPARE(text(checkAgainstReference(graphOf({kType}, body), inputs)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes({kType}), body), inputs)), QString());
  }

  void movesOfExpressionsAgreeWithTheReference_data() { movesAgreeWithTheReference_data(); }
  /// The same within elementwise code: before, behind, both used and unused elsewhere.
  void movesOfExpressionsAgreeWithTheReference() {
    QFETCH(int, move);
    const Move &chosen = moves().at(static_cast<std::size_t>(move));
    for (const bool isShared : {false, true}) {
      const auto body = [&](GraphBuilder &b) {
        const NodeIndex root = b.unary(Op::Sqrt, b.unary(Op::Abs, 0).value()).value();
        const NodeIndex moved = chosen.apply(b, root);
        std::vector results{b.binary(Op::Add, moved, b.number(1.5)).value(), b.reduce(Op::ReduceSum, moved, {}).value()};
        if (isShared) {
          results.push_back(b.binary(Op::Multiply, root, root).value());
        } else {
          results.pop_back();
        }
        return results;
      };
      const std::vector<ReferenceArray> inputs{testing::randomArray(DType::F64, kType.shape, 2)};
      QCOMPARE(text(checkAgainstReference(graphOf({kType}, body), inputs)), QString());
      QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes({kType}), body), inputs)), QString());
    }
  }

  void movesFollowEachOther_data() {
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    // All pairs whose second step takes the shape [4,6,5] that the first leaves.
    for (const int first : {0, 3, 6}) {
      for (std::size_t second = 0; second < moves().size(); ++second) {
        QTest::addRow("%s, %s", moves()[static_cast<std::size_t>(first)].name, moves()[second].name)
            << first << static_cast<int>(second);
      }
    }
  }
  void movesFollowEachOther() {
    QFETCH(int, first);
    QFETCH(int, second);
    const auto body = [&](GraphBuilder &b) {
      const NodeIndex moved = moves().at(static_cast<std::size_t>(first)).apply(b, 0);
      const NodeIndex back = b.reshape(moved, {4, 6, 5}).value();
      return std::vector{moves().at(static_cast<std::size_t>(second)).apply(b, back)};
    };
    const std::vector<ReferenceArray> inputs{testing::randomArray(DType::F64, kType.shape, 3)};
    QCOMPARE(text(checkAgainstReference(graphOf({kType}, body), inputs)), QString());
  }

  void resultsMayBeInputsAndRepeat() {
    const auto body = [](GraphBuilder &b) {
      const NodeIndex sum = b.binary(Op::Add, 0, 0).value();
      return std::vector{NodeIndex{0}, NodeIndex{0}, sum, b.reshape(sum, {-1}).value(), sum, b.reshape(0, {-1}).value()};
    };
    const std::vector<ReferenceArray> inputs{testing::randomArray(DType::F64, kType.shape, 4)};
    QCOMPARE(text(checkAgainstReference(graphOf({kType}, body), inputs)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes({kType}), body), inputs)), QString());
  }

  void scalarsTravelThroughArrays() {
    const std::vector<graph::TensorType> types{typeOf(DType::S32, {}), typeOf(DType::S32, {1, 1})};
    const auto body = [](GraphBuilder &b) {
      const NodeIndex single = b.reshape(b.binary(Op::Multiply, 1, 1).value(), Shape{}).value();
      const NodeIndex wide = b.broadcast(b.binary(Op::Add, 0, single).value(), {3, 2}).value();
      return std::vector{single, wide, b.reshape(0, {1}).value(), b.reduce(Op::ReduceSum, wide, {}).value(), NodeIndex{0}};
    };
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 5);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs)), QString());
  }

  void sourcesAgreeWithTheReference() {
    const auto body = [](GraphBuilder &b) {
      std::vector<NodeIndex> results;
      for (const DType dtype : testing::kAllDTypes) {
        results.push_back(b.iota({3, 100}, dtype).value());
        results.push_back(b.full({7}, 2.5, dtype).value());
        results.push_back(b.full({}, -1, dtype).value());
        results.push_back(b.transpose(b.iota({3, 5}, dtype).value(), {}).value());
      }
      return results;
    };
    QCOMPARE(text(checkAgainstReference(graphOf({}, body), {})), QString());
  }

  void concatTakesDifferentPartsAndExpressions_data() {
    QTest::addColumn<int>("axis");
    QTest::newRow("outer") << 0;
    QTest::newRow("inner") << 1;
  }
  void concatTakesDifferentPartsAndExpressions() {
    QFETCH(int, axis);
    const Shape second = axis == 0 ? Shape{0, 6} : Shape{4, 0};
    const Shape third = axis == 0 ? Shape{9, 6} : Shape{4, 9};
    const std::vector<graph::TensorType> types{typeOf(DType::F32, {4, 6}), typeOf(DType::F32, second), typeOf(DType::F32, third)};
    const auto body = [&](GraphBuilder &b) {
      const NodeIndex joined = b.concat(std::vector<NodeIndex>{b.unary(Op::Negate, 0).value(), 1, 2}, axis).value();
      return std::vector{joined, b.reduce(Op::ReduceMax, joined, Sizes{1}).value()};
    };
    const std::vector<ReferenceArray> inputs = testing::randomArrays(types, 6);
    QCOMPARE(text(checkAgainstReference(graphOf(types, body), inputs)), QString());
    QCOMPARE(text(checkAgainstReference(graphOf(testing::dynamicTypes(types), body), inputs)), QString());
  }
};

QTEST_GUILESS_MAIN(TestLowerMoving)
#include "tst_lower_moving.moc"
