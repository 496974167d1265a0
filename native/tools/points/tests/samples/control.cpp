// Control flow of C++: exceptions through frames, catches, virtual tail calls, templates, lambdas.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "counted.h"

namespace {
volatile long thrown, caught, stepped, areas, circles, squares, deep, returned, applied, cleaned, lines[3];
}

struct Guard {
  KEEP ~Guard() { cleaned = cleaned + 1; }
};

KEEP int dive(int depth) {
  deep = deep + 1;
  Guard guard;
  if (depth > 6) {
    thrown = thrown + 1;
    throw std::runtime_error("deep");
  }
  const int result = depth % 4 == 3 ? depth : dive(depth + 1);
  returned = returned + 1;
  return result + 1;
}

KEEP int attempt(int x) {
  try {
    const int result = dive(x);
    lines[2] = lines[2] + 1;  // line 2
    return result;
  } catch (const std::exception &e) {
    caught = caught + 1;  // line 0
    return static_cast<int>(std::string(e.what()).size());
  }
}

KEEP int swallow(int x) {
  try {
    if (x % 3 == 0) throw x;
    lines[1] = lines[1] + 1;  // line 1
  } catch (...) {
  }
  return x;
}

struct Shape {
  virtual ~Shape() {}
  virtual double area() const = 0;
};
struct Circle : Shape {
  KEEP double area() const override {
    circles = circles + 1;
    return 3.0;
  }
};
struct Square : Shape {
  KEEP double area() const override {
    squares = squares + 1;
    return 4.0;
  }
};
KEEP double areaOf(const Shape *shape) {
  areas = areas + 1;
  return shape->area();
}

namespace solving {
template <class T>
struct Solver {
  T value;
  KEEP T step(T by) {
    stepped = stepped + 1;
    return value += by;
  }
};
}  // namespace solving

template <class F>
KEEP int apply(F f, int x) {
  applied = applied + 1;
  return f(x) + 1;
}

int main(int argc, char **) {
  const int rounds = argc + 12;
  double total = 0;
  solving::Solver<int> solver = {1};
  solving::Solver<double> other = {0.5};
  Circle circle;
  Square square;
  std::vector<int> order;
  for (int i = 0; i < rounds; i++) {
    total += attempt(i % 9) + swallow(i);
    total += areaOf(i % 2 ? static_cast<Shape *>(&circle) : &square);
    total += solver.step(i) + other.step(i);
    total += apply([&](int x) { return x * 2; }, i);
    order.push_back(i * 7 % 5);
  }
  std::sort(order.begin(), order.end());
  printf("%.2f %d\n", total, order[3]);
  printCount("dive", deep);
  printCount("exit:dive", returned);
  printCount("attempt", rounds);
  printCount("exit:attempt", rounds);
  printCount("swallow", rounds);
  printCount("exit:swallow", rounds);
  printCount("Guard::~Guard", cleaned);
  printCount("exit:Guard::~Guard", cleaned);
  printCount("Circle::area", circles);
  printCount("exit:Circle::area", circles);
  printCount("Square::area", squares);
  printCount("areaOf", areas);
  printCount("exit:areaOf", areas);
  printCount("solving::Solver::step", stepped);
  printCount("exit:Solver::step", stepped);
  printCount("Solver<int>::step(int)", rounds);
  printCount("apply", applied);
  printCount("exit:apply", applied);
  printCount("line 0", caught);
  printCount("line 1", lines[1]);
  printCount("line 2", lines[2]);
  printCount("before:__cxa_throw@dive", thrown);
  printCount("after:dive@attempt", rounds - caught);
  return 0;
}
