// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/session_info.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace jitscope::session {

namespace {

/// The value after `key` and ':' or '=' on the first line that begins with it, without quotes.
std::string fieldFromFile(const char *path, std::string_view key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(key)) {
      continue;
    }
    const std::size_t separator = line.find_first_of(":=", key.size());
    if (separator == std::string::npos) {
      continue;
    }
    const std::size_t begin = line.find_first_not_of(" \t\"", separator + 1);
    if (begin == std::string::npos) {
      return {};
    }
    const std::size_t end = line.find_last_not_of(" \t\"");
    return line.substr(begin, end + 1 - begin);
  }
  return {};
}

std::string describeCpu() {
  std::string model = fieldFromFile("/proc/cpuinfo", "model name");
  const unsigned count = std::thread::hardware_concurrency();
  if (model.empty()) {
    model = "unknown CPU";
  }
  return fmt::format("{}, {} logical CPU{}", model, count, count == 1 ? "" : "s");
}

std::string describeSystem() {
  utsname system{};
  if (uname(&system) != 0) {
    return "unknown";
  }
  std::string distribution = fieldFromFile("/etc/os-release", "PRETTY_NAME");
  if (distribution.empty()) {
    distribution = static_cast<const char *>(system.sysname);
  }
  return fmt::format("{}, {} {} {}", distribution, static_cast<const char *>(system.sysname),
                     static_cast<const char *>(system.release), static_cast<const char *>(system.machine));
}

std::string hostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) {
    return "unknown";
  }
  return name.data();
}

} // namespace

std::string makeUuid() {
  std::array<unsigned char, 16> bytes{};
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got > 0) {
      filled += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      // No such call here (a very old kernel, or a filter): the C++ library's own source.
      std::random_device source;
      for (; filled < bytes.size(); ++filled) {
        bytes[filled] = static_cast<unsigned char>(source());
      }
    }
  }
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0fU) | 0x40U);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3fU) | 0x80U);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      text += '-';
    }
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

std::string utcNow() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec, now.tv_nsec / 1'000'000);
}

SessionInfo describeThisMachine() {
  SessionInfo info;
  info.uuid = makeUuid();
  info.jitscopeVersion = JITSCOPE_VERSION;
  info.startedUtc = utcNow();
  info.host = hostName();
  info.cpu = describeCpu();
  info.cpuFeatures = fieldFromFile("/proc/cpuinfo", "flags");
  info.os = describeSystem();
  info.options = "{}";
  return info;
}

} // namespace jitscope::session
