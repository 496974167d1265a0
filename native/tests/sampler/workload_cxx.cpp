// FLAVOUR is the name that this compilation gives to its table.
#include "workload.h"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline, noclone))

namespace {

volatile long sink;

void here() {
  if (workload_here != nullptr) workload_here();
}

struct Guarded {
  ~Guarded() {
    here();
    sink = sink + 1;
  }
};

NOINLINE void thrower(int depth) {
  Guarded guarded;
  if (depth == 0) throw std::runtime_error("planted");
  thrower(depth - 1);
  sink = sink + depth;
}

NOINLINE void rethrower(int depth) {
  try {
    thrower(depth);
  } catch (const std::exception&) {
    here();
    throw;
  }
}

void exceptions() {
  try {
    rethrower(2);
  } catch (const std::runtime_error& e) {
    sink = sink + e.what()[0];
    here();
  }
}

void containers() {
  std::map<std::string, int> words;
  for (const char* word : {"one", "two", "three", "two"}) words[word]++;
  std::vector<int> values{3, 1, 2, 5, 4};
  std::sort(values.begin(), values.end(), [](int a, int b) {
    here();
    return a < b;
  });
  std::function<int(int)> add = [&](int n) {
    here();
    return n + values[0];
  };
  sink = sink + add(words["two"]);
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double x) const = 0;
};
struct Square : Shape {
  double area(double x) const override {
    here();
    return x * x;
  }
};

void streams() {
  Square square;
  const Shape& shape = square;
  std::ostringstream out;
  out << shape.area(2.5) << ' ' << 7;
  sink = sink + static_cast<long>(out.str().size());
}

}  // namespace

extern "C" const Piece FLAVOUR[] = {
    {"exceptions", exceptions},
    {"containers", containers},
    {"streams", streams},
    {nullptr, nullptr},
};
