// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/svg_tidy.h"

#include "ui/report/svg_element.h"

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace jitscope::charts {

namespace {

using Inherited = QMap<QString, QString>;

QString toTenth(double value) {
  const double tenth = std::round(value * 10) / 10;
  return QString::number(tenth == 0 ? 0.0 : tenth, 'g', 10);
}

/// Every number in it to a tenth, for a pixel has no smaller part that shows.
QString rounded(const QString &text) {
  static const QRegularExpression number(QStringLiteral(R"(-?\d*\.\d+(?:[eE][-+]?\d+)?|-?\d+[eE][-+]?\d+)"));
  QString result;
  qsizetype end = 0;
  for (QRegularExpressionMatchIterator it = number.globalMatch(text); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    result += text.mid(end, match.capturedStart() - end) + toTenth(match.captured().toDouble());
    end = match.capturedEnd();
  }
  return (result + text.mid(end)).trimmed();
}

/// "" for a matrix that changes nothing, a translation in short; others as they are.
QString shortTransform(const QString &value) {
  static const QRegularExpression matrix(QStringLiteral(R"(^matrix\(1,0,0,1,([^,]+),([^,)]+)\)$)"));
  const QRegularExpressionMatch match = matrix.match(value);
  if (!match.hasMatch()) {
    return value;
  }
  const QString x = toTenth(match.captured(1).toDouble());
  const QString y = toTenth(match.captured(2).toDouble());
  return x == QLatin1String("0") && y == QLatin1String("0") ? QString() : QStringLiteral("translate(%1,%2)").arg(x, y);
}

bool isInherited(const QString &name) {
  static const QSet<QString> names{QStringLiteral("fill"),           QStringLiteral("fill-opacity"),
                                   QStringLiteral("fill-rule"),      QStringLiteral("stroke"),
                                   QStringLiteral("stroke-opacity"), QStringLiteral("stroke-width"),
                                   QStringLiteral("stroke-linecap"), QStringLiteral("stroke-linejoin")};
  return names.contains(name);
}

/// What holds where nothing is said (https://www.w3.org/TR/SVG11/propidx.html).
Inherited initialValues() {
  return {{QStringLiteral("fill"), QStringLiteral("black")},          {QStringLiteral("fill-opacity"), QStringLiteral("1")},
          {QStringLiteral("fill-rule"), QStringLiteral("nonzero")},   {QStringLiteral("stroke"), QStringLiteral("none")},
          {QStringLiteral("stroke-opacity"), QStringLiteral("1")},    {QStringLiteral("stroke-width"), QStringLiteral("1")},
          {QStringLiteral("stroke-linecap"), QStringLiteral("butt")}, {QStringLiteral("stroke-linejoin"), QStringLiteral("miter")}};
}

/// Shapes at their places: those that are alike except for the place are defined once.
class Shapes {
public:
  explicit Shapes(QString prefix) : m_prefix(std::move(prefix)) {}

  /// Takes the place out of a path that has curves: other shapes are shorter than a reference.
  void take(SvgElement &path) {
    const QString d = path.attribute("d");
    static const QRegularExpression pair(QStringLiteral(R"((-?[\d.]+(?:[eE][-+]?\d+)?),(-?[\d.]+(?:[eE][-+]?\d+)?))"));
    const QRegularExpressionMatch first = pair.match(d);
    if (!d.contains(QLatin1Char('C')) || !first.hasMatch()) {
      return;
    }
    const double x = first.captured(1).toDouble();
    const double y = first.captured(2).toDouble();
    QString shape;
    qsizetype end = 0;
    for (QRegularExpressionMatchIterator it = pair.globalMatch(d); it.hasNext();) {
      const QRegularExpressionMatch match = it.next();
      shape += d.mid(end, match.capturedStart() - end) + toTenth(match.captured(1).toDouble() - x) + QLatin1Char(',') +
               toTenth(match.captured(2).toDouble() - y);
      end = match.capturedEnd();
    }
    shape += d.mid(end);
    path.remove("d");
    path.attributes.insert(
        path.attributes.begin(),
        {{QStringLiteral("shape"), shape.trimmed()}, {QStringLiteral("x"), toTenth(x)}, {QStringLiteral("y"), toTenth(y)}});
    ++m_counts[shape.trimmed()];
  }

  /// Puts references, or the shapes, where they were taken from.
  void put(SvgElement &parent) {
    constexpr int kOften = 4;
    for (SvgElement &child : parent.children) {
      put(child);
      const QString shape = child.attribute("shape");
      if (shape.isEmpty()) {
        continue;
      }
      child.remove("shape");
      if (m_counts[shape] >= kOften) {
        child.name = QStringLiteral("use");
        child.attributes.insert(child.attributes.begin(), {QStringLiteral("href"), QLatin1Char('#') + idOf(shape)});
        continue;
      }
      const QString place = QStringLiteral("translate(%1,%2)").arg(child.attribute("x"), child.attribute("y"));
      child.remove("x");
      child.remove("y");
      child.attributes.insert(child.attributes.begin(), {{QStringLiteral("d"), shape}, {QStringLiteral("transform"), place}});
    }
  }

  /// The definitions that references need; without children if there are none.
  [[nodiscard]] SvgElement definitions() const {
    SvgElement result{QStringLiteral("defs")};
    for (const QString &shape : m_order) {
      result.children.push_back({QStringLiteral("path"), {{QStringLiteral("id"), m_ids[shape]}, {QStringLiteral("d"), shape}}});
    }
    return result;
  }

private:
  QString idOf(const QString &shape) {
    if (!m_ids.contains(shape)) {
      m_order.append(shape);
      m_ids[shape] = QStringLiteral("%1-s%2").arg(m_prefix).arg(m_order.size());
    }
    return m_ids[shape];
  }

  QString m_prefix;
  QHash<QString, int> m_counts;
  QHash<QString, QString> m_ids;
  QStringList m_order;
};

/// Lines of one look in a row as one path: those that go on where the one before ended without a gap, and each only once.
class LineRun {
public:
  /// False where the element does not belong to the run.
  bool add(const SvgElement &element) {
    if (element.name != QLatin1String("polyline") || !element.children.empty()) {
      return false;
    }
    SvgElement look = element;
    look.remove("points");
    if (!m_points.isEmpty() && look.attributes != m_look.attributes) {
      return false;
    }
    m_look = std::move(look);
    const QString points = element.attribute("points");
    if (m_known.contains(points)) {
      return true;
    }
    m_known.insert(points);
    const QString first = points.section(QLatin1Char(' '), 0, 0);
    if (!m_points.isEmpty() && first == m_end) {
      m_points += points.mid(first.size());
    } else {
      m_points += QLatin1Char('M') + points;
    }
    m_end = points.section(QLatin1Char(' '), -1);
    return true;
  }

  /// The path, if there is one; begins again.
  void finish(std::vector<SvgElement> &to) {
    if (!m_points.isEmpty()) {
      SvgElement path{QStringLiteral("path"), std::move(m_look.attributes)};
      path.attributes.push_back({QStringLiteral("d"), m_points});
      to.push_back(std::move(path));
    }
    *this = LineRun();
  }

private:
  SvgElement m_look;
  QString m_points;
  QString m_end;
  QSet<QString> m_known;
};

class Tidier {
public:
  explicit Tidier(const QString &prefix) : m_prefix(prefix), m_shapes(prefix) {}

  void tidy(SvgElement &root) {
    tidyChildren(root, initialValues());
    joinShapes(root);
    m_shapes.put(root);
    if (SvgElement definitions = m_shapes.definitions(); !definitions.children.empty()) {
      root.children.insert(root.children.begin(), std::move(definitions));
    }
  }

private:
  static bool isInvisible(const SvgElement &element) {
    static const QSet<QString> containers{QStringLiteral("g"), QStringLiteral("defs")};
    static const QSet<QString> remarks{QStringLiteral("title"), QStringLiteral("desc")};
    const bool isEmptyArea = element.name == QLatin1String("rect") && (element.attribute("width") == QLatin1String("0") ||
                                                                       element.attribute("height") == QLatin1String("0"));
    return isEmptyArea || remarks.contains(element.name) || (containers.contains(element.name) && element.children.empty());
  }

  static bool isSameState(const SvgElement &first, const SvgElement &second) {
    return first.name == QLatin1String("g") && second.name == first.name && first.attributes == second.attributes &&
           first.attribute("id").isEmpty();
  }

  void tidyChildren(SvgElement &parent, const Inherited &inherited) {
    std::vector<SvgElement> joined;
    for (SvgElement &child : parent.children) {
      tidyOne(child, inherited);
      if (isInvisible(child)) {
        continue;
      }
      if (!joined.empty() && isSameState(joined.back(), child)) {
        std::ranges::move(child.children, std::back_inserter(joined.back().children));
      } else {
        joined.push_back(std::move(child));
      }
    }
    parent.children = std::move(joined);
  }

  /// Once groups are joined: lines in a row become one, and areas side by side.
  static void joinShapes(SvgElement &parent) {
    std::vector<SvgElement> joined;
    LineRun run;
    for (SvgElement &child : parent.children) {
      joinShapes(child);
      if (run.add(child)) {
        continue;
      }
      run.finish(joined);
      if (!run.add(child) && (joined.empty() || !widen(joined.back(), child))) {
        joined.push_back(std::move(child));
      }
    }
    run.finish(joined);
    parent.children = std::move(joined);
  }

  /// Whether `next` is a rectangle that goes on where `area` ends, which is then as wide as both.
  static bool widen(SvgElement &area, const SvgElement &next) {
    if (area.name != QLatin1String("rect") || next.name != area.name || area.attributes.size() != next.attributes.size()) {
      return false;
    }
    SvgElement wanted = next;
    const double width = area.attribute("width").toDouble();
    const double right = area.attribute("x").toDouble() + width;
    if (std::abs(next.attribute("x").toDouble() - right) > 1e-6) {
      return false;
    }
    for (SvgAttribute &entry : wanted.attributes) {
      if (entry.name == QLatin1String("x")) {
        entry.value = area.attribute("x");
      } else if (entry.name == QLatin1String("width")) {
        entry.value = area.attribute("width");
      }
    }
    if (wanted.attributes != area.attributes) {
      return false;
    }
    for (SvgAttribute &entry : area.attributes) {
      if (entry.name == QLatin1String("width")) {
        entry.value = toTenth(width + next.attribute("width").toDouble());
      }
    }
    return true;
  }

  void tidyOne(SvgElement &element, Inherited inherited) {
    if (element.name == QLatin1String("path")) {
      m_shapes.take(element);
    }
    std::vector<SvgAttribute> kept;
    for (SvgAttribute &entry : element.attributes) {
      if (entry.name == QLatin1String("id")) {
        entry.value = m_prefix + QLatin1Char('-') + entry.value;
      }
      entry.value.replace(QLatin1String("url(#"), QLatin1String("url(#") + m_prefix + QLatin1Char('-'));
      if (entry.name == QLatin1String("transform")) {
        entry.value = shortTransform(entry.value);
      } else if (isGeometry(entry.name)) {
        entry.value = rounded(entry.value);
      }
      const bool isSaid = isInherited(entry.name) && inherited.value(entry.name) == entry.value;
      if (!isSaid && !isDefault(element, entry)) {
        kept.push_back(entry);
      }
      if (isInherited(entry.name)) {
        inherited[entry.name] = entry.value;
      }
    }
    element.attributes = std::move(kept);
    if (element.name == QLatin1String("text")) {
      fixWidth(element);
    }
    tidyChildren(element, inherited);
  }

  static bool isGeometry(const QString &name) {
    static const QSet<QString> names{
        QStringLiteral("d"),     QStringLiteral("points"), QStringLiteral("x"),  QStringLiteral("y"),
        QStringLiteral("width"), QStringLiteral("height"), QStringLiteral("cx"), QStringLiteral("cy"),
        QStringLiteral("r"),     QStringLiteral("rx"),     QStringLiteral("ry"), QStringLiteral("x1"),
        QStringLiteral("x2"),    QStringLiteral("y1"),     QStringLiteral("y2"), QStringLiteral("font-size")};
    return names.contains(name);
  }

  static bool isDefault(const SvgElement &element, const SvgAttribute &entry) {
    static const std::vector<SvgAttribute> values{{QStringLiteral("vector-effect"), QStringLiteral("none")},
                                                  {QStringLiteral("font-style"), QStringLiteral("normal")},
                                                  {QStringLiteral("font-weight"), QStringLiteral("400")},
                                                  {QStringLiteral("xml:space"), QStringLiteral("preserve")},
                                                  {QStringLiteral("transform"), QString()}};
    // Texts bring their own.
    const bool isFontOfGroup = element.name == QLatin1String("g") && entry.name.startsWith(QLatin1String("font-"));
    return isFontOfGroup || std::ranges::find(values, entry) != values.end();
  }

  /// Qt has laid the text out in a font that readers need not have.
  static void fixWidth(SvgElement &element) {
    QFont font(element.attribute("font-family").remove(QLatin1Char('\'')));
    const double size = element.attribute("font-size").toDouble();
    const int weight = element.attribute("font-weight").toInt();
    element.remove("font-family");
    if (size <= 0 || element.text.size() < 2) {
      return;
    }
    // Metrics of a large font are exact, those of a small one whole pixels.
    constexpr int kLarge = 200;
    font.setPixelSize(kLarge);
    if (weight > 0) {
      font.setWeight(static_cast<QFont::Weight>(weight));
    }
    const double width = QFontMetricsF(font).horizontalAdvance(element.text) * size / kLarge;
    element.attributes.push_back({QStringLiteral("textLength"), toTenth(width)});
    element.attributes.push_back({QStringLiteral("lengthAdjust"), QStringLiteral("spacingAndGlyphs")});
  }

  QString m_prefix;
  Shapes m_shapes;
};

} // namespace

void tidySvg(SvgElement &root, const QString &prefix) { Tidier(prefix).tidy(root); }

} // namespace jitscope::charts
