// The tiny functions, in a translation unit of their own so that calls to them stay calls.
#include <cmath>

#include "drops.h"

namespace drops {

double& Point::operator[](size_t i) { return x_[i]; }
double Point::operator[](size_t i) const { return x_[i]; }
Point Point::operator+(const Point& o) const {
  return {x_[0] + o.x_[0], x_[1] + o.x_[1], x_[2] + o.x_[2]};
}
Point Point::operator*(double f) const { return {x_[0] * f, x_[1] * f, x_[2] * f}; }
double Point::dot(const Point& o) const {
  return x_[0] * o.x_[0] + x_[1] * o.x_[1] + x_[2] * o.x_[2];
}

size_t Vector::size() const { return values_.size(); }
double& Vector::operator[](size_t i) { return values_[i]; }
double Vector::operator[](size_t i) const { return values_[i]; }
double Vector::norm() const {
  double sum = 0;
  for (const double v : values_) sum += v * v;
  return std::sqrt(sum);
}

size_t Matrix::rows() const { return size_; }
double Matrix::at(size_t row, size_t column) const {
  if (row == column) return 2.0;
  return row + 1 == column || column + 1 == row ? -1.0 : 0.0;
}
double Matrix::rowTimes(size_t row, const Vector& x) const {
  double sum = 0;
  const size_t first = row > 0 ? row - 1 : 0;
  const size_t last = row + 2 < x.size() ? row + 2 : x.size();
  for (size_t column = first; column < last; column++) sum += at(row, column) * x[column];
  return sum;
}

}  // namespace drops
