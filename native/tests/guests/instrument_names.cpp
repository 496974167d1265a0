// Functions with all kinds of names, each called a few times below main, which takes a lock.
#include <pthread.h>

#include <string>

#define NOINLINE __attribute__((noinline))

namespace planted {

volatile int sink;

namespace {
NOINLINE void inUnnamedSpace() { sink = 1; }
}  // namespace

NOINLINE static void local() { sink = 2; }

struct Number {
  NOINLINE explicit Number(int v) : value(v) { sink = v; }
  NOINLINE ~Number() { sink = 3; }
  NOINLINE Number operator*(const Number& other) const { return Number(value * other.value); }
  NOINLINE Number& operator*=(int by) {
    value *= by;
    return *this;
  }
  NOINLINE int operator()(int a, int b) const { return value + a + b + sink; }
  NOINLINE operator int() const { return value + sink; }
  NOINLINE bool operator<(const Number& other) const { return value < other.value + sink; }
  int value;
};

template <class A, class B>
struct Pair {
  NOINLINE int sum(const B& b) const { return static_cast<int>(a + b) + sink; }
  NOINLINE int length(const B& b) const { return a[b] + sink; }
  A a;
};
template <class T>
NOINLINE T twice(T t) {
  return t + t + static_cast<T>(sink);
}
NOINLINE std::string text(int n) { return std::string(static_cast<size_t>(n), 'a'); }
NOINLINE void takesFunction(int (*f)(int)) { sink = f(1); }
NOINLINE void overloaded(int i) { sink = i; }
NOINLINE void overloaded(double d) { sink = static_cast<int>(d); }

}  // namespace planted

extern "C" NOINLINE void planted_c(void) { planted::sink = 5; }

int main() {
  using namespace planted;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  const auto lambda = [](int i) __attribute__((noinline)) { return i + sink; };
  for (int i = 0; i < 5; i++) {
    inUnnamedSpace();
    local();
    Number a(2), b(3);
    Number c = a * b;
    c *= 2;
    sink = c(1, 2) + static_cast<int>(c) + (a < b ? 1 : 0);
    sink = Pair<int, long>{1}.sum(2) + Pair<const char*, int>{"abcdefgh"}.length(2);
    sink = twice<int>(2) + static_cast<int>(twice<double>(2));
    sink = static_cast<int>(text(3).size());
    takesFunction(lambda);
    overloaded(1);
    overloaded(1.0);
    planted_c();
  }
  return 0;
}
