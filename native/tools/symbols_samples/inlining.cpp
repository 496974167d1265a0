// Much inlined code of many kinds: what symbols_test resolves.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <vector>

namespace shapes {

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

template <class T>
struct Rectangle : Shape {
  Rectangle(T w, T h) : width(w), height(h) {}
  double area() const override { return static_cast<double>(width * height); }
  T width, height;
};

namespace {

inline double twice(double value) { return value + value; }

struct Circle : Shape {
  explicit Circle(double r) : radius(r) {}
  double area() const override { return twice(radius * radius * 1.5707963); }
  double radius;
};

}  // namespace
}  // namespace shapes

static inline int square(int value) {
  int result = 0;
  for (int i = 0; i < value; i++) result += value ^ (i & 1);
  return result;
}

static int sumOfSquares(const std::vector<int>& values) {
  return std::accumulate(values.begin(), values.end(), 0,
                         [](int sum, int value) { return sum + square(value); });
}

__attribute__((noinline)) static std::map<std::string, int> count(const std::vector<int>& values) {
  std::map<std::string, int> counts;
  for (const int value : values) counts["key" + std::to_string(value % 17)]++;
  return counts;
}

__attribute__((cold, noinline)) void fail(const char* what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

int main(int argc, char**) {
  std::vector<int> values(static_cast<size_t>(100 + argc));
  for (size_t i = 0; i < values.size(); i++) values[i] = static_cast<int>(i * 7919 % 101);
  std::sort(values.begin(), values.end(), [](int a, int b) { return square(a) < square(b); });
  std::vector<std::unique_ptr<shapes::Shape>> all;
  for (const int value : values) {
    if (value % 2 == 0) {
      all.push_back(std::make_unique<shapes::Rectangle<int>>(value, value + argc));
    } else {
      all.push_back(std::make_unique<shapes::Circle>(value * 0.5));
    }
  }
  double area = 0;
  for (const auto& shape : all) area += std::sqrt(shape->area());
  const std::function<double(double)> scale = [argc](double x) { return x * argc; };
  if (values.empty()) fail("no values");
  printf("%d %zu %.3f\n", sumOfSquares(values), count(values).size(), scale(area));
  return 0;
}
