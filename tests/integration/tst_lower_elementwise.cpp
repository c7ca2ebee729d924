// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/builder.h"
#include "support/jit_harness.h"

#include <QtTest>

using namespace jitscope;
using graph::DType;
using graph::GraphBuilder;
using graph::Op;
using graph::Shape;
using testing::ReferenceArray;

class TestLowerElementwise : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void smoke() {
    GraphBuilder b("f", 1, base::FunctionId(1), {{DType::F32, Shape{7}, false}, {DType::F32, Shape{7}, false}});
    auto s = *b.binary(Op::Add, 0, 1);
    auto e = *b.unary(Op::Exp, s);
    auto r = *b.reduce(Op::ReduceSum, e, {});
    auto g = *b.finish({e, r});
    ReferenceArray x{DType::F32, Shape{7}, {}};
    for (int i = 0; i < 7; ++i) x.bits.push_back(testing::bitsOf(DType::F32, 0.1 * i));
    auto c = testing::CompiledGraph::compile(g);
    if (!c) qFatal("%s", base::describe(c.error()).c_str());
    fprintf(stderr, "%s\n%s\n", (*c)->irBefore().c_str(), (*c)->irAfter().c_str());
    auto out = *(*c)->run({x, x});
    QCOMPARE(QString::fromStdString(testing::firstDifference(out, testing::evaluate(*g, {x, x}), 4)), QString());
  }
};
QTEST_GUILESS_MAIN(TestLowerElementwise)
#include "tst_lower_elementwise.moc"
