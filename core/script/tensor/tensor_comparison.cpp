// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/tensor/tensor_comparison.h"
#include "script/lua/lua_error.h"
#include "script/lua/table_reader.h"
#include "script/script_context.h"
#include "script/tensor/lua_tensor.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

namespace {

/// The elements of a tensor, number or table, whichever it is.
class Elements {
public:
  Elements(lua_State *lua, int index) {
    const TensorValue *value = asTensor(lua, index);
    if (value == nullptr) {
      m_contents = readTable(lua, index);
      return;
    }
    if (const auto *symbolic = std::get_if<SymbolicTensor>(value)) {
      contextOf(lua).tracer.raiseForeignTensor(lua, *symbolic);
    }
    m_tensor = std::get<graph::Tensor>(*value);
  }

  [[nodiscard]] const graph::Shape &shape() const { return m_tensor ? m_tensor->shape : m_contents.shape; }
  [[nodiscard]] Element at(std::int64_t index) const {
    return m_tensor ? elementAt(*m_tensor, index) : m_contents.elements[static_cast<std::size_t>(index)];
  }
  /// The element as it is compared with one of `other`: Lua numbers round to f32 next to a tensor of that, as in all comparisons.
  [[nodiscard]] Element besides(const Elements &other, std::int64_t index) const {
    const Element element = at(index);
    const bool isRounded = !m_tensor && other.m_tensor && other.m_tensor->dtype == graph::DType::F32;
    if (const graph::Number number = numberOf(element); isRounded && holds(graph::DType::F32, number, graph::Holding::Exact)) {
      return static_cast<double>(std::visit([](auto value) { return static_cast<float>(value); }, number));
    }
    return element;
  }
  [[nodiscard]] std::string text() const {
    if (m_tensor) {
      return headOf(*m_tensor);
    }
    return shape().isScalar() ? textOf(at(0)) : fmt::format("a table of shape {}", toString(shape()));
  }

private:
  std::optional<graph::Tensor> m_tensor;
  TableContents m_contents;
};

/// How far apart two elements are; 0 when they are equal, NaN when only one is NaN. Exact where both are whole, which a double
/// could not tell of large neighbours.
double distance(const Element &left, const Element &right) {
  const graph::Number x = numberOf(left);
  const graph::Number y = numberOf(right);
  const auto toDouble = [](const graph::Number &number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
  };
  const double apart = std::fabs(toDouble(x) - toDouble(y));
  const bool areWhole = holds(graph::DType::S64, x, graph::Holding::Exact) && holds(graph::DType::S64, y, graph::Holding::Exact);
  if (areWhole) {
    const auto toInteger = [](const graph::Number &number) {
      return std::visit([](auto value) { return static_cast<std::int64_t>(value); }, number);
    };
    return toInteger(x) == toInteger(y) ? 0 : std::max(1.0, apart);
  }
  const bool areAlike = toDouble(x) == toDouble(y) || (std::isnan(toDouble(x)) && std::isnan(toDouble(y)));
  return areAlike ? 0 : apart;
}

std::string placeText(const graph::Shape &shape, std::int64_t index) {
  std::string text;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    text = fmt::format("{}{}{}", index % shape[axis], text.empty() ? "" : ",", text);
    index /= shape[axis];
  }
  return "[" + text + "]";
}

Comparison compareElements(const Elements &actual, const Elements &expected, double tolerance) {
  Comparison result{true, expected.text(), actual.text()};
  if (actual.shape() != expected.shape()) {
    result.isEqual = false;
    return result;
  }
  if (tolerance > 0) {
    result.expected += fmt::format(" within {:g}", tolerance);
  }
  double worst = 0;
  std::int64_t worstIndex = 0;
  std::int64_t differing = 0;
  const std::int64_t count = actual.shape().elementCount();
  for (std::int64_t i = 0; i < count; ++i) {
    const double apart = distance(actual.besides(expected, i), expected.besides(actual, i));
    if (apart <= tolerance) {
      continue;
    }
    if (differing++ == 0 || apart > worst) {
      worst = apart;
      worstIndex = i;
    }
  }
  result.isEqual = differing == 0;
  if (differing > 0 && !actual.shape().isScalar()) {
    result.actual +=
        fmt::format(" ({} of {} elements differ, most at {}: {} instead of {})", differing, count,
                    placeText(actual.shape(), worstIndex), textOf(actual.at(worstIndex)), textOf(expected.at(worstIndex)));
  }
  return result;
}

bool isArray(lua_State *lua, int index) { return asTensor(lua, index) != nullptr || lua_istable(lua, index); }

/// Whether the two are compared element by element: two numbers, or an array with an array, a number or a boolean.
bool haveElements(lua_State *lua, int left, int right) {
  const auto isScalar = [&](int index) { return lua_type(lua, index) == LUA_TNUMBER || lua_isboolean(lua, index); };
  const bool areNumbers = lua_type(lua, left) == LUA_TNUMBER && lua_type(lua, right) == LUA_TNUMBER;
  return areNumbers || (isArray(lua, left) && (isArray(lua, right) || isScalar(right))) || (isScalar(left) && isArray(lua, right));
}

std::string valueText(lua_State *lua, int index) {
  std::size_t length = 0;
  const char *text = luaL_tolstring(lua, index, &length);
  std::string result(text, length);
  lua_pop(lua, 1);
  return result;
}

} // namespace

Comparison compareValues(lua_State *lua, int actual, int expected, double tolerance) {
  if (haveElements(lua, actual, expected)) {
    return compareElements(Elements(lua, actual), Elements(lua, expected), tolerance);
  }
  return {lua_rawequal(lua, actual, expected) != 0, valueText(lua, expected), valueText(lua, actual)};
}

} // namespace jitscope::script
