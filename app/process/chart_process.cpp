// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/chart_process.h"

#include "process/child_process.h"

#include "analysis/query/selection_text.h"
#include "base/try.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr auto kProgram = "jitscope-charts";

/// A file that is in memory alone and goes with this process, however that ends.
class MemoryFile {
public:
  explicit MemoryFile(const char *name) : m_descriptor(::memfd_create(name, MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (m_descriptor >= 0) {
      ::close(m_descriptor);
    }
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  [[nodiscard]] int descriptor() const { return m_descriptor; }
  /// For this process, and for a child until it becomes another program.
  [[nodiscard]] fs::path path() const { return fmt::format("/proc/self/fd/{}", m_descriptor); }

  /// All of it, from the beginning; what could be read where reading fails.
  [[nodiscard]] std::string content() const {
    std::string result;
    std::array<char, 65536> buffer{};
    for (ssize_t count = 1; count > 0;) {
      count = ::pread(m_descriptor, buffer.data(), buffer.size(), static_cast<off_t>(result.size()));
      result.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    return result;
  }

private:
  int m_descriptor;
};

} // namespace

Result<fs::path> findCharts() {
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  fs::path program = command.parent_path() / kProgram;
  if (error || ::access(program.c_str(), X_OK) != 0) {
    return fail(ErrorCode::RuntimeOption,
                fmt::format("{}, the program that draws, is not installed in {}; it comes with the window", kProgram,
                            error ? "the command's folder" : command.parent_path().string()));
  }
  return program;
}

Result<std::string> drawnReport(const fs::path &session, std::string_view format, const analysis::Selection &selection) {
  JITSCOPE_TRY(const fs::path program, findCharts());
  const MemoryFile output("report");
  const MemoryFile log("messages");
  if (output.descriptor() < 0 || log.descriptor() < 0) {
    return fail(ErrorCode::RuntimeProcess, fmt::format("no memory for {} to write to: {}", kProgram, std::strerror(errno)));
  }
  // Whoever ends the command ends its child as well.
  const std::atomic<bool> neverStops{false};
  std::vector<std::string> arguments{"--format", std::string(format)};
  for (std::string &condition : analysis::conditionsOf(selection)) {
    arguments.emplace_back("--only");
    arguments.push_back(std::move(condition));
  }
  arguments.insert(arguments.end(), {"--", fs::absolute(session).string()});
  JITSCOPE_TRY(const ChildEnd end, runChild({.program = program,
                                             .arguments = std::move(arguments),
                                             .log = log.path(),
                                             .stopRequested = neverStops,
                                             .outputDescriptor = output.descriptor()}));
  if (!end.isGood()) {
    return fail(ErrorCode::RuntimeProcess,
                fmt::format("{} {}{}{}", kProgram, end.description(), end.messages.empty() ? "" : ": ", end.messages));
  }
  std::string text = output.content();
  if (text.empty()) {
    return fail(ErrorCode::RuntimeProcess, fmt::format("{} wrote nothing", kProgram));
  }
  return text;
}

} // namespace jitscope::app
