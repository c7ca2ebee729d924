// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors from nothing: iota, zeros, ones, full are operations; uniform, normal and tensor make their elements here.
#include "script/bindings/tensors/bindings_creation.h"
#include "graph/constant.h"
#include "script/bindings/bindings.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/lua/table_reader.h"
#include "script/script_context.h"
#include "script/tensor/lua_tensor.h"
#include "script/tensor/random_tensors.h"
#include "script/trace/calls.h"

#include <array>
#include <bit>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;
using graph::DType;

namespace {

constexpr char kUniform[] = "uniform";
constexpr char kNormal[] = "normal";

int iota(lua_State *lua) {
  checkCount(lua, "iota", 1, 2);
  return perform(lua, IotaOperation{shapeAt(lua, 1, "iota"), dtypeAt(lua, 2, "iota", DType::F32)}, {});
}

template <FullOperation::Value value> int constantTensor(lua_State *lua) {
  const std::string name = nameOf(FullOperation{value, {}, DType::F32});
  checkCount(lua, name, 1, 2);
  return perform(lua, FullOperation{value, shapeAt(lua, 1, name), dtypeAt(lua, 2, name, DType::F32)}, {});
}

int full(lua_State *lua) {
  checkCount(lua, "full", 2, 3);
  const graph::Shape shape = shapeAt(lua, 1, "full");
  numberAt(lua, 2, "full", "value");
  return perform(lua, FullOperation{FullOperation::Value::Operand, shape, dtypeAt(lua, 3, "full", DType::F32)}, std::array{2});
}

template <Distribution distribution, const char *name> int random(lua_State *lua) {
  checkCount(lua, name, 1, 3);
  const graph::Shape shape = shapeAt(lua, 1, name);
  const DType dtype = dtypeAt(lua, 2, name, DType::F32);
  if (!isFloat(dtype)) {
    raise(lua, ErrorCode::ScriptArgument,
          fmt::format("{}: gives f32 or f64, not {}; convert it with as_type", name, nameOf(dtype)));
  }
  ScriptContext &context = contextOf(lua);
  // Without a seed each tensor has another, but every run of the script has the same ones.
  const std::uint64_t seed =
      lua_isnoneornil(lua, 3) ? context.nextSeed++ : static_cast<std::uint64_t>(integerAt(lua, 3, name, "seed"));
  graph::Tensor tensor = allocateTensor(lua, dtype, shape, name);
  fillRandom(tensor, distribution, seed, [&] {
    if (std::optional<base::Error> error = context.watchdog.check()) {
      raiseFinal(lua, std::move(*error));
    }
  });
  pushTensor(lua, std::move(tensor));
  return 1;
}

template <typename T> void store(const graph::Tensor &tensor, const std::vector<std::uint64_t> &bits) {
  std::span<T> elements = tensor.elements<T>();
  for (std::size_t i = 0; i < bits.size(); ++i) {
    elements[i] = static_cast<T>(bits[i]);
  }
}

int tensorFromTable(lua_State *lua) {
  checkCount(lua, "tensor", 1, 2);
  const TableContents contents = readTable(lua, 1);
  const DType dtype = dtypeAt(lua, 2, "tensor", contents.naturalDType());
  std::vector<std::uint64_t> bits;
  bits.reserve(contents.elements.size());
  for (const Element &element : contents.elements) {
    const graph::Number number = numberOf(element);
    if (!holds(dtype, number, graph::Holding::Filling)) {
      raise(lua, ErrorCode::ScriptArgument, "tensor: " + holdingProblem(dtype, number, graph::Holding::Filling));
    }
    bits.push_back(std::visit([dtype](auto value) { return graph::constantBits(dtype, value); }, number));
  }
  graph::Tensor tensor = allocateTensor(lua, dtype, contents.shape, "tensor");
  switch (byteSize(dtype)) {
  case 1:
    store<std::uint8_t>(tensor, bits);
    break;
  case 4:
    store<std::uint32_t>(tensor, bits);
    break;
  default:
    store<std::uint64_t>(tensor, bits);
    break;
  }
  pushTensor(lua, std::move(tensor));
  return 1;
}

constexpr auto kCreationBindings = std::to_array<Binding>({
    {"iota", guarded<iota>, true, false},
    {"zeros", guarded<constantTensor<FullOperation::Value::Zero>>, true, false},
    {"ones", guarded<constantTensor<FullOperation::Value::One>>, true, false},
    {"full", guarded<full>, true, false},
    {kUniform, guarded<random<Distribution::Uniform, kUniform>>, true, false},
    {kNormal, guarded<random<Distribution::Normal, kNormal>>, true, false},
    {"tensor", guarded<tensorFromTable>, true, false},
});

} // namespace

void addCreation(lua_State *lua) { addBindings(lua, kCreationBindings); }

} // namespace jitscope::script
