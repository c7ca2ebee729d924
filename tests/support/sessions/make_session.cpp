// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a made-up session of any size: jitscope_make_session FILE [CALLS [TEMPLATES [THREADS]]].
#include "support/sessions/big_session.h"

#include <cstdio>
#include <cstdlib>

using namespace jitscope;

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: jitscope_make_session FILE [CALLS [TEMPLATES [THREADS]]]\n");
    return 2;
  }
  test::BigSession shape;
  shape.calls = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : shape.calls;
  shape.templates = argc > 3 ? static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10)) : shape.templates;
  shape.threads = argc > 4 ? static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10)) : shape.threads;
  const base::Result<void> written = test::writeBigSession(argv[1], shape);
  if (!written) {
    std::fprintf(stderr, "%s\n", base::describe(written.error()).c_str());
    return 2;
  }
  return 0;
}
