// What mutation_test.py plants mutants in. Lines that end with "none" must have no mutants.
#include <cstdio>
#define HALF(x) (0.5 * (x))  // none

namespace sample {
namespace {

enum class Kind { a = 1 + 1, b };        // none
constexpr double kTolerance = 2 * 1e-9;  // none
static_assert(kTolerance < 1 - 0.5);     // none

constexpr int twice(int n) {
  return 2 * n;  // none
}

template <int N>
struct Fixed {
  int size = N - 1;  // none
};

// Sums and differences are of different types, as in Eigen.
struct Vector;
struct Sum {
  const Vector &a, &b;
};
struct Difference {
  const Vector &a, &b;
};
struct Vector {
  Vector(double x) : x_(x) {}
  Vector(const Sum& sum);
  Vector(const Difference& difference);
  double x_;
};
Sum operator+(const Vector& a, const Vector& b) { return {a, b}; }
Difference operator-(const Vector& a, const Vector& b) { return {a, b}; }
Vector::Vector(const Sum& sum) : x_(sum.a.x_ + sum.b.x_) {}
Vector::Vector(const Difference& difference) : x_(difference.a.x_ - difference.b.x_) {}

double initialised(double a) {
  const double half = 0.5 * a, negative = -a;
  const Vector v = Vector(half) - Vector(negative);
  return v.x_;
}

double assigned(const Vector& a, const Vector& b) {
  Vector v = 0;
  v = a + b;  // a - b is only a comment
  return v.x_;
}

template <class S>
int guarded(S n) {
  if (n < 0) return twice(Fixed<3 + 1>().size);
  if (n > 2 && n != 5) {  // over two lines
    return 1;
  }
  return n == 5 ? 2 : 0;
}

int looped(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += i;
  while (sum >= 100) sum /= 2;
  return sum;
}

double in_a_lambda(double x) {
  const auto f = [&](double y) {
    const double z{x - y / 4};
    return z * z;
  };
  return f(1);
}

int chosen(Kind kind) {
  if constexpr (sizeof(int) > 2 + 1) {      // none
    static const char* text = "1 - 2 < 3";  // none
    if (!text) return 3;
  }
  switch (kind) {
    case Kind::a:
      return 4;
    default:
      break;
  }
  return -1;
}

}  // namespace
}  // namespace sample

int main() {
  using namespace sample;
  std::printf("%g %g %d %d %d %d %g %d\n", initialised(3), assigned(5, 2), guarded(1), guarded(3),
              guarded(5), looped(5), in_a_lambda(2), chosen(Kind::b));
}
