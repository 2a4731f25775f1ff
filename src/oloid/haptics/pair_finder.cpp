#include "oloid/haptics/pair_finder.h"

#include <chrono>

namespace oloid::haptics {

PairFinder::PairFinder(const HapticTool& tool)
    : exchange_(tool.exchange()), search_(tool.tool(), tool.model(), tool.law().reach) {}

PairFinder::~PairFinder() { stop(); }

bool PairFinder::step() {
  if (!exchange_->places.refresh()) return false;
  exchange_->pairs.draft() = search_.at(exchange_->places.latest());
  exchange_->pairs.publish();
  return true;
}

void PairFinder::start(double period) {
  stop();
  stopping_ = false;
  thread_ = std::thread([this, period] { run(period); });
}

void PairFinder::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void PairFinder::run(double period) {
  const std::chrono::duration<double> pause(period);
  while (!stopping_) {
    const auto due = std::chrono::steady_clock::now() + pause;
    step();
    std::this_thread::sleep_until(due);
  }
}

}  // namespace oloid::haptics
