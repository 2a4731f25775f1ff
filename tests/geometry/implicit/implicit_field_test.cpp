#include "oloid/geometry/implicit/implicit_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::implicit_field_test {

template <class F>
constexpr bool kServesAllScalars = ImplicitSurface<F>&& ImplicitSurface<F, Dual<double, 2>>&&
    ImplicitSurface<F, Pack<4>>&& ImplicitSurface<F, Dual<Dual<double, 3>, 3>>;
static_assert(kServesAllScalars<ImplicitExpression> && kServesAllScalars<Metaballs> &&
              kServesAllScalars<ImplicitFunction> && kServesAllScalars<ImplicitField>);

const std::vector<Metaballs::Ball> kBalls{
    {{-0.4, 0, 0}, 1.0, 1}, {{0.5, 0.2, 0}, 0.9, 1.2}, {{0, 0.3, 0.4}, 0.5, -0.3}};

// Some function, in all the ways that there are to give it.
constexpr auto kFunction = [](const auto& x, const auto& y, const auto& z) {
  using std::cos, std::sqrt;
  return x * x + 0.5 * y * y * y * y + z * z * sqrt(1.0 + x * x) - cos(y * z);
};
ImplicitFunction by_hand() {
  const auto jet = [](const Vec3<double>& p) {
    return ImplicitFunction::differentiate(kFunction).implicit_jet(p);
  };
  return ImplicitFunction::make([](const Vec3<double>& p) { return kFunction(p(0), p(1), p(2)); },
                                [jet](const Vec3<double>& p) { return jet(p).gradient; },
                                [jet](const Vec3<double>& p) { return jet(p).hessian; });
}
std::vector<ImplicitField> fields() {
  return {ImplicitExpression::make("x^2 + 0.5*y^4 + z^2*sqrt(1 + x^2) - cos(y*z)").value(),
          Metaballs::make(kBalls, 0.3).value(),
          Metaballs::make(kBalls, 0.3, Metaballs::Kernel::rational).value(),
          ImplicitFunction::differentiate(kFunction),
          ImplicitFunction::with_bounds(kFunction),
          by_hand()};
}

TEST(ImplicitField, GradientAndHessianAreDerivatives) {
  for (const ImplicitField& f : fields()) {
    for_random_cases(50, [&](Random& random) {
      const Vec3<double> p = random.vector<3>(-0.6, 0.6);
      const ImplicitJet<double> at = f.implicit_jet(p);
      EXPECT_LE(difference(at.f, f.value(p)), 16 * kEps);
      const double h = 1e-5;  // central differences: h² from the method, 1e-16 / h from round-off
      for (int i = 0; i < 3; ++i) {
        const Vec3<double> step = h * Vec3<double>::Unit(i);
        const ImplicitJet<double> plus = f.implicit_jet(Vec3<double>(p + step));
        const ImplicitJet<double> minus = f.implicit_jet(Vec3<double>(p - step));
        EXPECT_NEAR((plus.f - minus.f) / (2 * h), at.gradient(i), 1e-8);
        EXPECT_LE(difference((plus.gradient - minus.gradient) / (2 * h), at.hessian.col(i)), 1e-7);
      }
    });
  }
}

// Dual numbers give the directional derivatives of value, gradient and, except for functions
// without third derivatives, Hessian.
TEST(ImplicitField, DualNumbersDifferentiate) {
  using D = Dual<double, 1>;
  const std::vector<ImplicitField> all = fields();
  for (std::size_t n = 0; n < all.size(); ++n) {
    const ImplicitField& f = all[n];
    for_random_cases(50, [&](Random& random) {
      const Vec3<double> p = random.vector<3>(-0.6, 0.6), d = random.direction();
      Vec3<D> moving;
      for (int i = 0; i < 3; ++i) {
        moving(i).v = p(i);
        moving(i).d[0] = d(i);
      }
      const ImplicitJet<D> at = f.implicit_jet(moving);
      const ImplicitJet<double> here = f.implicit_jet(p);
      EXPECT_LE(difference(at.f.d[0], here.gradient.dot(d)), 64 * kEps);
      EXPECT_LE(difference(derivative(at.gradient, 0), here.hessian * d), 256 * kEps);
      EXPECT_LE(difference(f.value(moving).d[0], here.gradient.dot(d)), 64 * kEps);
      const double h = 1e-5;
      const Mat3<double> rate = (f.implicit_jet(Vec3<double>(p + h * d)).hessian -
                                 f.implicit_jet(Vec3<double>(p - h * d)).hessian) /
                                (2 * h);
      const bool has_third = n + 1 < all.size();
      EXPECT_LE(difference(derivative(at.hessian, 0), has_third ? rate : Mat3<double>::Zero()),
                1e-6);
    });
  }
}

