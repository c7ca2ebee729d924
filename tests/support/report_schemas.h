// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QHash>
#include <QRegularExpression>
#include <QStringList>
#include <QXmlStreamReader>

#include <nlohmann/json.hpp>

#include <array>
#include <string>

/// What the schemas of JUnit XML and SARIF ask for, as far as it concerns what is written here. Each gives "" or the first breach.
namespace jitscope::test {

/// The schema of Ant's JUnit task (JUnit.xsd of windyroad/JUnit-Schema): elements, their order, required attributes and their
/// types; besides that, counts that agree with the cases.
class JunitSchema {
public:
  [[nodiscard]] static QString problem(const QByteArray &text) {
    JunitSchema schema(text);
    schema.checkDocument();
    if (schema.m_problem.isEmpty() && schema.m_xml.hasError()) {
      return QString("line %1: %2").arg(schema.m_xml.lineNumber()).arg(schema.m_xml.errorString());
    }
    return schema.m_problem;
  }

private:
  explicit JunitSchema(const QByteArray &text) : m_xml(text) {}

  void fail(const QString &what) {
    if (m_problem.isEmpty()) {
      m_problem = QString("line %1: %2").arg(m_xml.lineNumber()).arg(what);
    }
  }
  void require(const char *attribute, const char *pattern) {
    const QXmlStreamAttributes attributes = m_xml.attributes();
    if (!attributes.hasAttribute(attribute)) {
      fail(QString("<%1> has no %2").arg(m_xml.name(), attribute));
    } else if (!QRegularExpression(QRegularExpression::anchoredPattern(pattern), QRegularExpression::DotMatchesEverythingOption)
                    .match(attributes.value(attribute).toString())
                    .hasMatch()) {
      fail(QString("%1=\"%2\" of <%3>").arg(attribute, attributes.value(attribute), m_xml.name()));
    }
  }
  void allowOnly(const QStringList &names) {
    for (const QXmlStreamAttribute &attribute : m_xml.attributes()) {
      if (!names.contains(attribute.name())) {
        fail(QString("<%1> must not have %2").arg(m_xml.name(), attribute.name()));
      }
    }
  }
  void checkDocument() {
    if (!m_xml.readNextStartElement() || m_xml.name() != QLatin1String("testsuites")) {
      fail("the root is not <testsuites>");
      return;
    }
    allowOnly({});
    for (int id = 0; m_problem.isEmpty() && m_xml.readNextStartElement(); ++id) {
      if (m_xml.name() != QLatin1String("testsuite")) {
        fail("not a <testsuite>");
        return;
      }
      checkSuite(id);
    }
  }
  void checkSuite(int id) {
    const char *kCount = "[0-9]+";
    const char *kText = ".+";
    allowOnly({"id", "name", "package", "timestamp", "hostname", "tests", "failures", "errors", "skipped", "time"});
    require("id", kCount);
    for (const char *name : {"name", "package", "hostname"}) {
      require(name, kText);
    }
    require("timestamp", "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}");
    require("time", "[0-9]+\\.[0-9]+");
    QHash<QString, int> promised;
    for (const char *name : {"tests", "failures", "errors", "skipped"}) {
      require(name, kCount);
      promised[name] = m_xml.attributes().value(name).toInt();
    }
    if (m_xml.attributes().value("id").toInt() != id ||
        !QDateTime::fromString(m_xml.attributes().value("timestamp").toString(), Qt::ISODate).isValid()) {
      fail("id or timestamp of a suite");
    }
    QHash<QString, int> found;
    // properties, then test cases, then both streams, each in its place.
    int place = 0;
    while (m_problem.isEmpty() && m_xml.readNextStartElement()) {
      const QString name = m_xml.name().toString();
      const int wanted = name == "properties"   ? 1
                         : name == "testcase"   ? 2
                         : name == "system-out" ? 3
                         : name == "system-err" ? 4
                                                : 0;
      if (wanted == 0 || wanted < place || (wanted == place && wanted != 2) || (place == 0 && wanted != 1)) {
        fail("<" + name + "> out of place");
      }
      place = wanted;
      if (wanted == 1) {
        checkProperties();
      } else if (wanted == 2) {
        ++found["tests"];
        checkCase(found);
      } else {
        m_xml.readElementText();
      }
    }
    if (m_problem.isEmpty() && (place != 4 || found["tests"] != promised["tests"] || found["failures"] != promised["failures"] ||
                                found["errors"] != promised["errors"] || found["skipped"] != promised["skipped"])) {
      fail("a suite's counts, or an element that it lacks");
    }
  }
  void checkProperties() {
    while (m_problem.isEmpty() && m_xml.readNextStartElement()) {
      allowOnly({"name", "value"});
      require("name", ".+");
      require("value", ".*");
      m_xml.skipCurrentElement();
    }
  }
  void checkCase(QHash<QString, int> &found) {
    allowOnly({"name", "classname", "time"});
    // Tokens: no line feeds, and no spaces at their ends.
    const char *kToken = "[^\\s]([^\\n\\r\\t]*[^\\s])?";
    require("name", kToken);
    require("classname", kToken);
    require("time", "[0-9]+\\.[0-9]+");
    int children = 0;
    while (m_problem.isEmpty() && m_xml.readNextStartElement()) {
      const QString name = m_xml.name().toString();
      if (name != "skipped" && name != "error" && name != "failure") {
        fail("<" + name + "> in a test case");
      }
      if (name != "skipped") {
        allowOnly({"message", "type"});
        require("type", ".+");
      }
      ++found[name == "skipped" ? name : name + "s"];
      if (++children > 1) {
        fail("more than one outcome of a test case");
      }
      m_xml.readElementText();
    }
  }

