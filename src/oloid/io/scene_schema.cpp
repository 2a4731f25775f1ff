#include "oloid/io/scene_schema.h"

#include <fmt/format.h>

#include <algorithm>

namespace oloid {
namespace {

using K = ValueKind;

constexpr std::string_view kRequired = "required";
constexpr std::string_view kZero = "`[0, 0, 0]`";
constexpr std::string_view kAxes = "no turn";

// clang-format off
constexpr SceneKey kSchema[] = {
    // table,     key,               kind,          unit,     fallback,        meaning
    {"",          "oloid",            K::integer,    "",       kRequired,       "Version of this format. This program reads version 1."},
    {"",          "name",             K::text,       "",       "file name",     "Name of the scene in summaries and plots."},
    {"",          "duration",         K::number,     "s",      kRequired,       "Simulated time."},
    {"",          "gravity",          K::vector,     "m/s²",   "`[0, 0, -9.81]`", "Acceleration of free fall, world axes."},
    {"",          "solver",           K::table,      "",       "defaults",      "How to integrate, see `[solver]`."},
    {"",          "output",           K::table,      "",       "defaults",      "What to record, see `[output]`."},
    {"",          "material",         K::tables,     "",       "none",          "Surfaces' properties, see `[[material]]`."},
    {"",          "body",             K::tables,     "",       kRequired,       "The bodies, see `[[body]]`."},
    {"",          "pair",             K::tables,     "",       "none",          "Properties of particular pairs, see `[[pair]]`."},

    {"solver",    "method",           K::choice,     "",       "`\"dop853\"`",  "Adaptive 8th order, or the classic 4th order with fixed steps.", "dop853 rk4"},
    {"solver",    "rtol",             K::number,     "",       "`1e-11`",       "Relative tolerance of dop853."},
    {"solver",    "max_step",         K::number,     "s",      "none; rk4: `1e-3`", "Longest step; for rk4 the step."},
    {"solver",    "max_steps",        K::number,     "",       "`1e8`",         "Budget: the run ends with an event after that many steps."},

    {"output",    "dt",               K::number,     "s",      "`0.01`",        "Interval between recorded frames. It does not influence the motion."},

    {"material",  "name",             K::text,       "",       kRequired,       "Referred to by bodies."},
    {"material",  "friction",         K::friction,   "",       "none: a `[[pair]]` must give it", "Static coefficient of Coulomb friction; `\"unlimited\"` forbids slip."},
    {"material",  "kinetic_friction", K::number,     "",       "as `friction`", "Coefficient while slipping; at most the static one."},

    {"body",      "name",             K::text,       "",       kRequired,       "Unique name."},
    {"body",      "fixed",            K::flag,       "",       "`false`",       "Whether the body stays where it is."},
    {"body",      "shape",            K::table,      "",       kRequired,       "The surface, see shapes."},
    {"body",      "mass",             K::number,     "kg",     "required unless fixed", "Mass."},
    {"body",      "inertia",          K::matrix,     "kg m²",  "required unless fixed", "Inertia about the centre of mass, body axes."},
    {"body",      "position",         K::vector,     "m",      kZero,           "Centre of mass, world axes."},
    {"body",      "orientation",      K::quaternion, "",       kAxes,           "Turns body axes into world axes; of length 1 within 1e-6."},
    {"body",      "rotate",           K::turns,      "rad",    kAxes,           "The same as a product of turns about axes."},
    {"body",      "rotate_deg",       K::turns_deg,  "degree", kAxes,           "The same in degrees."},
    {"body",      "velocity",         K::vector,     "m/s",    kZero,           "Of the centre of mass, world axes."},
    {"body",      "angular_velocity", K::vector,     "rad/s",  kZero,           "World axes."},
    {"body",      "material",         K::text,       "",       "none",          "Name of a material."},

    {"shape",     "type",             K::choice,     "",       kRequired,       "Which surface.", "plane sphere ellipsoid cylinder cone torus bezier quadric"},
    {"shape",     "position",         K::vector,     "m",      kZero,           "Origin of the shape's frame, body axes."},
    {"shape",     "orientation",      K::quaternion, "",       kAxes,           "Turns the shape's axes into body axes."},
    {"shape",     "rotate",           K::turns,      "rad",    kAxes,           "The same as a product of turns about axes."},
    {"shape",     "rotate_deg",       K::turns_deg,  "degree", kAxes,           "The same in degrees."},

    {"sphere",    "radius",           K::number,     "m",      kRequired,       "Radius."},
    {"sphere",    "cavity",           K::flag,       "",       "`false`",       "Whether the body is all that is outside the sphere: a bowl."},

    {"ellipsoid", "semi_axes",        K::vector,     "m",      kRequired,       "Half lengths along x, y, z of the shape's frame."},
    {"ellipsoid", "cavity",           K::flag,       "",       "`false`",       "Whether the body is all that is outside the ellipsoid."},

    {"cylinder",  "radius",           K::number,     "m",      kRequired,       "Radius."},
    {"cylinder",  "length",           K::number,     "m",      "endless",       "Length about z = 0; the contact may not run over the ends."},
    {"cylinder",  "cavity",           K::flag,       "",       "`false`",       "Whether the body is all that is outside the cylinder: a bore."},

    {"cone",      "half_angle",       K::number,     "rad",    kRequired,       "Between axis and surface."},
    {"cone",      "from",             K::number,     "m",      kRequired,       "Height above the apex where the surface begins, greater than 0. A contact that comes there ends the run."},
    {"cone",      "to",               K::number,     "m",      kRequired,       "Height above the apex where it ends."},
    {"cone",      "cavity",           K::flag,       "",       "`false`",       "Whether the body is all that is outside the cone: a funnel."},

    {"torus",     "major_radius",     K::number,     "m",      kRequired,       "Radius of the circle in the middle of the tube."},
    {"torus",     "minor_radius",     K::number,     "m",      kRequired,       "Radius of the tube."},

    {"bezier",    "net",              K::net,        "m",      kRequired,       "Control points; `net[i][j]` multiplies B_i(u) B_j(v), and c_u × c_v points out of the body."},

    {"quadric",   "Q",                K::matrix,     "",       kRequired,       "Body where pᵀ Q p + 2 b·p + c < 0, p in the shape's frame."},
    {"quadric",   "b",                K::vector,     "",       kZero,           "See Q."},
    {"quadric",   "c",                K::number,     "",       kRequired,       "See Q."},

    {"pair",      "bodies",           K::two_names,  "",       kRequired,       "Names of the two bodies."},
    {"pair",      "friction",         K::friction,   "",       "from the materials", "Static coefficient of Coulomb friction; `\"unlimited\"` forbids slip."},
    {"pair",      "kinetic_friction", K::number,     "",       "as `friction`", "Coefficient while slipping; at most the static one."},
};
// clang-format on

struct Section {
  std::string_view table, heading, introduction;
};
constexpr Section kSections[] = {
    {"", "Top of the file", "Before the first `[table]`."},
    {"solver", "`[solver]`", ""},
    {"output", "`[output]`", ""},
    {"material", "`[[material]]`",
     "Any number of them. Two materials in contact have the coefficient √(μ₁ μ₂), static and "
     "kinetic "
     "alike."},
    {"body", "`[[body]]`", "At most one of `orientation`, `rotate` and `rotate_deg`."},
    {"shape", "`shape` of a body",
     "These keys go with every type. The pose places the shape's frame in the body's frame, whose "
     "origin is the centre of mass."},
    {"plane", "`type = \"plane\"`", "The half-space z ≤ 0 of the shape's frame. No further keys."},
    {"sphere", "`type = \"sphere\"`", "Centred at the origin of the shape's frame."},
    {"ellipsoid", "`type = \"ellipsoid\"`", "Centred at the origin of the shape's frame."},
    {"cylinder", "`type = \"cylinder\"`", "About the z axis of the shape's frame; no end faces."},
    {"cone", "`type = \"cone\"`",
     "Apex at the origin of the shape's frame, opening along +z; no end faces and no apex."},
    {"torus", "`type = \"torus\"`", "A ring about the z axis of the shape's frame."},
    {"bezier", "`type = \"bezier\"`", "A tensor-product Bezier patch."},
    {"quadric", "`type = \"quadric\"`", "An implicit surface of second degree."},
    {"pair", "`[[pair]]`", "Overrides what the materials of two bodies would give."},
};

std::string type_cell(const SceneKey& key) {
  if (key.kind != K::choice) return std::string(name(key.kind));
  return fmt::format("`\"{}\"`", fmt::join(choices_of(key), "\"`, `\""));
}

}  // namespace

std::string_view name(ValueKind kind) {
  switch (kind) {
    case K::integer:
      return "integer";
    case K::number:
      return "number";
    case K::friction:
      return "number or `\"unlimited\"`";
    case K::text:
      return "text";
    case K::flag:
      return "`true` or `false`";
    case K::choice:
      return "one of a few words";
    case K::vector:
      return "3 numbers";
    case K::matrix:
      return "3 numbers (diagonal), or symmetric 3 × 3";
    case K::quaternion:
      return "4 numbers `[w, x, y, z]`";
    case K::turns:
    case K::turns_deg:
      return "turns `[[\"x\", angle], ...]`";
    case K::net:
      return "2 to 4 rows of 2 to 4 points";
    case K::two_names:
      return "2 names";
    case K::table:
      return "table";
    case K::tables:
      return "tables";
  }
  return "?";
}

std::vector<std::string_view> choices_of(const SceneKey& key) {
  std::vector<std::string_view> words;
  std::string_view rest = key.choices;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    words.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

std::span<const SceneKey> scene_schema() { return kSchema; }

std::string scene_reference() {
  std::string text;
  for (const Section& section : kSections) {
    text += fmt::format("### {}\n\n", section.heading);
    if (!section.introduction.empty()) text += fmt::format("{}\n\n", section.introduction);
    bool open = false;
    for (const SceneKey& key : kSchema) {
      if (key.table != section.table) continue;
      if (!open) text += "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n";
      open = true;
      text += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.key, type_cell(key), key.unit,
                          key.required() ? "**required**" : key.fallback, key.meaning);
    }
    if (open) text += "\n";
  }
  return text;
}

}  // namespace oloid
