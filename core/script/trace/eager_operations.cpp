// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/trace/eager_operations.h"
#include "base/try.h"
#include "script/trace/graph_parameters.h"

#include <memory>

namespace jitscope::script {

using base::Result;

namespace {

/// Carries an operation through the engine: what it needs besides tensors.
class OperationHandle final : public StaticHandle {
public:
  explicit OperationHandle(Operation operation) : m_operation(std::move(operation)) {}
  [[nodiscard]] const Operation &operation() const { return m_operation; }

private:
  Operation m_operation;
};

/// Gives the one-operation graph. Touches no Lua.
class EagerSource final : public GraphSource {
public:
  EagerSource(std::shared_ptr<const base::FunctionId> id, Operation operation)
      : m_id(std::move(id)), m_operation(std::move(operation)) {}

  Result<std::shared_ptr<const graph::Graph>> trace(const graph::Template &tmpl, std::span<const Argument> arguments) override {
    const Operation *operation = &m_operation; // one without attributes is always the same
    for (const Argument &argument : arguments) {
      if (const auto *attributes = std::get_if<StaticArgument>(&argument)) {
        operation = &dynamic_cast<const OperationHandle &>(*attributes->handle).operation();
      }
    }
    std::vector<graph::TensorType> types = tensorTypesOf(tmpl);
    const std::vector<graph::NodeIndex> operands = parameterNodes(types.size());
    graph::GraphBuilder builder(nameOf(*operation), 0, *m_id, std::move(types));
    JITSCOPE_TRY(const graph::NodeIndex node, apply(*operation, builder, operands));
    return builder.finish({node});
  }

  void forget(const graph::Template & /*tmpl*/) override {} // nothing is kept

private:
  std::shared_ptr<const base::FunctionId> m_id;
  Operation m_operation;
};

} // namespace

base::FunctionId EagerOperations::functionFor(Host &host, const Operation &operation) {
  std::string name = nameOf(operation);
  if (const auto known = m_functions.find(name); known != m_functions.end()) {
    return known->second;
  }
  const auto id = std::make_shared<base::FunctionId>();
  *id = host.defineFunction(name, 0, true, std::make_unique<EagerSource>(id, operation));
  return m_functions.emplace(std::move(name), *id).first->second;
}

std::optional<Argument> EagerOperations::attributeArgument(const Operation &operation) {
  std::string text = attributesOf(operation);
  if (text.empty()) {
    return std::nullopt;
  }
  return StaticArgument{{std::move(text)}, std::make_shared<OperationHandle>(operation)};
}

} // namespace jitscope::script
