// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/scripts/random_scripts.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::testing {

using graph::DType;
using graph::Op;
using graph::Shape;

namespace {

constexpr std::array kDTypes = {DType::Pred, DType::U8, DType::S32, DType::S64, DType::F32, DType::F64};

/// Prints dtype, shape and elements; floats in hexadecimal, so that every bit shows.
constexpr auto kPrelude = R"(
local function flat(value, into)
  if type(value) == 'table' then for _, v in ipairs(value) do flat(v, into) end return into end
  if math.type(value) == 'float' then value = value ~= value and 'nan' or string.format('%a', value) end
  into[#into + 1] = tostring(value)
  return into
end
local function show(how, ok, t)
  if not ok then print(how .. ' error ' .. tostring(t)) return end
  print(how .. ' ' .. t:dtype() .. '[' .. table.concat(t:shape(), ',') .. '] ' .. table.concat(flat(t:to_table(), {}), ' '))
end
)";

std::string luaText(const LuaNumber &number) {
  if (const auto *whole = std::get_if<std::int64_t>(&number)) {
    return *whole == std::numeric_limits<std::int64_t>::min() ? "math.mininteger" : fmt::format("({})", *whole);
  }
  const double value = std::get<double>(number);
  if (std::isnan(value)) {
    return "(0/0)";
  }
  return std::isinf(value) ? (value < 0 ? "(-math.huge)" : "math.huge") : fmt::format("({:a})", value);
}

/// A drawn expression: how it reads, given how numbers read, and what it gives.
struct Expression {
  std::function<std::string(bool asArguments)> text;
  RuleResult result;

  [[nodiscard]] bool isError() const { return std::holds_alternative<RuleError>(result); }
  [[nodiscard]] const RuleValue &value() const { return std::get<RuleValue>(result); }
  [[nodiscard]] bool isNumber() const { return !isError() && std::holds_alternative<LuaNumber>(value()); }
  [[nodiscard]] const ReferenceArray &array() const { return std::get<ReferenceArray>(value()); }
};

class Drawer {
public:
  explicit Drawer(std::uint64_t seed) : m_random(seed) {}

