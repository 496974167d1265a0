// A two-phase flow solver in small, after the structure of the one in Szebenyi et al. 2011,
// section IV: many tiny member functions, a redistribution that one rank computes while the
// others probe for its messages, and an output that one rank writes while the others wait.
#pragma once

#include <array>
#include <cstddef>
#include <fstream>
#include <set>
#include <vector>

namespace drops {

class Point {
 public:
  Point() : x_{} {}
  Point(double x, double y, double z) : x_{x, y, z} {}
  double& operator[](size_t i);
  double operator[](size_t i) const;
  Point operator+(const Point& other) const;
  Point operator*(double factor) const;
  double dot(const Point& other) const;

 private:
  std::array<double, 3> x_;
};

class Vector {
 public:
  explicit Vector(size_t size) : values_(size) {}
  size_t size() const;
  double& operator[](size_t i);
  double operator[](size_t i) const;
  double norm() const;

 private:
  std::vector<double> values_;
};

// The Laplacian of a chain of cells, never stored.
class Matrix {
 public:
  explicit Matrix(size_t size) : size_(size) {}
  double at(size_t row, size_t column) const;
  double rowTimes(size_t row, const Vector& x) const;
  size_t rows() const;

 private:
  size_t size_;
};

class Process {
 public:
  static void init(int* count, char*** arguments);
  static int rank();
  static int size();
  static double sum(double value);               // MPI_Allreduce
  static void probe(int source, int tag);        // MPI_Probe
  static void send(int target, int tag, const Vector& v);
  static void receive(int source, int tag, Vector* v);
};

struct Settings {
  int steps = 0, cells = 0, lines = 0, marches = 0;
  bool flushEachLine = false;
  const char* output = nullptr;
};

class Levelset {
 public:
  Levelset(size_t cells, int rank);
  void reparametrize(int marches);  // on rank 0 alone, then distributed
  double info() const;              // the volume of all ranks
  Vector& values() { return values_; }
  const Point& center(size_t i) const;

 private:
  double distance(size_t i) const;

  Vector values_;
  std::vector<Point> centers_;
};

class FastMarch {
 public:
  explicit FastMarch(Vector* values) : values_(values) {}
  void reparam(int marches);
  void distribute();

 private:
  std::pair<double, size_t> closest() const;
  void update(size_t i, double value);

  Vector* values_;
  std::set<std::pair<double, size_t>> front_;
};

class Output {
 public:
  Output(const char* path, bool flushEachLine);
  void write(const Levelset& levelset, int lines);

 private:
  void putGeometry(const Levelset& levelset, int lines);
  void putLine(const Point& p, double value);

  std::ofstream file_;
  bool flushEachLine_;
  long lines_ = 0;
};

class Scheme {
 public:
  Scheme(Levelset* levelset, size_t cells) : levelset_(levelset), matrix_(cells), step_(cells) {}
  void doStep();

 private:
  void solve();

  Levelset* levelset_;
  Matrix matrix_;
  Vector step_;
};

}  // namespace drops
