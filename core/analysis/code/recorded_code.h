// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"
#include "session/optimizer_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {

/// Which point of a compile is meant: "final", another stage, the number of a pass or the name of one.
struct CodePoint {
  event::Stage stage = event::Stage::None;
  std::uint32_t passSeq = 0; ///< 0: at the end of the stage
  std::string passName;      ///< of `passSeq`; empty at the end of a stage
  std::int64_t irId = 0;
  std::string note; ///< why this is not quite what was asked for; empty where it is

  /// "final", "stage module" or "pass 12, InlinerPass".
  [[nodiscard]] std::string describe() const;
};

/// The code of one function that a session holds. Everything is read when it is made.
class RecordedCode {
public:
  /// Of the function that is meant by a name: its own, "name:line", its linker's name, the last part of "a::b::name" (the shortest
  /// of several), or a part that only one has. RuntimeOption for a name that is nobody's or several functions', with those that are
  /// near.
  [[nodiscard]] static base::Result<RecordedCode> find(session::SessionReader &reader, std::string_view name);

  [[nodiscard]] const event::FunctionEvent &function() const { return m_function; }
  [[nodiscard]] const std::vector<event::FunctionEvent> &allFunctions() const { return m_functions; }
  /// The compiles that hold code of it, without what hangs on them, in their order.
  [[nodiscard]] const std::vector<event::CompileEvent> &compiles() const { return m_compiles; }

  /// The code at a point of a compile. RuntimeOption, listing what there is, where it was not recorded. Of a function that was
  /// inlined everywhere, "final" is the last code that it had, with a note.
  [[nodiscard]] base::Result<CodePoint> at(const event::CompileEvent &compile, std::string_view point,
                                           const std::vector<event::PassRun> &passes) const;
  /// The points of a compile, for people: "before, function, module, final".
  [[nodiscard]] std::string pointsOf(base::CompileId compile) const;

private:
  [[nodiscard]] std::vector<session::SnapshotRow> snapshotsOf(base::CompileId compile) const;
  [[nodiscard]] base::Result<CodePoint> afterPass(const event::CompileEvent &compile, std::uint32_t seq,
                                                  const std::vector<event::PassRun> &passes) const;

  std::vector<event::FunctionEvent> m_functions;
  event::FunctionEvent m_function;
  std::vector<event::CompileEvent> m_compiles;
  std::vector<session::SnapshotRow> m_snapshots; ///< of the function
};

} // namespace jitscope::analysis
