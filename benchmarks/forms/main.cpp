// bench_forms [FILE.csv [FILE.svg]]: accuracy of the parameter-rate and the contact-twist form at
// equal work, on regular parameters and near the pole of latitude and longitude.
#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forms/fields.h"
#include "forms/plot.h"
#include "oloid/integrate/stepper.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr double kDuration = 1;  // [s]
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<std::string> kForms{"parameter rates", "contact twist, parameter lines",
                                      "contact twist, reference", "contact twist, point"};

struct Setting {
  Scheme scheme;
  double value;  // dop853: rtol; rk4: step [s]
};

template <class Field>
struct Run {
  std::optional<Vec<double, Field::kSize>> y;  // none: broke down
  std::int64_t calls = 0;
};

template <class Field>
Run<Field> run(const Field& field, const Vec<double, Field::kSize>& y0, const Setting& setting,
               double t_end = kDuration) {
  StepOptions options;
  options.scheme = setting.scheme;
  (setting.scheme == Scheme::rk4 ? options.max_step : options.rtol) = setting.value;
  Stepper<Field> stepper(options);
  typename Stepper<Field>::State state;
  state.y = y0;
  Run<Field> result;
  const auto trial = std::make_unique<typename Stepper<Field>::TrialStep>();
  bool good = stepper.restart(field, state);
  while (good && state.t < t_end && stepper.rates_calls() < 1000000) {
    stepper.attempt(field, state, t_end, *trial);
    good = trial->status == StepStatus::ok;
    if (good) stepper.accept(*trial, state);
  }
  result.calls = stepper.rates_calls();
  if (good && state.t >= t_end) result.y = state.y;
  return result;
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  all.reserve(17);
  for (int digits = 4; digits <= 13; ++digits)
    all.push_back({Scheme::dop853, std::pow(10.0, -digits)});
  for (double h = 0.04; h > 6e-4; h /= 2) all.push_back({Scheme::rk4, h});
  return all;
}

