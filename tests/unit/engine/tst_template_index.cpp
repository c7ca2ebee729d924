// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "cache/template_difference.h"
#include "cache/template_index.h"

#include <algorithm>
#include <functional>
#include <random>

using namespace jitscope;
using cache::TemplateIndex;
using graph::DType;
using graph::Shape;
using graph::StaticValue;
using graph::Template;
using graph::TensorType;

namespace {

using Random = std::mt19937;
using MakeTemplate = std::function<Template(Random &)>;

int below(Random &random, int bound) { return static_cast<int>(random() % static_cast<std::uint32_t>(bound)); }

TensorType tensorOf(std::initializer_list<std::int64_t> sizes, DType dtype = DType::F32) { return {dtype, Shape(sizes), false}; }
StaticValue number(int value) { return {std::to_string(value)}; }

/// Anything: up to three arguments, static or tensors of up to two axes, with values from small sets.
Template anyTemplate(Random &random) {
  Template tmpl;
  for (int i = below(random, 4); i > 0; --i) {
    if (below(random, 3) == 0) {
      tmpl.arguments.emplace_back(number(below(random, 4)));
      continue;
    }
    TensorType type{below(random, 4) == 0 ? DType::F64 : DType::F32, {}, below(random, 8) == 0};
    for (int axis = below(random, 3); axis > 0; --axis) {
      type.shape.append(below(random, 5) - 1); // an unknown size among them
    }
    tmpl.arguments.emplace_back(type);
  }
  return tmpl;
}

/// The rule itself: the smallest distance, and the latest of equally near ones.
std::optional<TemplateIndex::Row> nearestByRule(const std::vector<Template> &known, const Template &wanted) {
  std::optional<TemplateIndex::Row> nearest;
  std::uint32_t nearestDistance = 0;
  for (TemplateIndex::Row row = 0; row < known.size(); ++row) {
    const std::uint32_t distance = cache::differenceBetween(known[row], wanted).distance;
    if (!nearest || distance <= nearestDistance) {
      nearest = row;
      nearestDistance = distance;
    }
  }
  return nearest;
}

struct Set {
  MakeTemplate make;
  int templates = 0;
  int questions = 0;
};

} // namespace

Q_DECLARE_METATYPE(Set)

class TemplateIndexTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void anEmptyIndexKnowsNothing();
  void theNearestIsThatOfTheRule_data();
  void theNearestIsThatOfTheRule();
  void aTemplateAddedAgainIsLater();
  void aSearchEndsAtItsLimits();
};

void TemplateIndexTest::anEmptyIndexKnowsNothing() { QVERIFY(!TemplateIndex().nearest({{number(1)}}).has_value()); }

