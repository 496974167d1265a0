#include <cmath>

#include "drops.h"

namespace drops {

Levelset::Levelset(size_t cells, int rank) : values_(cells) {
  for (size_t i = 0; i < cells; i++) {
    centers_.push_back(Point(static_cast<double>(i), 0.1 * rank, 0) * (1.0 / static_cast<double>(cells)));
    values_[i] = distance(i);
  }
}

const Point& Levelset::center(size_t i) const { return centers_[i]; }

double Levelset::distance(size_t i) const {
  const Point shifted = centers_[i] + Point(-0.5, 0, 0);
  return std::sqrt(shifted.dot(shifted)) - 0.25;
}

double Levelset::info() const {
  double volume = 0;
  for (size_t i = 0; i < values_.size(); i++) volume += values_[i] < 0 ? 1 : 0;
  return Process::sum(volume);
}

void Levelset::reparametrize(int marches) {
  FastMarch march(&values_);
  march.reparam(marches);
  march.distribute();
}

void FastMarch::update(size_t i, double value) {
  front_.insert({std::fabs(value), i});
}

std::pair<double, size_t> FastMarch::closest() const { return *front_.begin(); }

// What one rank computes for all: the serial bottleneck.
void FastMarch::reparam(int marches) {
  if (Process::rank() != 0) return;
  for (int round = 0; round < marches; round++) {
    for (size_t i = 0; i < values_->size(); i++) update(i, (*values_)[i]);
    while (!front_.empty()) {
      const auto [value, i] = closest();
      front_.erase(front_.begin());
      (*values_)[i] = std::copysign(value, (*values_)[i]);
    }
  }
}

void FastMarch::distribute() {
  if (Process::rank() == 0) {
    for (int target = 1; target < Process::size(); target++) Process::send(target, 7, *values_);
  } else {
    Process::probe(0, 7);
    Process::receive(0, 7, values_);
  }
}

// One step of Jacobi's iteration, in tiny steps.
void Scheme::solve() {
  Vector& x = levelset_->values();
  for (size_t row = 0; row < matrix_.rows(); row++) {
    step_[row] = (x[row] - matrix_.rowTimes(row, x)) / matrix_.at(row, row);
  }
  for (size_t row = 0; row < matrix_.rows(); row++) x[row] = x[row] + 1e-3 * step_[row];
}

void Scheme::doStep() {
  for (int sweep = 0; sweep < 4; sweep++) solve();
}

}  // namespace drops
