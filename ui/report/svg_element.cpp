// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/svg_element.h"

#include <QXmlStreamReader>
#include <QXmlStreamWriter>

#include <algorithm>

namespace jitscope::charts {

namespace {

/// The element at which the reader stands, with everything in it.
SvgElement readElement(QXmlStreamReader &reader) {
  SvgElement element{reader.name().toString()};
  for (const QXmlStreamAttribute &entry : reader.attributes()) {
    element.attributes.push_back({entry.qualifiedName().toString(), entry.value().toString()});
  }
  while (!reader.atEnd() && reader.readNext() != QXmlStreamReader::EndElement) {
    if (reader.isStartElement()) {
      element.children.push_back(readElement(reader));
    } else if (reader.isCharacters() && !reader.isWhitespace()) {
      element.text += reader.text();
    }
  }
  return element;
}

void write(QXmlStreamWriter &writer, const SvgElement &element) {
  writer.writeStartElement(element.name);
  for (const SvgAttribute &entry : element.attributes) {
    writer.writeAttribute(entry.name, entry.value);
  }
  if (!element.text.isEmpty()) {
    writer.writeCharacters(element.text);
  }
  for (const SvgElement &child : element.children) {
    write(writer, child);
  }
  writer.writeEndElement();
}

} // namespace

QString SvgElement::attribute(const char *wanted) const {
  const auto found =
      std::ranges::find_if(attributes, [wanted](const SvgAttribute &entry) { return entry.name == QLatin1String(wanted); });
  return found == attributes.end() ? QString() : found->value;
}

void SvgElement::remove(const char *unwanted) {
  std::erase_if(attributes, [unwanted](const SvgAttribute &entry) { return entry.name == QLatin1String(unwanted); });
}

base::Result<SvgElement> readSvg(const QByteArray &text) {
  QXmlStreamReader reader(text);
  if (!reader.readNextStartElement() || reader.name() != QLatin1String("svg")) {
    return base::fail(base::ErrorCode::Internal, "a drawing is not valid SVG");
  }
  SvgElement root = readElement(reader);
  if (reader.hasError()) {
    return base::fail(base::ErrorCode::Internal, "a drawing is not valid SVG: " + reader.errorString().toStdString());
  }
  return root;
}

std::string writeSvg(const SvgElement &root) {
  QString text;
  QXmlStreamWriter writer(&text);
  write(writer, root);
  return text.toStdString();
}

} // namespace jitscope::charts
