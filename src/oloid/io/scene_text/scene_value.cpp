#include "oloid/io/scene_text/scene_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "oloid/base/did_you_mean.h"

namespace oloid::io {

namespace {

// One value being read: where it is and where to report errors.
struct Reading {
  const Node& node;
  std::string path;
  Complaints& complaints;

  Reading item(std::size_t i) const {
    return {(*array())[i], fmt::format("{}[{}]", path, i), complaints};
  }
  const NodeArray* array() const { return std::get_if<NodeArray>(&node.value); }
  bool is_array(std::size_t size) const { return array() && array()->size() == size; }
  std::nullopt_t wrong(std::string message, std::string remedy) const {
    complaints.add(node.spot, path, std::move(message), std::move(remedy));
    return std::nullopt;
  }
  std::nullopt_t wrong_type(std::string_view expected, std::string remedy) const {
    return wrong(fmt::format("expected {}, got {}", expected, describe(node)), std::move(remedy));
  }
};

// A text is a formula of parameters.
std::optional<double> formula_value(const Reading& r, const std::string& text,
                                    std::string_view expected) {
  const auto value = r.complaints.parameters().value(text);
  if (value) return *value;
  const Error& why = value.error();
  const std::string_view more = why.remedy.ends_with('?')
                                    ? ""
                                    : "; write numbers like 0.25 or 1e-3, without units; formulas "
                                      "may use names from [parameters]";
  return r.wrong(fmt::format("expected {}, got {}: {}", expected, describe(r.node), why.message),
                 fmt::format("{}{}", why.remedy, more));
}

std::optional<double> number(const Reading& r, std::string_view expected = "a number") {
  if (const auto* i = std::get_if<std::int64_t>(&r.node.value)) return static_cast<double>(*i);
  if (const auto* s = std::get_if<std::string>(&r.node.value))
    return formula_value(r, *s, expected);
  const auto* x = std::get_if<double>(&r.node.value);
  if (!x) return r.wrong_type(expected, "write it like 0.25 or 1e-3");
  if (!std::isfinite(*x)) {
    return r.wrong(fmt::format("the value is {}, which is not a finite number", *x),
                   "use a finite number");
  }
  return *x;
}

template <std::size_t N>
std::optional<std::array<double, N>> numbers(const Reading& r, std::string_view example) {
  if (!r.is_array(N)) {
    return r.wrong_type(fmt::format("{} numbers", N), fmt::format("write it like {}", example));
  }
  std::array<double, N> values{};
  bool good = true;
  for (std::size_t i = 0; i < N; ++i) {
    const auto x = number(r.item(i));
    good = good && x;
    values[i] = x.value_or(0);
  }
  if (!good) return std::nullopt;
  return values;
}

std::optional<Vec3<double>> vector(const Reading& r) {
  if (r.path == "gravity" && !r.array())
    return r.wrong_type("3 numbers", "gravity along -z is [0, 0, -9.81]");
  const auto v = numbers<3>(r, "[0, 0, 0.1]");
  if (!v) return std::nullopt;
  return Vec3<double>((*v)[0], (*v)[1], (*v)[2]);
}

std::optional<std::string> text(const Reading& r) {
  const auto* s = std::get_if<std::string>(&r.node.value);
  if (!s) return r.wrong_type("a string", "put it in quotes, like \"ball\"");
  if (s->empty()) return r.wrong("the string is empty", "use at least one character");
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(s->begin(), s->end(), control)) {
    return r.wrong("the string contains a line break or another control character",
                   "use one line of printable characters");
  }
  return *s;
}

std::optional<double> friction(const Reading& r) {
  const auto* s = std::get_if<std::string>(&r.node.value);
  if (s && *s == "unlimited") return std::numeric_limits<double>::infinity();
  if (const auto* x = std::get_if<double>(&r.node.value); x && std::isinf(*x) && *x > 0)
    return r.wrong("the value is inf", "for friction without a limit write \"unlimited\"");
  return number(r, "a number or \"unlimited\"");
}

std::optional<double> spin(const Reading& r) {
  const auto* s = std::get_if<std::string>(&r.node.value);
  if (s && *s == "free") return 0;
  if (s && *s == "stuck") return std::numeric_limits<double>::infinity();
  return number(r, "a length, \"free\" or \"stuck\"");
}

std::optional<std::string> choice(const Reading& r, const std::vector<std::string_view>& known) {
  const std::string list = fmt::format("\"{}\"", fmt::join(known, "\", \""));
  const auto* s = std::get_if<std::string>(&r.node.value);
  if (!s) return r.wrong_type("one of " + list, "put it in quotes");
  if (std::find(known.begin(), known.end(), *s) != known.end()) return *s;
  const std::string_view near = did_you_mean(*s, known);
  return r.wrong(fmt::format("\"{}\" is not allowed here", s->substr(0, 40)),
                 near.empty() ? "use one of " + list
                              : fmt::format("did you mean \"{}\"? Available: {}", near, list));
}

std::optional<Mat3<double>> matrix(const Reading& r) {
  constexpr std::string_view kHint =
      "write a, the diagonal [a, b, c], or rows [[a, d, e], [d, b, f], [e, f, c]]";
  if (std::holds_alternative<std::int64_t>(r.node.value) ||
      std::holds_alternative<double>(r.node.value) ||
      std::holds_alternative<std::string>(r.node.value)) {
    const auto a = number(r);
    if (!a) return std::nullopt;
    return Mat3<double>(*a * Mat3<double>::Identity());
  }
  if (!r.is_array(3)) return r.wrong_type("a number, 3 numbers or 3 rows of 3", std::string(kHint));
  if (!r.item(0).array()) {
    const auto d = numbers<3>(r, "[a, b, c]");
    if (!d) return std::nullopt;
    Mat3<double> M = Mat3<double>::Zero();
    M.diagonal() << (*d)[0], (*d)[1], (*d)[2];
    return M;
  }
  Mat3<double> M;
  bool good = true;
  for (int i = 0; i < 3; ++i) {
    const auto row = numbers<3>(r.item(static_cast<std::size_t>(i)), "[a, d, e]");
    good = good && row;
    if (row) M.row(i) << (*row)[0], (*row)[1], (*row)[2];
  }
  if (!good) return std::nullopt;
  const double asymmetry = (M - M.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > 1e-12 * M.cwiseAbs().maxCoeff()) {
    return r.wrong(fmt::format("the matrix is not symmetric: entries differ by {:.3g}", asymmetry),
                   "entries [i][j] and [j][i] must be equal");
  }
  return Mat3<double>((M + M.transpose()) / 2);
}

std::optional<Quat<double>> quaternion_value(const Reading& r) {
  const auto v = numbers<4>(r, "[1, 0, 0, 0], that is [w, x, y, z]");
  if (!v) return std::nullopt;
  const Quat<double> q{(*v)[0], (*v)[1], (*v)[2], (*v)[3]};
  const double norm = std::sqrt(squared_norm(q));
  if (!(std::abs(norm - 1) <= 1e-6)) {
    return r.wrong(fmt::format("the quaternion has length {:.9g}, not 1", norm),
                   "divide its four numbers by that length, or use rotate_deg");
  }
  return unit(q);
}

// [["x", a], ["y", b]] = R_x(a) R_y(b).
std::optional<Quat<double>> turns(const Reading& r, double radians) {
  constexpr std::string_view kHint = "write it like [[\"x\", 30], [\"z\", 45]]";
  if (!r.array()) return r.wrong_type("a list of rotations", std::string(kHint));
  Quat<double> q;
  bool good = true;
  for (std::size_t i = 0; i < r.array()->size(); ++i) {
    const Reading turn = r.item(i);
    if (!turn.is_array(2)) {
      turn.wrong_type("a rotation [axis, angle]", std::string(kHint));
      good = false;
      continue;
    }
    const auto axis = choice(turn.item(0), {"x", "y", "z"});
    const auto angle = number(turn.item(1));
    good = good && axis && angle;
    if (!axis || !angle) continue;
    const double half = *angle * radians / 2;
    const double s = std::sin(half);
    q = q * Quat<double>{std::cos(half), *axis == "x" ? s : 0, *axis == "y" ? s : 0,
                         *axis == "z" ? s : 0};
  }
  if (!good) return std::nullopt;
  return unit(q);
}

// { axis = [x, y, z], angle_deg = 30 }, or angle in radians.
std::optional<Quat<double>> rotation(const Reading& r) {
  constexpr std::string_view kHint = "write it like { axis = [0, 0, 1], angle_deg = 30 }";
  const auto* table = std::get_if<NodeTable>(&r.node.value);
  if (!table) return r.wrong_type("an axis and an angle", std::string(kHint));
  std::optional<Vec3<double>> axis;
  std::optional<double> angle;
  bool good = true;
  for (const Entry& entry : *table) {
    const Reading value{entry.value, fmt::format("{}.{}", r.path, entry.key), r.complaints};
    if (entry.key == "axis") {
      axis = vector(value);
      good = good && axis;
    } else if (entry.key == "angle" || entry.key == "angle_deg") {
      if (angle) value.wrong("the angle is given twice", "keep one of `angle` and `angle_deg`");
      good = good && !angle;
      angle = number(value);
      good = good && angle;
      if (angle && entry.key == "angle_deg") *angle *= std::numbers::pi / 180;
    } else {
      r.complaints.add(entry.spot, value.path, fmt::format("unknown key `{}`", entry.key),
                       std::string(kHint));
      good = false;
    }
  }
  if (!good) return std::nullopt;
  if (!axis || !angle)
    return r.wrong(axis ? "the angle is missing" : "the axis is missing", std::string(kHint));
  const double length = axis->norm();
  if (!(length > 1e-150) || !std::isfinite(length))
    return r.wrong("the axis has no direction", "specify a vector that is not zero");
  const double half = *angle / 2;
  const Vec3<double> v = std::sin(half) / length * *axis;
  return unit(Quat<double>{std::cos(half), v.x(), v.y(), v.z()});
}

// A list of whatever `item` reads; `what` and `hint` say how it is written.
template <class Item>
auto list(const Reading& r, const Item& item, std::string_view what, std::string_view hint)
    -> std::optional<std::vector<typename decltype(item(r))::value_type>> {
  if (!r.array()) return r.wrong_type(what, fmt::format("write it like {}", hint));
  std::vector<typename decltype(item(r))::value_type> values;
  bool good = true;
  for (std::size_t i = 0; i < r.array()->size(); ++i) {
    auto value = item(r.item(i));
    good = good && value;
    if (value) values.push_back(std::move(*value));
  }
  if (!good) return std::nullopt;
  return values;
}

std::optional<std::vector<double>> number_list(const Reading& r) {
  return list(
      r, [](const Reading& x) { return number(x); }, "a list of numbers", "[0, 0.5, 1]");
}

std::optional<std::vector<std::vector<double>>> number_rows(const Reading& r) {
  return list(r, number_list, "rows of numbers", "[[1, 1], [1, 0.5]]");
}

std::optional<std::vector<Vec2<double>>> points(const Reading& r) {
  const auto point = [](const Reading& x) -> std::optional<Vec2<double>> {
    const auto v = numbers<2>(x, "[0.1, 0.2]");
    if (!v) return std::nullopt;
    return Vec2<double>((*v)[0], (*v)[1]);
  };
  return list(r, point, "a list of points", "[[0, -1], [1, 0], [0, 1]]");
}

std::optional<std::vector<Vec3<double>>> space_points(const Reading& r) {
  return list(r, vector, "a list of points", "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]");
}

std::optional<ControlNet> net(const Reading& r) {
  constexpr std::string_view kHint = "[[[0, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 1, 0]]]";
  const auto row = [&](const Reading& x) { return list(x, vector, "a row of points", kHint); };
  return list(r, row, "rows of points", kHint);
}

std::optional<std::array<Vec3<double>, 2>> two_points(const Reading& r, std::string_view what,
                                                      std::string_view hint) {
  if (!r.is_array(2)) return r.wrong_type(what, fmt::format("write it like {}", hint));
  const auto a = vector(r.item(0));
  const auto b = vector(r.item(1));
  if (!a || !b) return std::nullopt;
  return std::array<Vec3<double>, 2>{*a, *b};
}

using Variables = std::vector<std::string_view>;

std::optional<std::string> formula_text(const Reading& r, const Variables& variables) {
  const auto given = text(r);
  if (!given) return std::nullopt;
  auto plain = r.complaints.parameters().formula(*given, variables);
  if (!plain) return r.wrong(plain.error().message, plain.error().remedy);
  return *std::move(plain);
}

std::optional<std::vector<std::string>> formulas(const Reading& r, const Variables& variables) {
  const auto one = [&](const Reading& x) { return formula_text(x, variables); };
  if (r.array()) return list(r, one, "a list of formulas", "[\"x^2 + y^2 - 1\", \"z^2 - 1\"]");
  const auto alone = one(r);
  if (!alone) return std::nullopt;
  return std::vector<std::string>{*alone};
}

// Plain numbers are formulas, too; their text gives back the same double.
std::optional<std::string> formula(const Reading& r, const Variables& variables) {
  if (std::holds_alternative<std::string>(r.node.value)) return formula_text(r, variables);
  const auto x = number(r, "a formula");
  if (!x) return std::nullopt;
  return fmt::format("{}", *x);
}

std::optional<std::array<std::string, 3>> three_formulas(const Reading& r,
                                                         const Variables& variables) {
  if (!r.is_array(3)) {
    return r.wrong_type("3 formulas", "write it like [\"0.1 * sin(3 * t)\", 0, 0]");
  }
  std::array<std::string, 3> values;
  bool good = true;
  for (std::size_t i = 0; i < 3; ++i) {
    auto one = formula(r.item(i), variables);
    good = good && one;
    if (one) values[i] = std::move(*one);
  }
  if (!good) return std::nullopt;
  return values;
}

std::optional<std::vector<Quat<double>>> quaternions(const Reading& r) {
  return list(r, quaternion_value, "a list of quaternions", "[[1, 0, 0, 0], [0.8, 0.6, 0, 0]]");
}

std::optional<std::array<std::string, 2>> two_names(const Reading& r) {
  if (!r.is_array(2)) return r.wrong_type("2 names", "write it like [\"ball\", \"table\"]");
  const auto a = text(r.item(0));
  const auto b = text(r.item(1));
  if (!a || !b) return std::nullopt;
  return std::array<std::string, 2>{*a, *b};
}

std::optional<bool> flag(const Reading& r) {
  if (const auto* b = std::get_if<bool>(&r.node.value)) return *b;
  return r.wrong_type("true or false", "write true or false, without quotes");
}

std::optional<double> integer(const Reading& r) {
  if (const auto* i = std::get_if<std::int64_t>(&r.node.value)) return static_cast<double>(*i);
  const auto* formula = std::get_if<std::string>(&r.node.value);
  if (!formula)
    return r.wrong_type("an integer", "write it without a decimal point, or use a formula");
  const auto value = formula_value(r, *formula, "an integer");
  if (!value || *value == std::floor(*value)) return value;
  return r.wrong(
      fmt::format("the formula \"{}\" gives {}, not an integer", formula->substr(0, 40), *value),
      "change the parameters it uses, or write an integer");
}

// Not a formula: the version must be known before anything else is read.
std::optional<double> version(const Reading& r) {
  if (const auto* i = std::get_if<std::int64_t>(&r.node.value)) return static_cast<double>(*i);
  return r.wrong_type("an integer", "write oloid = 1, without quotes or a decimal point");
}

std::optional<std::vector<std::string>> texts(const Reading& r) {
  if (r.array()) return list(r, text, "a list of strings", "[\"common.toml\"]");
  const auto alone = text(r);
  if (!alone) return std::nullopt;
  return std::vector<std::string>{*alone};
}

template <class T>
std::optional<SceneValue> wrap(std::optional<T> value) {
  if (!value) return std::nullopt;
  return SceneValue(std::move(*value));
}

}  // namespace