  QXmlStreamReader m_xml;
  QString m_problem;
};

/// SARIF 2.1.0 (sarif-schema-2.1.0.json of OASIS): the objects that are used here, with what they require and allow.
class SarifSchema {
public:
  using Json = nlohmann::json;

  [[nodiscard]] static std::string problem(const Json &log) {
    SarifSchema schema;
    schema.object(log, "log", {"$schema", "version", "runs"}, {"version", "runs"});
    if (schema.m_problem.empty() && log["version"] != "2.1.0") {
      schema.fail("version");
    }
    if (schema.m_problem.empty()) {
      schema.each(log["runs"], "runs", &SarifSchema::run);
    }
    return schema.m_problem;
  }

private:
  using Check = void (SarifSchema::*)(const Json &);
  using Names = std::initializer_list<const char *>;

  void fail(const std::string &what) { m_problem = m_problem.empty() ? what : m_problem; }
  void object(const Json &value, const std::string &what, Names allowed, Names required) {
    if (!value.is_object()) {
      return fail(what + " is no object");
    }
    for (const char *name : required) {
      if (!value.contains(name)) {
        fail(what + " lacks " + name);
      }
    }
    for (const auto &entry : value.items()) {
      if (std::find(allowed.begin(), allowed.end(), entry.key()) == allowed.end()) {
        fail(what + " must not have " + entry.key());
      }
    }
  }
  void each(const Json &list, const std::string &what, Check check) {
    if (!list.is_array()) {
      return fail(what + " is no array");
    }
    for (const Json &entry : list) {
      (this->*check)(entry);
    }
  }
  void string(const Json &object, const char *name) {
    if (object.contains(name) && !object[name].is_string()) {
      fail(std::string(name) + " is no string");
    }
  }
  void level(const Json &object) {
    if (object.contains("level") && object["level"] != "none" && object["level"] != "note" && object["level"] != "warning" &&
        object["level"] != "error") {
      fail("a level");
    }
  }
  void positive(const Json &object, const char *name) {
    if (object.contains(name) && !(object[name].is_number_integer() && object[name].get<int>() >= 1)) {
      fail(std::string(name) + " is not 1 or more");
    }
  }
  void message(const Json &value) {
    object(value, "message", {"text", "markdown", "id", "arguments", "properties"}, {"text"});
    string(value, "text");
  }
  void rule(const Json &value) {
    object(value, "rule", {"id", "name", "shortDescription", "fullDescription", "help", "helpUri", "defaultConfiguration"}, {"id"});
    string(value, "id");
    string(value, "name");
    message(value["shortDescription"]);
    level(value["defaultConfiguration"]);
    m_rules.push_back(value.value("id", ""));
  }
  void invocation(const Json &value) {
    object(value, "invocation", {"executionSuccessful"}, {"executionSuccessful"});
    if (!value["executionSuccessful"].is_boolean()) {
      fail("executionSuccessful is no boolean");
    }
  }
  void location(const Json &value) {
    object(value, "location", {"physicalLocation"}, {});
    const Json &physical = value["physicalLocation"];
    object(physical, "physicalLocation", {"artifactLocation", "region"}, {"artifactLocation"});
    const Json &artifact = physical["artifactLocation"];
    object(artifact, "artifactLocation", {"uri", "uriBaseId"}, {"uri"});
    // A URI reference: nothing that would must be percent-encoded.
    const QRegularExpression reference("^([A-Za-z0-9._~/:-]|%[0-9A-F]{2})+$");
    if (m_problem.empty() && !reference.match(QString::fromStdString(artifact["uri"].get<std::string>())).hasMatch()) {
      fail("uri " + artifact["uri"].get<std::string>());
    }
    if (physical.contains("region")) {
      object(physical["region"], "region", {"startLine", "startColumn"}, {});
      positive(physical["region"], "startLine");
      positive(physical["region"], "startColumn");
    }
  }
  void result(const Json &value) {
    object(value, "result", {"ruleId", "ruleIndex", "level", "message", "locations"}, {"message"});
    if (!m_problem.empty()) {
      return;
    }
    message(value["message"]);
    level(value);
    each(value["locations"], "locations", &SarifSchema::location);
    const auto index = value["ruleIndex"].get<std::size_t>();
    if (index >= m_rules.size() || m_rules[index] != value["ruleId"]) {
      fail("ruleIndex and ruleId disagree");
    }
  }
  void run(const Json &value) {
    object(value, "run", {"tool", "invocations", "columnKind", "results"}, {"tool"});
    if (!m_problem.empty()) {
      return;
    }
    object(value["tool"], "tool", {"driver"}, {"driver"});
    const Json &driver = value["tool"]["driver"];
    object(driver, "driver", {"name", "version", "rules", "informationUri"}, {"name"});
    each(driver["rules"], "rules", &SarifSchema::rule);
    each(value["invocations"], "invocations", &SarifSchema::invocation);
    if (value["columnKind"] != "unicodeCodePoints" && value["columnKind"] != "utf16CodeUnits") {
      fail("columnKind");
    }
    each(value["results"], "results", &SarifSchema::result);
  }

  std::string m_problem;
  std::vector<std::string> m_rules;
};

} // namespace jitscope::test
