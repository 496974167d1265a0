// Many tiny functions, none of them inlined: trees of arithmetic are evaluated by virtual calls,
// each node asking its operands. The sum of all values is the answer.
//
//   bench_calls [ROUNDS]    each 2,047 nodes, three calls a node

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "bench_clock.h"

#define PARALLAX_OUTLINE __attribute__((noinline))

namespace {

class Expression {
 public:
  virtual ~Expression() = default;
  virtual uint32_t value(uint32_t x) const = 0;
};

class Number : public Expression {
 public:
  explicit Number(uint32_t number) : number_(number) {}
  PARALLAX_OUTLINE uint32_t value(uint32_t x) const override { return mix(number_, x); }

 private:
  PARALLAX_OUTLINE static uint32_t mix(uint32_t a, uint32_t b) {
    a ^= b * 0x9E3779B9u;
    a ^= a >> 15;
    a *= 0x85EBCA6Bu;
    return a ^ (a >> 13);
  }
  uint32_t number_;
};

class Operation : public Expression {
 public:
  Operation(std::unique_ptr<Expression> left, std::unique_ptr<Expression> right)
      : left_(std::move(left)), right_(std::move(right)) {}
  PARALLAX_OUTLINE uint32_t value(uint32_t x) const override {
    return combined(left().value(x), right().value(x + 1));
  }

 protected:
  PARALLAX_OUTLINE virtual uint32_t combined(uint32_t a, uint32_t b) const { return a + b; }

 private:
  PARALLAX_OUTLINE const Expression& left() const { return *left_; }
  PARALLAX_OUTLINE const Expression& right() const { return *right_; }
  std::unique_ptr<Expression> left_, right_;
};

class Product : public Operation {
 public:
  using Operation::Operation;

 protected:
  PARALLAX_OUTLINE uint32_t combined(uint32_t a, uint32_t b) const override {
    return a * b + (a >> 7);
  }
};

std::unique_ptr<Expression> tree(int depth, uint32_t* next) {
  if (depth == 0) return std::make_unique<Number>((*next)++);
  auto left = tree(depth - 1, next);
  auto right = tree(depth - 1, next);
  if (depth % 2 == 0) return std::make_unique<Product>(std::move(left), std::move(right));
  return std::make_unique<Operation>(std::move(left), std::move(right));
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 100;
  uint32_t leaf = 1, sum = 0;
  const auto root = tree(10, &leaf);
  const bench_section begin = bench_begin();
  for (int i = 0; i < rounds; ++i) sum += root->value(sum + static_cast<uint32_t>(i));
  const bench_section section = bench_end(begin);
  printf("wall_ns %lld\ncpu_ns %lld\nanswer %u\n", static_cast<long long>(section.wall_ns),
         static_cast<long long>(section.cpu_ns), sum);
  return 0;
}
