#include "oloid/io/files/run_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX does not declare it

namespace oloid::io {
namespace {

// While it lives, the exit status of children can be read: the program that started us may have set
// SIGCHLD to be ignored, and then it would be lost.
class ChildrenWait {
 public:
  ChildrenWait() {
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &usual, &before_);
  }
  ~ChildrenWait() { ::sigaction(SIGCHLD, &before_, nullptr); }
  ChildrenWait(const ChildrenWait&) = delete;
  ChildrenWait& operator=(const ChildrenWait&) = delete;

 private:
  struct sigaction before_ = {};
};

// The child's number, or errno negated.
pid_t start(std::vector<std::string>& words, const ProgramStreams& streams) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (streams.in >= 0) posix_spawn_file_actions_adddup2(&actions, streams.in, STDIN_FILENO);
  if (streams.out >= 0) posix_spawn_file_actions_adddup2(&actions, streams.out, STDOUT_FILENO);
  if (streams.err >= 0) posix_spawn_file_actions_adddup2(&actions, streams.err, STDERR_FILENO);
  pid_t child = 0;
  const int trouble =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return trouble != 0 ? -trouble : child;
}

}  // namespace

std::optional<int> run_program(std::vector<std::string> words, const ProgramStreams& streams,
                               std::optional<std::chrono::milliseconds> patience) {
  constexpr std::chrono::milliseconds kPause(100);
  const ChildrenWait wait;
  const pid_t child = start(words, streams);
  if (child < 0) return child;
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, patience ? WNOHANG : 0);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return -errno;
    if (!patience) continue;
    if (patience->count() <= 0) return std::nullopt;
    std::this_thread::sleep_for(kPause);
    *patience -= kPause;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace oloid::io