  RandomScript draw() {
    const std::size_t variables = 1 + below(3);
    for (std::size_t i = 0; i < variables; ++i) {
      drawVariable();
    }
    const Expression root = below(12) == 0 ? filling() : tensor(1 + below(3));
    std::string text = kPrelude;
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < m_variables.size(); ++i) {
      text += fmt::format("local v{} = {}\n", i + 1, m_definitions[i]);
      parameters.push_back(fmt::format("v{}", i + 1));
    }
    const std::string names = fmt::format("{}", fmt::join(parameters, ", "));
    const std::string literal = root.text(false);
    text += fmt::format("show('eager', pcall(function() return {} end))\n", literal);
    text += fmt::format("show('body', pcall(function() return fn('body', function({}) return {} end)({}) end))\n", names, literal,
                        names);
    std::vector<std::string> numberNames = parameters;
    std::vector<std::string> arguments = parameters;
    for (std::size_t i = 0; i < m_numbers.size(); ++i) {
      numberNames.push_back(fmt::format("n{}", i + 1));
      arguments.push_back(luaText(m_numbers[i]));
    }
    text += fmt::format("show('argument', pcall(function() return fn('argument', function({}) return {} end)({}) end))\n",
                        fmt::join(numberNames, ", "), root.text(true), fmt::join(arguments, ", "));
    return {std::move(text), root.result};
  }

private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(m_random() % bound); }
  template <typename T, std::size_t count> T oneOf(const std::array<T, count> &values) { return values.at(below(count)); }

  DType drawDType() { return oneOf(kDTypes); }

  Shape drawShape() {
    switch (below(7)) {
    case 0:
      return {};
    case 1:
      return {1};
    case 2:
      return {1, 3};
    case 3:
      return {2, 1};
    case 4:
    case 5:
      return {3};
    default:
      return {2, 3};
    }
  }

  /// Around the edges of the dtypes, and small ones.
  LuaNumber drawInteger() {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
    constexpr std::array<std::int64_t, 26> kEdges = {0,
                                                     1,
                                                     -1,
                                                     2,
                                                     254,
                                                     255,
                                                     256,
                                                     -128,
                                                     300,
                                                     32767,
                                                     16777216,
                                                     16777217,
                                                     2147483647,
                                                     2147483646,
                                                     2147483648,
                                                     -2147483648,
                                                     -2147483649,
                                                     3000000000,
                                                     -3000000000,
                                                     4294967296,
                                                     1LL << 53,
                                                     (1LL << 53) + 1,
                                                     -(1LL << 53) - 1,
                                                     kLargest,
                                                     kLargest - 1,
                                                     kLowest};
    return below(3) == 0 ? static_cast<std::int64_t>(below(7)) - 3 : oneOf(kEdges);
  }

  LuaNumber drawFloat() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr std::array<double, 38> kEdges = {0.0,
                                               -0.0,
                                               0.5,
                                               -0.5,
                                               0.1,
                                               1.0,
                                               2.5,
                                               -1.5,
                                               254.5,
                                               255.0,
                                               255.5,
                                               256.0,
                                               16777217.0,
                                               2147483647.0,
                                               2147483647.5,
                                               2147483648.0,
                                               -2147483648.0,
                                               -2147483648.5,
                                               -2147483649.0,
                                               3e9,
                                               0x1p53,
                                               0x1.fffffffffffffp62,
                                               0x1p63,
                                               -0x1p63,
                                               -0x1.0000000000001p63,
                                               1e19,
                                               0x1.fffffep127,
                                               0x1.fffffefffffffp127,
                                               0x1.ffffffp127,
                                               -0x1.ffffffp127,
                                               0x1p128,
                                               1e39,
                                               -1e39,
                                               1e308,
                                               1e-46,
                                               kInfinity,
                                               -kInfinity,
                                               std::numeric_limits<double>::quiet_NaN()};
    return oneOf(kEdges);
  }

  LuaNumber drawNumber() { return below(2) == 0 ? drawInteger() : drawFloat(); }

  /// One that an element of `dtype` can be, mostly at its edges.
  LuaNumber drawElement(DType dtype) {
    while (true) {
      const LuaNumber number = dtype == DType::F32 || dtype == DType::F64 ? drawNumber() : drawInteger();
      if (std::holds_alternative<RuleValue>(ruleOfFilling({number}, {}, dtype))) {
        return number;
      }
    }
  }

  void drawVariable() {
    const DType dtype = drawDType();
    const Shape shape = drawShape();
    std::vector<LuaNumber> elements;
    std::vector<std::string> texts;
    for (std::int64_t i = 0; i < shape.elementCount(); ++i) {
      elements.push_back(drawElement(dtype));
      texts.push_back(luaText(elements.back()));
    }
    m_variables.push_back(std::get<ReferenceArray>(std::get<RuleValue>(ruleOfFilling(elements, shape, dtype))));
    m_definitions.push_back(fmt::format("tensor({{{}}}, '{}'):reshape{{{}}}", fmt::join(texts, ", "), graph::nameOf(dtype),
                                        fmt::join(shape.sizes(), ", ")));
  }

  Expression variable() {
    const std::size_t which = below(m_variables.size());
    return {[which](bool) { return fmt::format("v{}", which + 1); }, RuleValue(m_variables[which])};
  }

  Expression number() {
    if (below(6) == 0) {
      return computedNumber();
    }
    return literal(drawNumber());
  }

  Expression literal(const LuaNumber &value) {
    m_numbers.push_back(value);
    const std::size_t which = m_numbers.size();
    return {[value, which](bool asArguments) { return asArguments ? fmt::format("n{}", which) : luaText(value); },
            RuleValue(value)};
  }

  /// A number that Lua computes outside of functions, and the code where its parts are arguments.
  Expression computedNumber() {
    const Expression left = literal(drawNumber());
    const Expression right = literal(drawNumber());
    const auto [op, symbol] =
        oneOf(std::array{std::pair{Op::Add, "+"}, std::pair{Op::Subtract, "-"}, std::pair{Op::Multiply, "*"}});
    return {[=, text = symbol](bool as) { return fmt::format("({} {} {})", left.text(as), text, right.text(as)); },
            RuleValue(luaArithmetic(op, std::get<LuaNumber>(left.value()), std::get<LuaNumber>(right.value())))};
  }

  /// One that `dtype` holds, so that not every expression ends in an error.
  Expression fittingNumber(DType dtype) {
    const LuaNumber value = drawElement(dtype);
    const bool isWholeFloat = std::holds_alternative<double>(value);
    return literal(dtype == DType::Pred && !isWholeFloat ? LuaNumber(std::int64_t{std::get<std::int64_t>(value) & 1}) : value);
  }

  /// A tensor that is no error, or the error that ends the expression.
  Expression tensor(std::size_t depth) {
    if (depth == 0) {
      return variable();
    }
    Expression operand = tensor(depth - 1);
    if (operand.isError()) {
      return operand;
    }
    switch (below(10)) {
    case 0:
      return unary(operand);
    case 1:
      return cast(operand);
    case 2:
      return reduction(operand);
    case 3:
      return select(operand);
    case 4:
    case 5:
    case 6:
      return comparison(operand);
    default:
      return binary(operand);
    }
  }

  Expression partnerOf(const Expression &operand) {
    switch (below(4)) {
    case 0:
      return variable();
    case 1:
    case 2:
      return number();
    default:
      return fittingNumber(operand.array().dtype);
    }
  }

  Expression unary(const Expression &operand) {
    const auto [op, format] =
        oneOf(std::array{std::pair{Op::Negate, "(-{})"}, std::pair{Op::Abs, "abs({})"}, std::pair{Op::Floor, "floor({})"}});
    return {[=, pattern = format](bool as) { return fmt::format(fmt::runtime(pattern), operand.text(as)); },
            ruleOfUnary(op, operand.array())};
  }

  Expression cast(const Expression &operand) {
    const DType dtype = drawDType();
    return {[=](bool as) { return fmt::format("{}:as_type('{}')", operand.text(as), graph::nameOf(dtype)); },
            RuleValue(ruleOfCast(operand.array(), dtype))};
  }

  Expression reduction(const Expression &operand) {
    const DType dtype = operand.array().dtype;
    const bool isSum = dtype != DType::F32 && dtype != DType::F64; // sums of floats depend on their order
    return {[=](bool as) { return fmt::format("{}:{}()", operand.text(as), isSum ? "sum" : "max"); },
            RuleValue(ruleOfReduction(isSum ? Op::ReduceSum : Op::ReduceMax, operand.array()))};
  }

  Expression select(const Expression &operand) {
    const Expression condition = variable();
    const Expression other = below(5) == 0 ? number() : partnerOf(operand);
    const bool isFirst = below(2) == 0;
    const Expression whenTrue = isFirst ? operand : other;
    const Expression whenFalse = isFirst ? other : operand;
    return {[=](bool as) { return fmt::format("select({}, {}, {})", condition.text(as), whenTrue.text(as), whenFalse.text(as)); },
            ruleOfSelect(condition.array(), whenTrue.value(), whenFalse.value())};
  }

  Expression comparison(const Expression &operand) {
    const auto [op, name] =
        oneOf(std::array{std::pair{Op::Less, "lt"}, std::pair{Op::LessEqual, "le"}, std::pair{Op::Greater, "gt"},
                         std::pair{Op::GreaterEqual, "ge"}, std::pair{Op::Equal, "eq"}, std::pair{Op::NotEqual, "ne"}});
    const Expression other = below(3) == 0 ? partnerOf(operand) : number();
    // Now and then of two numbers.
    const Expression first = below(15) == 0 ? number() : operand;
    const bool isFirst = below(2) == 0;
    const Expression left = isFirst ? first : other;
    const Expression right = isFirst ? other : first;
    return {[=, function = name](bool as) { return fmt::format("{}({}, {})", function, left.text(as), right.text(as)); },
            ruleOfComparison(op, left.value(), right.value())};
  }

  Expression binary(const Expression &operand) {
    struct Form {
      Op op;
      const char *text;
    };
    constexpr std::array kForms = {
        Form{Op::Add, "({} + {})"},       Form{Op::Subtract, "({} - {})"},     Form{Op::Multiply, "({} * {})"},
        Form{Op::Divide, "({} / {})"},    Form{Op::FloorDivide, "({} // {})"}, Form{Op::Modulo, "({} % {})"},
        Form{Op::Minimum, "min({}, {})"}, Form{Op::Maximum, "max({}, {})"},    Form{Op::Power, "({} ^ {})"}};
    const Expression other = partnerOf(operand);
    const bool isFirst = below(2) == 0;
    const Expression left = isFirst ? operand : other;
    const Expression right = isFirst ? other : operand;
    Form form = oneOf(kForms);
    RuleResult result = ruleOfBinary(form.op, left.value(), right.value());
    if (const auto *value = std::get_if<RuleValue>(&result); value != nullptr && form.op == Op::Power) {
      const DType dtype = std::get<ReferenceArray>(*value).dtype;
      if (dtype == DType::F32 || dtype == DType::F64) { // libraries differ in the last place of powers
        form = kForms.front();
        result = ruleOfBinary(form.op, left.value(), right.value());
      }
    }
    return {[=](bool as) { return fmt::format(fmt::runtime(form.text), left.text(as), right.text(as)); }, std::move(result)};
  }

  /// `full` takes no tensor as its value, so the number stands in the body.
  Expression filling() {
    const DType dtype = drawDType();
    const LuaNumber number = drawNumber();
    const Shape shape = drawShape();
    return {[=](bool) {
              return fmt::format("full({{{}}}, {}, '{}')", fmt::join(shape.sizes(), ", "), luaText(number), graph::nameOf(dtype));
            },
            ruleOfFilling({number}, shape, dtype)};
  }

  std::mt19937_64 m_random;
  std::vector<ReferenceArray> m_variables;
  std::vector<std::string> m_definitions;
  std::vector<LuaNumber> m_numbers;
};