void TemplateIndexTest::theNearestIsThatOfTheRule_data() {
  QTest::addColumn<Set>("set");
  const auto row = [](const char *name, int templates, int questions, MakeTemplate make) {
    QTest::newRow(name) << Set{std::move(make), templates, questions};
  };
  row("anything, few", 8, 20, anyTemplate);
  row("anything, many", 400, 200, anyTemplate);
  row("a static value that never repeats", 2'000, 50,
      [next = 0](Random &) mutable { return Template{{tensorOf({64, 64}), number(++next)}}; });
  row("one size", 300, 100, [](Random &random) { return Template{{tensorOf({below(random, 1'000), 64}), tensorOf({64, 8})}}; });
  row("two independent sizes", 600, 200,
      [](Random &random) { return Template{{tensorOf({below(random, 40), below(random, 40)})}}; });
  row("sizes that go together", 600, 200, [](Random &random) {
    const int rows = below(random, 30);
    const int inner = below(random, 30);
    return Template{{tensorOf({rows, inner}), tensorOf({inner, below(random, 30)}), tensorOf({rows, 1})}};
  });
  row("flags beside a size", 600, 200, [](Random &random) {
    return Template{{tensorOf({below(random, 100)}), number(below(random, 2)), number(below(random, 3)), number(below(random, 2))}};
  });
  row("dtypes and ranks", 400, 200, [](Random &random) {
    const auto dtype = static_cast<DType>(below(random, 6));
    return below(random, 2) == 0 ? Template{{tensorOf({below(random, 8)}, dtype), tensorOf({below(random, 8)})}}
                                 : Template{{tensorOf({below(random, 8), 2}, dtype), tensorOf({below(random, 8)})}};
  });
}

void TemplateIndexTest::theNearestIsThatOfTheRule() {
  QFETCH(Set, set);
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    std::vector<Template> known;
    TemplateIndex index({.comparisons = 1'000'000, .structures = 1'000});
    for (int i = 0; i < set.templates; ++i) {
      known.push_back(set.make(random));
      QCOMPARE(index.add(known.back()), static_cast<TemplateIndex::Row>(i));
    }
    for (int question = 0; question < set.questions; ++question) {
      const Template wanted = set.make(random);
      if (std::ranges::find(known, wanted) != known.end()) {
        continue;
      }
      const auto expected = nearestByRule(known, wanted);
      const auto nearest = index.nearest(wanted);
      QVERIFY(nearest.has_value());
      const auto distance = [&](TemplateIndex::Row row) { return cache::differenceBetween(known[row], wanted).distance; };
      QVERIFY2(nearest == expected, qPrintable(QStringLiteral("seed %1, wanted %2: found %3 at %4, expected %5 at %6")
                                                   .arg(seed)
                                                   .arg(QString::fromStdString(graph::signatureOf(wanted)))
                                                   .arg(*nearest)
                                                   .arg(distance(*nearest))
                                                   .arg(*expected)
                                                   .arg(distance(*expected))));
    }
  }
}

void TemplateIndexTest::aTemplateAddedAgainIsLater() {
  TemplateIndex index;
  index.add({{number(1)}});
  index.add({{number(2)}});
  index.add({{number(1)}});
  QCOMPARE(index.nearest({{number(3)}}), std::optional<TemplateIndex::Row>(2));
}

void TemplateIndexTest::aSearchEndsAtItsLimits() {
  // Each of five fields has ten values, independent of the others, and nothing is nearer than three fields.
  Random random(7);
  std::vector<Template> known;
  TemplateIndex bounded({.comparisons = 100, .structures = 1});
  TemplateIndex unbounded({.comparisons = 100'000'000, .structures = 1'000});
  const Template wanted{{number(0), number(0), number(0), number(0), number(0)}};
  while (known.size() < 5'000) {
    Template tmpl;
    for (std::size_t i = 0; i < wanted.arguments.size(); ++i) {
      tmpl.arguments.emplace_back(number(below(random, 10)));
    }
    if (std::ranges::count(tmpl.arguments, wanted.arguments[0]) <= 2) {
      known.push_back(tmpl);
      bounded.add(tmpl);
      unbounded.add(tmpl);
    }
  }
  const auto distance = [&](std::optional<TemplateIndex::Row> row) {
    return cache::differenceBetween(known[*row], wanted).distance;
  };
  QCOMPARE(unbounded.nearest(wanted), nearestByRule(known, wanted));
  // Not the nearest for certain, yet the same each time, and no farther than the latest on each list.
  QCOMPARE(bounded.nearest(wanted), bounded.nearest(wanted));
  QVERIFY(distance(bounded.nearest(wanted)) >= distance(unbounded.nearest(wanted)));
  QVERIFY(distance(bounded.nearest(wanted)) <= 4 * cache::kStaticDistance);
  for (int arguments = 1; arguments < 6; ++arguments) {
    bounded.add({std::vector<graph::ArgumentType>(static_cast<std::size_t>(arguments) + 5, number(1))});
  }
  QVERIFY(bounded.nearest(wanted).has_value());
}

QTEST_GUILESS_MAIN(TemplateIndexTest)
#include "tst_template_index.moc"