std::optional<SceneValue> read_value(const SceneKey& key, const Node& node, const std::string& path,
                                     Complaints& complaints) {
  const Reading r{node, path, complaints};
  switch (key.kind) {
    case ValueKind::version:
      return wrap(version(r));
    case ValueKind::texts:
      return wrap(texts(r));
    case ValueKind::integer:
      return wrap(integer(r));
    case ValueKind::number:
      return wrap(number(r));
    case ValueKind::friction:
      return wrap(friction(r));
    case ValueKind::spin:
      return wrap(spin(r));
    case ValueKind::text:
      return wrap(text(r));
    case ValueKind::flag:
      return wrap(flag(r));
    case ValueKind::choice:
      return wrap(choice(r, choices_of(key)));
    case ValueKind::vector:
      return wrap(vector(r));
    case ValueKind::matrix:
      return wrap(matrix(r));
    case ValueKind::quaternion:
      return wrap(quaternion_value(r));
    case ValueKind::turns:
      return wrap(turns(r, 1));
    case ValueKind::turns_deg:
      return wrap(turns(r, std::numbers::pi / 180));
    case ValueKind::rotation:
      return wrap(rotation(r));
    case ValueKind::numbers:
      return wrap(number_list(r));
    case ValueKind::rows:
      return wrap(number_rows(r));
    case ValueKind::points:
      return wrap(points(r));
    case ValueKind::net:
      return wrap(net(r));
    case ValueKind::box:
      return wrap(two_points(r, "2 corners of a box", "[[-1, -1, -1], [1, 1, 1]]"));
    case ValueKind::formulas:
      return wrap(formulas(r, choices_of(key)));
    case ValueKind::space_points:
      return wrap(space_points(r));
    case ValueKind::formula:
      return wrap(formula(r, choices_of(key)));
    case ValueKind::three_formulas:
      return wrap(three_formulas(r, choices_of(key)));
    case ValueKind::quaternions:
      return wrap(quaternions(r));
    case ValueKind::two_points:
      return wrap(two_points(r, "2 points", "[[0, 0, 0], [0, 0, 0.1]]"));
    case ValueKind::two_names:
      return wrap(two_names(r));
    case ValueKind::table:
    case ValueKind::tables:
      break;
  }
  OLOID_EXPECT(false);
  return std::nullopt;
}

}  // namespace oloid::io
