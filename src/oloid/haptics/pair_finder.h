// Searches for new pairs beside the servo loop, in a thread of its own or in yours.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "oloid/haptics/tool.h"

namespace oloid::haptics {

class PairFinder {
 public:
  // The tool's bodies must outlive the finder; the tool itself may end before.
  explicit PairFinder(const HapticTool& tool);
  ~PairFinder();
  PairFinder(const PairFinder&) = delete;
  PairFinder& operator=(const PairFinder&) = delete;

  // One search, at the last pose that the tool was given; false if there was none since the step
  // before. Not while the thread runs, and from one thread only.
  bool step();

  // Steps in a thread, at most once in a period. [s]
  void start(double period = 0.005);
  void stop();

 private:
  void run(double period);

  std::shared_ptr<PairExchange> exchange_;
  PairSearch search_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace oloid::haptics