std::string elementText(DType dtype, std::uint64_t bits) {
  switch (dtype) {
  case DType::Pred:
    return bits != 0 ? "true" : "false";
  case DType::S64:
    return fmt::format("{}", static_cast<std::int64_t>(bits));
  case DType::U8:
  case DType::S32:
    return fmt::format("{}", static_cast<std::int64_t>(numberOf(dtype, bits)));
  default:
    break;
  }
  const double value = numberOf(dtype, bits);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%a", value); // as Lua's string.format
  return std::isnan(value) ? "nan" : text.data();
}

std::string textOf(const ReferenceArray &array) {
  std::string text = fmt::format("{}[{}]", graph::nameOf(array.dtype), fmt::join(array.shape.sizes(), ","));
  for (const std::uint64_t bits : array.bits) {
    text += " " + elementText(array.dtype, bits);
  }
  return text;
}

bool isNumberText(const std::string &text, const LuaNumber &number) {
  if (const auto *whole = std::get_if<std::int64_t>(&number)) {
    return text == std::to_string(*whole);
  }
  const double value = std::get<double>(number);
  const double given = std::strtod(text.c_str(), nullptr);
  return std::isnan(value) ? std::isnan(given) : given == value && text.find_first_of(".einf") != std::string::npos;
}

std::string errorProblem(const RuleError &error, const std::string &line) {
  if (error.kind == RuleError::Kind::NotForPred) {
    return line.find("is not defined for pred") == std::string::npos ? "expected that it is not defined for pred" : "";
  }
  static const std::regex kMessage("error .*: (\\w+) cannot hold ([^;,]+)[;,].*\"(\\w+)\"\\)?$");
  std::smatch parts;
  const std::string expected = fmt::format("expected that {} cannot hold {}, with {} as the remedy", graph::nameOf(error.dtype),
                                           luaText(error.number), graph::nameOf(error.remedy));
  if (!std::regex_search(line, parts, kMessage)) {
    return expected;
  }
  const bool isRight = parts[1].str() == graph::nameOf(error.dtype) && isNumberText(parts[2].str(), error.number) &&
                       parts[3].str() == graph::nameOf(error.remedy);
  return isRight ? "" : expected;
}

} // namespace

RandomScript randomScript(std::uint64_t seed) { return Drawer(seed).draw(); }

std::string problemOf(const RandomScript &script, const std::string &printed) {
  std::istringstream lines(printed);
  std::string line;
  for (const char *how : {"eager", "body", "argument"}) {
    std::getline(lines, line);
    if (!line.starts_with(how)) {
      return fmt::format("'{}' printed nothing; the output is:\n{}", how, printed);
    }
    std::string problem;
    if (const auto *error = std::get_if<RuleError>(&script.expected)) {
      problem = errorProblem(*error, line);
    } else if (const std::string expected = textOf(std::get<ReferenceArray>(std::get<RuleValue>(script.expected)));
               line != how + (" " + expected)) {
      problem = "expected " + expected;
    }
    if (!problem.empty()) {
      return fmt::format("{}\ngot {}\n", problem, line);
    }
  }
  return "";
}

} // namespace jitscope::testing