double distance(const Pose<double>& a, const Pose<double>& b) {
  return std::max((a.R - b.R).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

// All settings of one form; rows of the table as "error (calls)".
template <class Field>
void measure(const Field& field, const Start& start, const Pose<double>& exact,
             const std::string& form, Panel& panel) {
  Curve adaptive{form, true, {}}, fixed{form, false, {}};
  for (const Setting& setting : settings()) {
    const Run<Field> result = run(field, field.start(start), setting);
    double error = result.y ? distance(field.pose(*result.y), exact) : kInfinity;
    if (!std::isfinite(error)) error = kInfinity;
    (setting.scheme == Scheme::dop853 ? adaptive : fixed)
        .points.push_back({static_cast<double>(result.calls), error});
  }
  panel.curves.push_back(adaptive);
  panel.curves.push_back(fixed);
}

BodyInertia<double> body(double mass, const Mat3<double>& J) {
  return {mass, 1 / mass, J, J.inverse()};
}

// A dome rocks in a shallow bowl; both are bicubic patches with regular parameters.
Panel regular_pair() {
  const Bowl dome(1.2, 0.3, 0.02), dish(-0.15, 0, 0.01);
  Mat3<double> J;
  J << 0.05, 0.004, -0.003, 0.004, 0.06, 0.002, -0.003, 0.002, 0.04;
  const Load load{body(1.3, J), {0.3, -0.2, -9.81}};
  const ParameterField<Bowl, Bowl> rates{dome, dish, load};
  Vec5<double> q;
  q << 0.45, 0.55, 0.5, 0.48, 0.7;
  const ParametricPair<double> pair = rates.pair(q);
  const Vec3<double> omega(0.9, -1.1, 0.6), p = pair.A.c.d(0, 0);
  const Start start{q.segment<2>(0),
                    q.segment<2>(2),
                    pose_of_A_in_B(pair_geometry(pair), q(4)),
                    {omega, -omega.cross(p)}};
  const TwistField<ReferenceDirection<Bowl>, Bowl> reference{
      {dome, Vec3<double>::UnitX()}, dish, load};
  const auto exact = run(reference, reference.start(start), {Scheme::dop853, 1e-14});
  const Pose<double> end = reference.pose(*exact.y);
  Panel panel{"bicubic dome in a bicubic bowl", {}};
  measure(rates, start, end, kForms[0], panel);
  measure(TwistField<ParameterLines<Bowl>, Bowl>{{dome}, dish, load}, start, end, kForms[1], panel);
  measure(reference, start, end, kForms[2], panel);
  return panel;
}

// A ball with its mass off centre rolls on the ground. Its path over itself comes within δ of a
// pole after half the time.
struct RollingBall {
  PointBall ball{1, {0.1, -0.05, 0.15}};
  Ground ground;
  Load load{body(1, Vec3<double>(0.4, 0.42, 0.38).asDiagonal()), {0, 0, -9.81}};
  Start start;
  Vec3<double> direction, across;  // from the centre to the contact at half time; across its path
  Pose<double> end;

  RollingBall() {
    const Vec3<double> down = Vec3<double>(0.2, -0.3, -1).normalized();  // in A
    const Vec3<double> p = ball.centre + ball.radius * down;
    const Mat3<double> R_BA =
        Eigen::Quaterniond::FromTwoVectors(down, -Vec3<double>::UnitZ()).toRotationMatrix();
    const Vec3<double> omega = R_BA.transpose() * Vec3<double>(0.4, 3, 0.3);
    start = {{0, 0}, {0, 0}, {R_BA, -(R_BA * p)}, {omega, -omega.cross(p)}};
    across = omega.cross(down).cross(down).normalized();
    const auto first = field();
    const auto half = run(first, first.start(start), {Scheme::dop853, 1e-14}, 0.5 * kDuration);
    Vec<double, 11> rate;
    Vec<double, 0> none;
    first.rates(0, *half.y, rate, none);
    direction = (half.y->head<3>() - ball.centre).normalized();
    across = direction.cross(Vec3<double>(rate.head<3>())).normalized();
    const auto whole = field();
    end = whole.pose(*run(whole, whole.start(start), {Scheme::dop853, 1e-14}).y);
  }
  TwistField<PointState, Ground> field() const { return {{ball, across}, ground, load}; }
};

Panel near_a_pole(const RollingBall& scene, double delta) {
  LatLongBall ball{scene.ball.radius, {Mat3<double>::Identity(), scene.ball.centre}};
  const Vec3<double> pole = std::cos(delta) * scene.direction + std::sin(delta) * scene.across;
  ball.X.R.col(2) = pole;
  ball.X.R.col(0) = scene.direction.cross(scene.across);
  ball.X.R.col(1) = pole.cross(Vec3<double>(ball.X.R.col(0)));
  Start start = scene.start;
  const Vec3<double> contact = inverse(start.X_BA) * Vec3<double>::Zero();
  start.on_A = ball.parameters(contact - scene.ball.centre);
  Panel panel{fmt::format("ball, pole {} rad beside its path", delta), {}};
  measure(ParameterField<LatLongBall, Ground>{ball, scene.ground, scene.load}, start, scene.end,
          kForms[0], panel);
  measure(TwistField<ParameterLines<LatLongBall>, Ground>{{ball}, scene.ground, scene.load}, start,
          scene.end, kForms[1], panel);
  measure(
      TwistField<ReferenceDirection<LatLongBall>, Ground>{
          {ball, scene.across}, scene.ground, scene.load},
      start, scene.end, kForms[2], panel);
  measure(scene.field(), start, scene.end, kForms[3], panel);
  return panel;
}

std::string shown(const Point& p) {
  return std::isfinite(p.error) ? fmt::format("{:.1e} ({})", p.error, p.calls) : "–";
}

void report(const Panel& panel, std::string& csv) {
  fmt::print("\n{}: error of the pose after {} s (calls of the right-hand side)\n\n| setting |",
             panel.title, kDuration);
  std::string rule = "|---|";
  for (const Curve& curve : panel.curves) {
    if (!curve.adaptive) continue;
    fmt::print(" {} |", curve.form);
    rule += "--:|";
  }
  fmt::print("\n{}\n", rule);
  std::size_t done[2] = {0, 0};
  for (const Setting& setting : settings()) {
    const bool adaptive = setting.scheme == Scheme::dop853;
    const std::size_t row = done[adaptive ? 1 : 0]++;
    fmt::print("| {} |", adaptive ? fmt::format("dop853 rtol {:.0e}", setting.value)
                                  : fmt::format("rk4 step {} ms", 1e3 * setting.value));
    for (const Curve& curve : panel.curves) {
      if (curve.adaptive != adaptive) continue;
      const Point& p = curve.points[row];
      fmt::print(" {} |", shown(p));
      csv += fmt::format("\"{}\",\"{}\",{},{:.1e},{},{:.2e}\n", panel.title, curve.form,
                         adaptive ? "dop853" : "rk4", setting.value, p.calls, p.error);
    }
    fmt::print("\n");
  }
}

int run_all(int argc, char** argv) {
  std::vector<Panel> panels{regular_pair()};
  const RollingBall scene;
  for (const double delta : {0.5, 0.1, 0.02, 0.01}) panels.push_back(near_a_pole(scene, delta));
  std::string csv = "problem,form,method,rtol_or_step_s,rates_calls,pose_error\n";
  for (const Panel& panel : panels) report(panel, csv);
  if (argc > 1) fmt::output_file(argv[1]).print("{}", csv);
  if (argc > 2) fmt::output_file(argv[2]).print("{}", picture(panels, kForms));
  return 0;
}

}  // namespace
}  // namespace oloid::bench

int main(int argc, char** argv) { return oloid::bench::run_all(argc, argv); }
