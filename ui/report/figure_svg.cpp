// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/figure_svg.h"
#include "base/try.h"

#include "ui/report/svg_element.h"
#include "ui/report/svg_tidy.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>

#include <fmt/format.h>

#include <utility>

namespace jitscope::charts {

namespace {

std::unexpected<base::Error> cannotUse(const QString &why) {
  return base::fail(base::ErrorCode::Internal, fmt::format("a chart cannot be put on a page: {}", why.toStdString()));
}

/// Gives each pair of a light and a dark colour a variable.
class ColourPairs {
public:
  QString variableFor(const QString &light, const QString &dark) {
    const QString pair = light + QLatin1Char(' ') + dark;
    const auto known = m_names.constFind(pair);
    if (known != m_names.constEnd()) {
      return *known;
    }
    // With the light colour for programs that know no variables.
    const QString name = QStringLiteral("--c%1").arg(m_names.size());
    m_light += QStringLiteral("%1:%2;").arg(name, light);
    m_dark += QStringLiteral("%1:%2;").arg(name, dark);
    return *m_names.insert(pair, QStringLiteral("var(%1,%2)").arg(name, light));
  }

  /// The style that gives them their values within the element `id`.
  [[nodiscard]] QString style(const QString &id) const {
    return m_names.isEmpty()
               ? QString()
               : QStringLiteral("#%1{%2}@media screen and (prefers-color-scheme:dark){#%1{%3}}").arg(id, m_light, m_dark);
  }

private:
  QHash<QString, QString> m_names;
  QString m_light;
  QString m_dark;
};

/// Puts the dark drawing's colours into the light one; false where they are not the same drawing.
bool joinColours(SvgElement &light, const SvgElement &dark, ColourPairs &pairs) {
  static const QRegularExpression colour(QStringLiteral("^#[0-9a-fA-F]{6}$"));
  if (light.name != dark.name || light.text != dark.text || light.attributes.size() != dark.attributes.size() ||
      light.children.size() != dark.children.size()) {
    return false;
  }
  for (std::size_t i = 0; i < light.attributes.size(); ++i) {
    SvgAttribute &own = light.attributes[i];
    const SvgAttribute &other = dark.attributes[i];
    if (own == other) {
      continue;
    }
    if (own.name != other.name || !colour.match(own.value).hasMatch() || !colour.match(other.value).hasMatch()) {
      return false;
    }
    own.value = pairs.variableFor(own.value, other.value);
  }
  for (std::size_t i = 0; i < light.children.size(); ++i) {
    if (!joinColours(light.children[i], dark.children[i], pairs)) {
      return false;
    }
  }
  return true;
}

} // namespace

base::Result<std::string> figureSvg(const QByteArray &light, const QByteArray &dark, const FigureLabel &label) {
  base::Result<SvgElement> root = readSvg(light);
  JITSCOPE_TRY(const SvgElement other, root ? readSvg(dark) : std::unexpected(root.error()));
  ColourPairs pairs;
  if (!joinColours(*root, other, pairs)) {
    return cannotUse(QStringLiteral("it looks different in light and in dark colours"));
  }
  tidySvg(*root, label.id);
  const QString viewBox = root->attribute("viewBox");
  const QStringList box = viewBox.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  if (box.size() != 4) {
    return cannotUse(QStringLiteral("its size is not known"));
  }
  root->attributes = {{QStringLiteral("id"), label.id},           {QStringLiteral("role"), QStringLiteral("img")},
                      {QStringLiteral("aria-label"), label.text}, {QStringLiteral("viewBox"), viewBox},
                      {QStringLiteral("width"), box[2]},          {QStringLiteral("height"), box[3]}};
  if (const QString style = pairs.style(label.id); !style.isEmpty()) {
    root->children.insert(root->children.begin(), SvgElement{QStringLiteral("style"), {}, style, {}});
  }
  return writeSvg(*root);
}

} // namespace jitscope::charts