TEST(ImplicitField, LanesAreScalars) {
  using P = Pack<4>;
  for (const ImplicitField& f : fields()) {
    for_random_cases(20, [&](Random& random) {
      Vec3<double> p[4];
      for (Vec3<double>& q : p) q = random.vector<3>(-0.6, 0.6);
      Vec3<P> wide;
      for (int i = 0; i < 3; ++i) wide(i) = P::generate([&](std::size_t l) { return p[l](i); });
      const ImplicitJet<P> all = f.implicit_jet(wide);
      for (int l = 0; l < 4; ++l) {
        const ImplicitJet<double> one = f.implicit_jet(p[l]);
        EXPECT_LE(difference(lane(all.f, l), one.f), 16 * kEps);
        EXPECT_LE(difference(lane(all.gradient, l), one.gradient), 16 * kEps);
        EXPECT_LE(difference(lane(all.hessian, l), one.hessian), 64 * kEps);
      }
    });
  }
}

TEST(ImplicitField, BoundsContainWhatTheyBound) {
  for (const ImplicitField& f : fields()) {
    for_random_cases(50, [&](Random& random) {
      const Vec3<double> low = random.vector<3>(-0.8, 0.6);
      const Box box{low, low + random(0, 0.5) * random.vector<3>(0, 1)};
      const FieldBounds bounds = f.bounds(box);
      const IntervalMatrix H = f.hessian_bounds(box);
      EXPECT_EQ(bounds.f.is_bounded(), f.is_bounded());
      for (int k = 0; k < 20; ++k) {
        const Vec3<double> p = box.low + box.size().cwiseProduct(random.vector<3>(0, 1));
        const ImplicitJet<double> at = f.implicit_jet(p);
        EXPECT_TRUE(bounds.f.contains(at.f));
        EXPECT_LE(at.gradient.norm(), bounds.slope);
        for (int i = 0; i < 3; ++i) {
          const auto row = static_cast<std::size_t>(i);
          EXPECT_TRUE(bounds.gradient[row].contains(at.gradient(i)));
          for (int j = 0; j < 3; ++j) {
            const Interval& bound = H[row][static_cast<std::size_t>(j)];
            // Closed forms round differently from the formula that is bounded.
            EXPECT_LE(bound.low - 1e-13, at.hessian(i, j));
            EXPECT_GE(bound.high + 1e-13, at.hessian(i, j));
          }
        }
      }
    });
  }
}

TEST(ImplicitField, ASlopeBoundsAFunctionGivenByHand) {
  const auto distance = ImplicitFunction::make(
      [](const Vec3<double>& p) { return p.norm() - 1; },
      [](const Vec3<double>& p) { return Vec3<double>(p / p.norm()); },
      [](const Vec3<double>& p) {
        const Vec3<double> n = p / p.norm();
        return Mat3<double>((Mat3<double>::Identity() - n * n.transpose()) / p.norm());
      },
      1.0);
  EXPECT_TRUE(distance.is_bounded());
  const FieldBounds bounds = distance.bounds({{1, 0, 0}, {1.2, 0.2, 0.2}});
  EXPECT_LE(bounds.f.low, 0);
  EXPECT_GE(bounds.f.high, std::sqrt(1.44 + 0.08) - 1);
  EXPECT_EQ(bounds.slope, 1);
  EXPECT_FALSE(by_hand().is_bounded());
}

