// Waits at a barrier of one on planted paths. Built with hooks in its functions and without, the paths are the
// same once all that is not in `planted`, nor main, is left out.
#include <pthread.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <thread>

#define NOINLINE __attribute__((noinline))

namespace planted {

pthread_barrier_t barrier;
volatile int sink;

NOINLINE void wait() {
  pthread_barrier_wait(&barrier);
  sink = 1;
}

struct Shape {
  virtual ~Shape() = default;
  virtual void draw(int depth) = 0;
};
struct Circle : Shape {
  NOINLINE void draw(int) override { wait(); }
};
struct Square : Shape {
  NOINLINE void draw(int depth) override {
    if (depth > 0) draw(depth - 1);
    inner.draw(depth);
    wait();
  }
  Circle inner;
};
NOINLINE void shapes() {
  const std::unique_ptr<Shape> all[] = {std::make_unique<Circle>(), std::make_unique<Square>()};
  for (const auto& shape : all) shape->draw(3);
}

NOINLINE void recurse(int levels) {
  if (levels > 0) {
    recurse(levels - 1);
  } else {
    wait();
  }
  sink = levels;
}

// Called by code of libraries.
NOINLINE int compare(const void* a, const void* b) {
  wait();
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}
struct Less {
  NOINLINE bool operator()(int a, int b) const {
    wait();
    return a < b;
  }
};
NOINLINE void sorts() {
  std::array<int, 40> a, b;
  for (int i = 0; i < 40; i++) a[static_cast<size_t>(i)] = b[static_cast<size_t>(i)] = i * 7 % 40;
  qsort(a.data(), a.size(), sizeof a[0], compare);
  std::sort(b.begin(), b.end(), Less());
}
NOINLINE void callbacks() {
  const std::function<void(int)> f = recurse;
  f(2);
  f(5);
}

struct Waiting {
  NOINLINE ~Waiting() { wait(); }
};
NOINLINE void thrower(int levels) {
  const Waiting atTheEnd;
  if (levels > 0) thrower(levels - 1);
  if (sink > 0) throw levels;
  sink = 3;
}
NOINLINE void catcher() {
  try {
    thrower(3);
  } catch (int) {
    wait();
  }
  wait();
}

NOINLINE void* work(void*) {
  recurse(4);
  catcher();
  return nullptr;
}
NOINLINE void threads() {
  pthread_t first;
  pthread_create(&first, nullptr, work, nullptr);
  std::thread second(work, nullptr);
  pthread_join(first, nullptr);
  second.join();
}

NOINLINE void atEnd() { wait(); }

}  // namespace planted

int main() {
  pthread_barrier_init(&planted::barrier, nullptr, 1);
  atexit(planted::atEnd);
  for (int i = 0; i < 3; i++) planted::shapes();
  planted::recurse(100);
  planted::sorts();
  planted::callbacks();
  planted::catcher();
  planted::threads();
  planted::wait();
  return 0;
}
