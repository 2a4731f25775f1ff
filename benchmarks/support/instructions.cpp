#include "support/instructions.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support/rooms.h"

namespace oloid::bench {

std::optional<std::int64_t> count_instructions(const std::function<void()>& code) {
  const pid_t child = fork();
  if (child == 0) {  // stops itself before and after the code
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    raise(SIGSTOP);
    code();
    raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return std::nullopt;
  std::int64_t count = 0;
  do {
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) break;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) break;
    ++count;
  } while (WSTOPSIG(status) == SIGTRAP);
  const bool complete = WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  if (!complete) return std::nullopt;
  return count;
}

}  // namespace oloid::bench