TEST(ImplicitExpression, RefusesWhatIsNoSurface) {
  const auto number = ImplicitExpression::make("2 * pi");
  ASSERT_FALSE(number.has_value());
  EXPECT_EQ(number.error().message, "\"2 * pi\" is a number, not a surface");
  EXPECT_NE(number.error().remedy, "");
  const auto unknown = ImplicitExpression::make("x^2 + r^2");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().message, "column 7: unknown name \"r\"");
}

TEST(Metaballs, OfOneBallIsASphere) {
  using Kernel = Metaballs::Kernel;
  for (const Kernel kernel : {Kernel::compact, Kernel::rational}) {
    const Vec3<double> centre(0.1, -0.2, 0.3);
    const Metaballs ball = Metaballs::make({{centre, 0.8, 2}}, 0.5, kernel).value();
    // 2 g(s) = 0.5
    const double s = kernel == Kernel::compact ? 1 - std::pow(0.25, 0.25) : 1.0;
    for_random_cases(20, [&](Random& random) {
      const Vec3<double> n = random.direction(), p = centre + 0.8 * std::sqrt(s) * n;
      const ImplicitJet<double> at = ball.implicit_jet(p);
      EXPECT_LE(std::abs(at.f), 16 * kEps);
      EXPECT_LE(difference(at.gradient.normalized(), n), 16 * kEps);
      EXPECT_TRUE(ball.box().contains(p));
    });
  }
}

TEST(Metaballs, BoxContainsTheBody) {
  using Kernel = Metaballs::Kernel;
  for (const Kernel kernel : {Kernel::compact, Kernel::rational}) {
    for (const double threshold : {0.01, 0.3, 1.0}) {
      const Metaballs balls = Metaballs::make(kBalls, threshold, kernel).value();
      for_random_cases(500, [&](Random& random) {
        const Vec3<double> p = random.vector<3>(-30, 30);
        if (balls.value(p) <= 0) {
          EXPECT_TRUE(balls.box().contains(p));
        }
      });
    }
  }
}

// (1 − s)⁴ ends smoothly: f, gradient and Hessian go to zero.
TEST(Metaballs, CompactOnesEndSmoothly) {
  const Metaballs ball = Metaballs::make({{{0, 0, 0}, 1}}, 0.5).value();
  for (const double x : {1 - 1e-6, 1.0, 1 + 1e-6, 2.0}) {
    const ImplicitJet<double> at = ball.implicit_jet(Vec3<double>(x, 0, 0));
    EXPECT_NEAR(at.f, 0.5, 1e-15);
    EXPECT_LE(at.gradient.norm(), 1e-15);
    EXPECT_LE(at.hessian.norm(), 1e-9);
  }
}

void expect_refused(std::vector<Metaballs::Ball> balls, double threshold,
                    const std::string& message) {
  const auto r = Metaballs::make(std::move(balls), threshold);
  ASSERT_FALSE(r.has_value()) << message;
  EXPECT_EQ(r.error().message, message);
  EXPECT_NE(r.error().remedy, "");
}

TEST(Metaballs, RefusesBadInput) {
  expect_refused({}, 0.5, "there are no metaballs");
  expect_refused({{{0, 0, 0}, 1}}, 0, "the threshold is 0");
  expect_refused({{{0, 0, 0}, 1}}, -1, "the threshold is -1");
  expect_refused({{{0, 0, 0}, 1}, {{0, 0, 0}, 0}}, 0.5, "metaball 1 has radius 0");
  expect_refused({{{0, NAN, 0}, 1}}, 0.5, "metaball 0 has a number that is not finite");
  expect_refused({{{0, 0, 0}, 1, 0.5}, {{0, 0, 0}, 1, -2}}, 0.5,
                 "the threshold 0.5 is not reached: the weights sum to 0.5");
}

}  // namespace oloid::test::implicit_field_test
