#include "oloid/io/scene_text/scene_schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "oloid/io/scene_text/table_reader.h"

namespace oloid::io {
namespace {

using K = ValueKind;

constexpr std::string_view kRequired = "required";
constexpr std::string_view kZero = "`[0, 0, 0]`";
constexpr std::string_view kAxes = "no rotation";
constexpr std::string_view kTime = "t";
constexpr std::string_view kLoadVariables = "t x y z vx vy vz wx wy wz";

// clang-format off
constexpr SceneKey kSchema[] = {
    // table,           key,                      goes to,                                      kind,             unit,     fallback,        meaning
    {"",              "oloid",                  {},                                            K::version,        "",       kRequired,       "Version of this format. This program reads version 1."},
    {"",              "name",                   {},                                            K::text,           "",       "file name",     "Name of the scene in summaries and plots."},
    {"",              "duration",               into<&Spec::duration>,                         K::number,         "s",      kRequired,       "Simulated time."},
    {"",              "gravity",                into<&Spec::gravity>,                          K::vector,         "m/s²",   "`[0, 0, -9.81]`", "Gravitational acceleration, world axes."},
    {"",              "include",                {},                                            K::texts,          "",       "none",          "Other scene files, whose contents are treated as if they were written here; see including. Paths are relative to the directory of this file."},
    {"",              "parameters",             {},                                            K::table,          "",       "none",          "Named numbers, see `[parameters]`."},
    {"",              "solver",                 {},                                            K::table,          "",       "defaults",      "How to integrate, see `[solver]`."},
    {"",              "output",                 {},                                            K::table,          "",       "defaults",      "What to record, see `[output]`."},
    {"",              "material",               {},                                            K::tables,         "",       "none",          "Surface properties, see `[[material]]`."},
    {"",              "body",                   {},                                            K::tables,         "",       kRequired,       "The bodies, see `[[body]]`."},
    {"",              "pair",                   {},                                            K::tables,         "",       "none",          "Properties of particular pairs, see `[[pair]]`."},
    {"",              "load",                   {},                                            K::tables,         "",       "none",          "Forces and torques given by formulas, see `[[load]]`."},
    {"",              "spring",                 {},                                            K::tables,         "",       "none",          "Springs and dampers between bodies, see `[[spring]]`."},
    {"",              "drag",                   {},                                            K::tables,         "",       "none",          "Viscous drag, see `[[drag]]`."},

    {"",              "probe",                  {},                                            K::tables,         "",       "none",          "Formulas to record, see `[[probe]]`."},
    {"",              "stop_when",              into<&Spec::stop_when>,                        K::formulas,       "",       "none",          "The run ends normally at the first zero of this formula after the start, whether it is rising or falling; with several formulas, at the first zero of any of them. Names as in `[[probe]]`. A formula that is zero at the start counts only after it has left zero.", kAnyNames},

    {"solver",        "method",                 into<&SolverSpec::method>,                     K::choice,         "",       "`\"dop853\"`",  "Adaptive 8th order, or the classic 4th order with fixed steps.", "dop853 rk4"},
    {"solver",        "rtol",                   into<&SolverSpec::rtol>,                       K::number,         "",       "`1e-11`",       "Relative tolerance of dop853."},
    {"solver",        "formulation",            into<&SolverSpec::formulation>,                K::choice,         "",       "`\"contact-twist\"`", "Variables that describe a contact: its relative twist, or the rates of the surface parameters. The second form needs one more derivative of the surfaces and is provided for comparison.", "contact-twist parameter-rates"},
    {"solver",        "max_step",               into<&SolverSpec::max_step>,                   K::number,         "s",      "none; rk4: `1e-3`", "Longest step; for rk4, the step."},
    {"solver",        "min_step",               into<&SolverSpec::min_step>,                   K::number,         "s",      "none: rk4 uses a constant step", "rk4: at patch borders the step is halved, down to this value, and afterwards grows back to `max_step`."},
    {"solver",        "max_steps",              into<&SolverSpec::max_steps>,                  K::number,         "",       "`1e8`",         "Step budget: the run ends with an event after this many steps."},
    {"solver",        "stop_on_end",            into<&SolverSpec::stop_on_end>,                K::flag,           "",       "`false`",       "Whether the run ends when bodies touch in a way that is not simulated. By default these bodies stay where they are, and the others go on."},
    {"solver",        "slip_threshold",         into<&SolverSpec::slip_threshold>,             K::number,         "m/s",    "none",          "Slip below this speed counts as stopped. Without a threshold, the instant at which slip ends is found exactly."},

    {"output",        "dt",                     into<&Spec::output_dt>,                        K::number,         "s",      "`0.01`",        "Interval between recorded frames. It does not affect the motion."},
    {"output",        "chart_crossings",        into<&Spec::chart_crossings>,                  K::flag,           "",       "`false`",       "Whether chart crossings are recorded as events. There can be very many; they are always counted."},

    {"material",      "name",                   into<&MaterialSpec::name>,                     K::text,           "",       kRequired,       "Name by which bodies refer to it."},
    {"material",      "friction",               into<&ContactLawSpec::friction>,               K::friction,       "",       "`0.5`",          "Static coefficient of Coulomb friction; `\"unlimited\"` prevents slip."},
    {"material",      "kinetic_friction",       into<&ContactLawSpec::kinetic_friction>,       K::number,         "",       "same as `friction`", "Coefficient while slipping; at most the static one."},
    {"material",      "restitution",            into<&ContactLawSpec::restitution>,            K::number,         "",       "`0`",          "Fraction of the normal velocity that an impact returns, 0 to 1."},
    {"material",      "tangential_restitution", into<&ContactLawSpec::tangential_restitution>, K::number,         "",     "`0`",          "The same for the tangential velocity, -1 to 1, as far as friction allows: -1 means no friction at all, 0 removes the slip, 1 reverses it."},
    {"material",      "rolling_resistance",     into<&ContactLawSpec::rolling_resistance>,     K::number,         "m",      "`0`",          "The moment resisting rolling is at most this length times the normal force."},
    {"material",      "spin",                   into<&ContactLawSpec::spin>,                   K::spin,           "m",      "`\"free\"`",     "The moment resisting spin, rotation about the normal, is at most this length times the normal force; `\"free\"` means 0, `\"stuck\"` prevents spin."},

    {"body",          "name",                   into<&BodySpec::name>,                         K::text,           "",       kRequired,       "Unique name."},
    {"body",          "fixed",                  into<&BodySpec::fixed>,                        K::flag,           "",       "`false`",       "Whether the body stays where it is."},
    {"body",          "motion",                 {},                                            K::table,          "",       "none",          "Prescribed motion, whatever forces act on the body; see `motion` of a body."},
    {"body",          "shape",                  {},                                            K::table,          "",       kRequired,       "The surface, see shapes."},
    {"body",          "mass",                   into<&BodySpec::mass>,                         K::number,         "kg",     "required unless the body is fixed or has a motion or density", "Mass. Without `inertia` it is spread evenly over what the shape encloses."},
    {"body",          "inertia",                into<&BodySpec::inertia>,                      K::matrix,         "kg m²",  "from mass and shape", "Inertia about the centre of mass, body axes. If it is computed from the shape, the shape must be closed; its position follows from its centre of mass and must not be given."},
    {"body",          "density",                into<&BodySpec::density>,                      K::number,         "kg/m³",  "none",          "Instead of mass and inertia, which are then computed from the shape, as with a mass alone."},
    {"body",          "position",               {},                                            K::vector,         "m",      kZero,           "Centre of mass, world axes."},
    {"body",          "place",                  {},                                            K::table,          "",       "none",          "Puts the body in contact with another, see `place` of a body."},
    {"body",          "orientation",            {},                                            K::quaternion,     "",       kAxes,           "Rotates body axes into world axes; its length must be 1 to within 1e-6."},
    {"body",          "rotate",                 {},                                            K::turns,          "rad",    kAxes,           "The same, as a product of rotations about axes."},
    {"body",          "rotate_deg",             {},                                            K::turns_deg,      "degree", kAxes,           "The same, in degrees."},
    {"body",          "rotation",               {},                                            K::rotation,       "",       kAxes,           "The same, about one axis of any length; `angle` is in radians."},
    {"body",          "velocity",               into<&BodySpec::velocity>,                     K::vector,         "m/s",    kZero,           "Velocity of the centre of mass, world axes."},
    {"body",          "angular_velocity",       into<&BodySpec::angular_velocity>,             K::vector,         "rad/s",  kZero,           "Angular velocity, world axes."},
    {"body",          "material",               into<&BodySpec::material>,                     K::text,           "",       "none",          "Name of a material."},

    {"place_touch",   "touch",                  into<&TouchSpec::body>,                        K::text,           "",       kRequired,       "The body to touch."},
    {"place_touch",   "at",                     into<&TouchSpec::at>,                          K::vector,         "m",      "`position` of the body", "A point in the axes of the body named by `touch`; the contact is at the nearest point of that body's surface."},
    {"place_touch",   "own",                    into<&TouchSpec::own>,                         K::vector,         "m",      "none",          "A point in the axes of the placed body; that body touches with the nearest point of its surface."},
    {"place_touch",   "own_normal",             into<&TouchSpec::own_normal>,                  K::vector,         "",       "none",          "Instead of `own`: a direction in the same axes, of any length; the body touches where this direction is normal to its surface, pointing outwards; if there are several such points, at the outermost one."},
    {"place_touch",   "turn",                   into<&TouchSpec::turn>,                        K::number,         "rad",    "`0`",           "Rotation about the outward normal of the touched surface, at the contact."},
    {"place_touch",   "turn_deg",               {},                                            K::number,         "degree", "`0`",           "The same, in degrees."},
    {"place_touch",   "rolling",                into<&PlacementSpec::rolling>,                 K::flag,           "",       "`false`",       "Whether to compute the velocity from the angular velocity so that the contact does not slip."},

    {"place_drop",    "drop_on",                into<&DropSpec::on>,                           K::text,           "",       "none",          "The body to fall on; all other bodies are ignored."},
    {"place_drop",    "drop",                   {},                                            K::flag,           "",       "`false`",       "Instead of `drop_on`: whether to fall on whichever body is met first."},
    {"place_drop",    "rolling",                into<&PlacementSpec::rolling>,                 K::flag,           "",       "`false`",       "Same as for `touch`."},

    {"motion_formula", "position",               into<&FormulaMotionSpec::position>,            K::three_formulas, "m",  "`position` of the body", "The body's origin, world axes.", kTime},
    {"motion_formula", "rotation_axis",          into<&FormulaMotionSpec::rotation_axis>,       K::vector,         "",       "`[0, 0, 1]`",   "Axis about which `angle` rotates the body, world axes, of any length."},
    {"motion_formula", "angle",                  into<&FormulaMotionSpec::angle>,               K::formula,        "rad",    "no rotation",       "Rotation about that axis through the body's origin, relative to its orientation.", kTime},
    {"motion_formula", "rotation_vector",        into<&FormulaMotionSpec::rotation_vector>,     K::three_formulas, "rad", "no rotation",  "Instead of axis and angle: axis times angle, world axes.", kTime},

    {"motion_frames", "times",                  into<&KeyFrameMotionSpec::times>,              K::numbers,        "s",      kRequired,       "Times of the key frames, increasing."},
    {"motion_frames", "positions",              into<&KeyFrameMotionSpec::positions>,          K::space_points,   "m",    "`position` of the body", "The body's origin at these times, world axes."},
    {"motion_frames", "orientations",           into<&KeyFrameMotionSpec::orientations>,       K::quaternions,    "",      "orientation of the body", "Rotate body axes into world axes, by less than 3 rad from one to the next."},
    {"motion_frames", "rotation_vectors",       into<&KeyFrameMotionSpec::rotation_vectors>,   K::space_points,   "rad", "no rotation",    "Instead of orientations: axis times angle of the rotation relative to the body's orientation, world axes. Any number of turns."},
    {"motion_frames", "periodic",               into<&KeyFrameMotionSpec::periodic>,           K::flag,           "",       "`false`",       "Whether the motion repeats; the last key frame must equal the first. Otherwise the body is at rest before the first and after the last."},

    {"motion_belt",   "surface_velocity",       into<&BeltMotionSpec::velocity>,               K::three_formulas, "m/s", "none",       "Velocity of the surface, world axes.", kTime},
    {"motion_belt",   "surface_spin",           into<&BeltMotionSpec::spin>,                   K::formula,        "rad/s",  "none",          "Angular velocity of the surface about the z axis of the shape.", kTime},

    {"shape",         "type",                   {},                                            K::choice,         "",       kRequired,       "Type of surface.", "plane sphere ellipsoid superellipsoid cylinder cone capsule disc pipe torus revolution oloid two_circles sphericon bezier triangle nurbs s-patch patches subdivision quadric implicit metaballs polyhedron box wire"},
    {"shape",         "position",               {},                                            K::vector,         "m",      kZero,           "Origin of the shape's frame, body axes."},
    {"shape",         "orientation",            {},                                            K::quaternion,     "",       kAxes,           "Rotates the shape's axes into body axes."},
    {"shape",         "rotate",                 {},                                            K::turns,          "rad",    kAxes,           "The same, as a product of rotations about axes."},
    {"shape",         "rotate_deg",             {},                                            K::turns_deg,      "degree", kAxes,           "The same, in degrees."},
    {"shape",         "rotation",               {},                                            K::rotation,       "",       kAxes,           "The same, about one axis of any length; `angle` is in radians."},

    {"sphere",        "radius",                 into<&SphereSpec::radius>,                     K::number,         "m",      kRequired,       "Radius."},
    {"sphere",        "cavity",                 into<&SphereSpec::cavity>,                     K::flag,           "",       "`false`",       "Whether the body is everything outside the sphere: a bowl."},

    {"ellipsoid",     "semi_axes",              into<&EllipsoidSpec::semi_axes>,               K::vector,         "m",      kRequired,       "Half lengths along x, y, z of the shape's frame."},
    {"ellipsoid",     "cavity",                 into<&EllipsoidSpec::cavity>,                  K::flag,           "",       "`false`",       "Whether the body is everything outside the ellipsoid."},

    {"cylinder",      "radius",                 into<&CylinderSpec::radius>,                   K::number,         "m",      kRequired,       "Radius."},
    {"cylinder",      "height",                 into<&CylinderSpec::height>,                   K::number,         "m",      "none",          "Height of a solid cylinder with flat ends, centred at z = 0."},
    {"cylinder",      "length",                 into<&CylinderSpec::length>,                   K::number,         "m",      "infinite",      "Instead of `height`: length of a cylinder without ends, centred at z = 0. At an end the body leaves the surface."},
    {"cylinder",      "cavity",                 into<&CylinderSpec::cavity>,                   K::flag,           "",       "`false`",       "Whether the body is everything outside the cylinder: a bore."},

    {"cone",          "radius",                 into<&ConeSpec::radius>,                       K::number,         "m",      "none",          "Radius of the base of a solid cone."},
    {"cone",          "height",                 into<&ConeSpec::height>,                       K::number,         "m",      "none",          "Height of a solid cone; its base is at z = `height`."},
    {"cone",          "half_angle",             into<&ConeSpec::half_angle>,                   K::number,         "rad",    "none",          "Instead, for the surface alone: angle between axis and surface."},
    {"cone",          "from",                   into<&ConeSpec::from>,                         K::number,         "m",      "none",          "Height above the apex at which the surface starts, greater than 0. There the body leaves the surface."},
    {"cone",          "to",                     into<&ConeSpec::to>,                           K::number,         "m",      "none",          "Height above the apex at which it ends."},
    {"cone",          "cavity",                 into<&ConeSpec::cavity>,                       K::flag,           "",       "`false`",       "Whether the body is everything outside the cone: a funnel."},

    {"capsule",       "radius",                 into<&CapsuleSpec::radius>,                    K::number,         "m",      kRequired,       "Radius of the cylinder and of both ends."},
    {"capsule",       "height",                 into<&CapsuleSpec::height>,                    K::number,         "m",      kRequired,       "Height including both ends, more than twice the radius."},

    {"disc",          "radius",                 into<&DiscSpec::radius>,                       K::number,         "m",      kRequired,       "Radius, including the rim."},
    {"disc",          "thickness",              into<&DiscSpec::thickness>,                    K::number,         "m",      kRequired,       "Thickness, centred at z = 0."},
    {"disc",          "rim",                    into<&DiscSpec::rim>,                          K::choice,         "",       "`\"sharp\"`",   "With two edges, or rounded by half a circle.", "sharp rounded"},

    {"pipe",          "outer_radius",           into<&PipeSpec::outer_radius>,                 K::number,         "m",      kRequired,       "Outer radius."},
    {"pipe",          "inner_radius",           into<&PipeSpec::inner_radius>,                 K::number,         "m",      kRequired,       "Inner radius."},
    {"pipe",          "height",                 into<&PipeSpec::height>,                       K::number,         "m",      kRequired,       "Height, centred at z = 0."},

    {"torus",         "major_radius",           into<&TorusSpec::major_radius>,                K::number,         "m",      kRequired,       "Radius of the circle in the middle of the tube."},
    {"torus",         "minor_radius",           into<&TorusSpec::minor_radius>,                K::number,         "m",      kRequired,       "Radius of the tube."},

    {"superellipsoid", "semi_axes",              into<&SuperellipsoidSpec::semi_axes>,          K::vector,         "m",      kRequired,       "Half lengths a, b, c along x, y, z of the shape's frame."},
    {"superellipsoid", "exponents",              into<&SuperellipsoidSpec::exponents>,          K::numbers,        "",       kRequired,       "`[p, q]`, each 2 to 64: about the z axis and along it. q = 2 is allowed only with p = 2: otherwise the curvature would jump at z = ±c. With q > 2 the surface is flat at z = ±c, with p > 2 along x = 0 and y = 0: on a plane, a contact that gets there ends the run (`conforming`); on curved ground it keeps rolling."},
    {"superellipsoid", "cavity",                 into<&SuperellipsoidSpec::cavity>,             K::flag,           "",       "`false`",       "Whether the body is everything outside the surface."},

    {"revolution",    "profile",                {},                                            K::table,          "",       kRequired,       "The curve (distance from the axis, z) that is revolved, see curves. It runs upwards on the outside of the body, and may start and end on the axis or be closed."},
    {"revolution",    "cavity",                 into<&RevolutionSpec::cavity>,                 K::flag,           "",       "`false`",       "Whether the body is on the other side of the surface."},

    {"curve",         "points",                 into<&CurveSpec::points>,                      K::points,         "",       kRequired,       "Control points `[[a, b], ...]`."},
    {"curve",         "weights",                into<&CurveSpec::weights>,                     K::numbers,        "",       "all 1",         "One per control point, greater than 0."},
    {"curve",         "degree",                 into<&CurveSpec::degree>,                      K::integer,        "",       "`1`",           "At most 15. Degree 1 is a polyline, on which no point contact can roll: profiles usually have degree 2 or 3."},
    {"curve",         "knots",                  into<&CurveSpec::knots>,                       K::numbers,        "",       "uniform",       "Knot vector of length control points + degree + 1. By default uniform from 0 to 1, with the ends repeated degree + 1 times."},

    {"bezier",        "net",                    into<&PatchSpec::net>,                         K::net,            "m",      kRequired,       "Rows of control points, 2 to 16 in each direction; `net[i][j]` multiplies B_i(u) B_j(v), and c_u × c_v points out of the body."},
    {"bezier",        "weights",                into<&PatchSpec::weights>,                     K::rows,           "",       "all 1",         "One per control point, greater than 0."},
    {"bezier",        "trim",                   {},                                            K::tables,         "",       "none",          "Loops in the (u, v) plane, see curves. Counter-clockwise loops keep the inside, clockwise loops cut it out."},

    {"triangle",      "net",                    into<&PatchSpec::net>,                         K::net,            "m",      kRequired,       "Rows of n + 1, n, ..., 1 control points for degree n: the first row lies along v = 0 with u increasing, the last is the corner v = 1."},
    {"triangle",      "weights",                into<&PatchSpec::weights>,                     K::rows,           "",       "all 1",         "One per control point, greater than 0."},

    {"nurbs",         "net",                    into<&PatchSpec::net>,                         K::net,            "m",      kRequired,       "Rows of control points; `net[i][j]` belongs to knot i of u and knot j of v, and c_u × c_v points out of the body: for ground that is solid below, x increases from row to row and y within a row."},
    {"nurbs",         "weights",                into<&PatchSpec::weights>,                     K::rows,           "",       "all 1",         "One per control point, greater than 0."},
    {"nurbs",         "degree",                 into<&PatchSpec::degree>,                      K::numbers,        "",       kRequired,       "`[p, q]` along u and v, 1 to 15."},
    {"nurbs",         "knots_u",                into<&PatchSpec::knots_u>,                     K::numbers,        "",       "uniform",       "Knot vector of length rows + p + 1; if periodic, rows + 1 over one period. By default uniform from 0 to 1, with the ends repeated p + 1 times; if periodic 0, 1, 2, ..."},
    {"nurbs",         "knots_v",                into<&PatchSpec::knots_v>,                     K::numbers,        "",       "uniform",       "Knot vector of length columns + q + 1; if periodic, columns + 1 over one period."},
    {"nurbs",         "periodic_u",             into<&PatchSpec::periodic_u>,                  K::flag,           "",       "`false`",       "Whether the surface closes on itself along u; control points are not repeated."},
    {"nurbs",         "periodic_v",             into<&PatchSpec::periodic_v>,                  K::flag,           "",       "`false`",       "The same along v."},
    {"nurbs",         "trim",                   {},                                            K::tables,         "",       "none",          "Loops in the (u, v) plane of the knots, see curves."},

    {"s-patch",       "net",                    into<&PatchSpec::net>,                         K::net,            "m",      "required unless `border` is given", "One row per side. Each control point belongs to a list of corners, as long as the depth; row k has the points of all non-descending lists that start with corner k, in lexicographic order. Corners run counter-clockwise seen from outside, side k from corner k to the next. With 5 sides and depth 2: `[[p00, p01, p02, p03, p04], [p11, p12, p13, p14], [p22, p23, p24], [p33, p34], [p44]]`. The depth, 1 to 5, follows from the number of points."},
    {"s-patch",       "border",                 into<&PatchSpec::border>,                      K::net,            "m",      "none",          "Instead of a net: 3 to 10 rows of 2 to 6 control points of the border curves, each starting where the previous one ends. The interior is filled in between; its tangent planes are not matched to those of its neighbours."},
    {"s-patch",       "weights",                into<&PatchSpec::weights>,                     K::rows,           "",       "all 1",         "One per control point of `net` or `border`, greater than 0. Weights of `border` may be scaled row by row, but must then agree at the corners."},

    {"patches",       "patch",                  {},                                            K::tables,         "",       kRequired,       "The patches, `[[body.shape.patch]]`, each with `type` and the keys of that type."},
    {"patches",       "glue",                   into<&PatchesSpec::glue>,                      K::rows,           "",       "all matching sides", "Sides to join, `[[patch, side, patch, side], ...]`. Patches (pieces, if some are NURBS) are counted from 0, sides counter-clockwise from 0: v = 0, u = 1, v = 1, u = 0; for triangles v = 0, u + v = 1, u = 0; for S-patches side k goes from corner k to the next. An empty list joins none."},
    {"patches",       "tolerance",              into<&PatchesSpec::tolerance>,                 K::number,         "",       "`1e-9`",        "Largest distance between matching borders, as a fraction of the surface's size. Raise it for rounded nets; `oloid check` reports how many sides remain free."},

    {"patch",         "type",                   {},                                            K::choice,         "",       "`\"bezier\"`",  "Type of patch.", "bezier triangle nurbs s-patch"},


    {"subdivision",   "file",                   into<&CageFileSpec::file>,                     K::text,           "",       kRequired,       "The control cage, an OBJ file with `v`, `f` and `t crease` lines; path relative to the directory of the scene file."},
    {"subdivision",   "scale",                  into<&CageFileSpec::scale>,                    K::number,         "",       "`1`",           "Factor that converts the file's coordinates to metres: 0.001 for millimetres."},
    {"subdivision",   "scheme",                 into<&SubdivisionSpec::scheme>,                K::choice,         "",       "`\"catmull-clark\"`", "Catmull-Clark accepts any polygons, Loop only triangles.", "catmull-clark loop"},

    {"quadric",       "Q",                      into<&QuadricSpec::Q>,                         K::matrix,         "",       kRequired,       "The body is where pᵀ Q p + 2 b·p + c < 0, with p in the shape's frame."},
    {"quadric",       "b",                      into<&QuadricSpec::b>,                         K::vector,         "",       kZero,           "See `Q`."},
    {"quadric",       "c",                      into<&QuadricSpec::c>,                         K::number,         "",       kRequired,       "See `Q`."},

    {"implicit",      "f",                      into<&ImplicitSpec::formulas>,                 K::formulas,       "",       kRequired,       "A formula in x, y and z, 0 on the surface and negative inside, or several: then the body is where all are negative, with edges where their surfaces meet. Available: `+ - * / ^`, `sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs atan2 pow min max hypot`, `pi`, `e`.", "x y z"},
    {"implicit",      "box",                    into<&ImplicitSpec::box>,                      K::box,            "m",      kRequired,       "Two opposite corners of a box around the body; everything outside is ignored. With `open`: where to search for the surface, which continues outside."},
    {"implicit",      "open",                   into<&ImplicitSpec::open>,                     K::flag,           "",       "`false`",       "Whether the surface may continue outside the box: ground or a cavity. The first contact must be inside the box."},

    {"metaballs",     "ball",                   {},                                            K::tables,         "",       kRequired,       "The bumps, `[[body.shape.ball]]`."},
    {"metaballs",     "threshold",              into<&MetaballsSpec::threshold>,               K::number,         "",       "`0.5`",         "The body is where the sum of the bumps exceeds this value."},
    {"metaballs",     "kernel",                 into<&MetaballsSpec::kernel>,                  K::choice,         "",       "`\"compact\"`", "The bump w g(s), s = (distance / radius)²: `(1 - s)⁴` inside the radius, or `1 / (1 + s)²`.", "compact rational"},

    {"ball",          "centre",                 into<&MetaballsSpec::Ball::centre>,            K::vector,         "m",      kZero,           "Centre, in the shape's frame."},
    {"ball",          "radius",                 into<&MetaballsSpec::Ball::radius>,            K::number,         "m",      kRequired,       "Radius of the bump, not of the body: a single `compact` bump with threshold 0.5 gives a ball of 0.4 times this radius."},
    {"ball",          "weight",                 into<&MetaballsSpec::Ball::weight>,            K::number,         "",       "`1`",           "Its height w; a negative weight makes a dent."},

    {"polyhedron",    "file",                   into<&CageFileSpec::file>,                     K::text,           "",       "none",          "An OBJ file; path relative to the directory of the scene file. Each object (`o`) and group (`g`) is one convex part, a closed mesh with flat faces, counter-clockwise seen from outside. Parts may touch and overlap."},
    {"polyhedron",    "scale",                  into<&CageFileSpec::scale>,                    K::number,         "",       "`1`",           "Factor that converts the file's coordinates to metres."},
    {"polyhedron",    "points",                 into<&PolyhedronSpec::points>,                 K::space_points,   "m",    "none",          "Instead of a file: points whose convex hull is the body."},
    {"polyhedron",    "hull",                   into<&PolyhedronSpec::hull>,                   K::flag,           "",       "`false`",       "Whether to use the convex hull of each part's vertices, ignoring its faces."},
    {"polyhedron",    "tolerance",              into<&PolyhedronSpec::tolerance>,              K::number,         "",       "`1e-9`",        "How far a face may deviate from a plane, as a fraction of the body's size. Faces that are coplanar to within this tolerance are merged."},

    {"box",           "size",                   into<&BoxSpec::size>,                          K::vector,         "m",      kRequired,       "Lengths along x, y, z of the shape's frame."},

    {"oloid",         "radius",                 into<&OloidSpec::radius>,                      K::number,         "m",      kRequired,       "Radius of both circles."},
    {"oloid",         "distance",               into<&OloidSpec::distance>,                    K::number,         "m",      "`radius`",      "Distance between the circles' centres. √2 times the radius gives the two-circle roller, whose centre of mass stays at a constant height."},

    {"two_circles",   "radius_1",               {},                                            K::number,         "m",      kRequired,       "Radius of the first circle."},
    {"two_circles",   "centre_1",               {},                                            K::vector,         "m",      kZero,           "Its centre."},
    {"two_circles",   "axis_1",                 {},                                            K::vector,         "",       "`[0, 0, 1]`",   "Direction perpendicular to its plane, of any length."},
    {"two_circles",   "radius_2",               {},                                            K::number,         "m",      kRequired,       "Radius of the second circle."},
    {"two_circles",   "centre_2",               {},                                            K::vector,         "m",      kRequired,       "Its centre."},
    {"two_circles",   "axis_2",                 {},                                            K::vector,         "",       "`[0, 0, 1]`",   "Direction perpendicular to its plane."},

    {"sphericon",     "radius",                 into<&SphericonSpec::radius>,                  K::number,         "m",      kRequired,       "Distance of the four apexes from the centre, and radius of both semicircles."},

    {"wire",          "curve",                  {},                                            K::table,          "",       kRequired,       "The curve, see curves in space."},
    {"space_curve",   "kind",                   {},                                            K::choice,         "",       kRequired,       "Type of curve.", "circle ellipse helix polyline bezier nurbs"},
    {"curve_circle",  "radius",                 into<&CircleCurveSpec::radius>,                K::number,         "m",      kRequired,       "Radius, about the z axis."},
    {"curve_ellipse", "semi_axes",              into<&EllipseCurveSpec::semi_axes>,            K::numbers,        "m",      kRequired,       "`[a, b]`, half lengths along x and y."},
    {"curve_ellipse", "from",                   into<&EllipseCurveSpec::from>,                 K::number,         "rad",    "`0`",           "θ at which the arc (a cos θ, b sin θ, 0) starts."},
    {"curve_ellipse", "to",                     into<&EllipseCurveSpec::to>,                   K::number,         "rad",    "2π",            "θ at which it ends."},
    {"curve_helix",   "radius",                 into<&HelixCurveSpec::radius>,                 K::number,         "m",      kRequired,       "Distance from the z axis. The helix starts on the x axis."},
    {"curve_helix",   "pitch",                  into<&HelixCurveSpec::pitch>,                  K::number,         "m",      kRequired,       "Rise along z per turn; right-handed if positive."},
    {"curve_helix",   "turns",                  into<&HelixCurveSpec::turns>,                  K::number,         "",       "`1`",           "Number of turns, not necessarily whole."},
    {"curve_polyline", "points",                 into<&PolylineSpec::points>,                   K::space_points,   "m",      kRequired,       "Corners."},
    {"curve_polyline", "closed",                 into<&PolylineSpec::closed>,                   K::flag,           "",       "`false`",       "Whether the last corner is joined to the first."},
    {"curve_bezier",  "points",                 into<&SplineSpec::points>,                     K::space_points,   "m",      kRequired,       "Control points, 2 to 16."},
    {"curve_bezier",  "weights",                into<&SplineSpec::weights>,                    K::numbers,        "",       "all 1",         "One per control point, greater than 0."},
    {"curve_nurbs",   "points",                 into<&SplineSpec::points>,                     K::space_points,   "m",      kRequired,       "Control points."},
    {"curve_nurbs",   "weights",                into<&SplineSpec::weights>,                    K::numbers,        "",       "all 1",         "One per control point, greater than 0."},
    {"curve_nurbs",   "degree",                 into<&SplineSpec::degree>,                     K::integer,        "",       kRequired,       "1 to 15."},
    {"curve_nurbs",   "knots",                  into<&SplineSpec::knots>,                      K::numbers,        "",       "uniform",       "Knot vector of length control points + degree + 1."},

    {"pair",          "bodies",                 into<&PairSpec::bodies>,                       K::two_names,      "",       kRequired,       "Names of the two bodies."},
    {"pair",          "friction",               into<&ContactLawSpec::friction>,               K::friction,       "",       "from the materials", "Static coefficient of Coulomb friction; `\"unlimited\"` prevents slip."},
    {"pair",          "kinetic_friction",       into<&ContactLawSpec::kinetic_friction>,       K::number,         "",       "same as `friction`", "Coefficient while slipping; at most the static one."},
    {"pair",          "restitution",            into<&ContactLawSpec::restitution>,            K::number,         "",       "from the materials", "Fraction of the normal velocity that an impact returns, 0 to 1."},
    {"pair",          "tangential_restitution", into<&ContactLawSpec::tangential_restitution>, K::number,         "",     "from the materials", "The same for the tangential velocity, -1 to 1, as far as friction allows: -1 means no friction at all, 0 removes the slip, 1 reverses it."},
    {"pair",          "rolling_resistance",     into<&ContactLawSpec::rolling_resistance>,     K::number,         "m",      "from the materials", "The moment resisting rolling is at most this length times the normal force."},
    {"pair",          "spin",                   into<&ContactLawSpec::spin>,                   K::spin,           "m",      "from the materials", "The moment resisting spin, rotation about the normal, is at most this length times the normal force; `\"free\"` means 0, `\"stuck\"` prevents spin."},

    {"load",          "body",                   into<&LoadSpec::body>,                         K::text,           "",       kRequired,       "The body it acts on."},
    {"load",          "force",                  into<&LoadSpec::force>,                        K::three_formulas, "N",  "none",          "Force along x, y, z. Variables: time `t`, centre of mass `x y z`, its velocity `vx vy vz`, angular velocity `wx wy wz`, all in world axes.", kLoadVariables},
    {"load",          "torque",                 into<&LoadSpec::torque>,                       K::three_formulas, "N m", "none",         "Torque about the centre of mass, with the same variables.", kLoadVariables},
    {"load",          "point",                  into<&LoadSpec::point>,                        K::vector,         "m",      kZero,           "Point at which the force acts, in the body's frame."},
    {"load",          "frame",                  {},                                            K::choice,         "",       "`\"world\"`",   "Axes of force and torque; the variables are always in world axes.", "world body"},

    {"spring",        "bodies",                 into<&SpringSpec::bodies>,                     K::two_names,      "",       kRequired,       "Names of the two bodies; one may be fixed or have a motion."},
    {"spring",        "points",                 into<&SpringSpec::points>,                     K::two_points,     "m",      "the origins",   "Attachment points, each in its body's frame."},
    {"spring",        "stiffness",              into<&SpringSpec::stiffness>,                  K::number,         "N/m",    kRequired,       "Force per metre of extension beyond its length."},
    {"spring",        "damping",                into<&SpringSpec::damping>,                    K::number,         "N s/m",  "`0`",           "Force per unit of extension speed."},
    {"spring",        "length",                 into<&SpringSpec::length>,                     K::number,         "m",      "`0`",           "Length at which it exerts no force."},

    {"drag",          "body",                   into<&DragSpec::body>,                         K::text,           "",       kRequired,       "The body it acts on."},
    {"drag",          "linear",                 into<&DragSpec::linear>,                       K::number,         "N s/m",  "`0`",           "Force per unit of velocity of the centre of mass, opposing it."},
    {"drag",          "angular",                into<&DragSpec::angular>,                      K::number,         "N m s",  "`0`",           "Torque per unit of angular velocity, opposing it."},

    {"probe",         "name",                   into<&ProbeSpec::name>,                        K::text,           "",       kRequired,       "Unique name: letters, digits, `_` and `-`, starting with a letter."},
    {"probe",         "formula",                into<&ProbeSpec::formula>,                     K::formula,        "",       kRequired,       "The formula to record.", kAnyNames},
    {"probe",         "unit",                   into<&ProbeSpec::unit>,                        K::text,           "",       "none",          "Unit of the values, for tables and plots."},
    {"probe",         "event",                  into<&ProbeSpec::event>,                       K::flag,           "",       "`true`",        "Whether each zero is recorded as an event."},
};
// clang-format on

struct Section {
  std::string_view table, heading, introduction;
};
constexpr Section kSections[] = {
    {"", "Top of the file",
     "Keys before the first `[table]`. Every number may also be a string: a formula in the "
     "parameters."},
    {"parameters", "`[parameters]`",
     "Any names; each value is a number or a formula in other parameters. Names consist of "
     "letters, digits and `_`, and must not already have a meaning in formulas: functions, `pi`, "
     "`e`, `t x y z vx vy vz wx wy wz`, `unlimited`, `free`, `stuck`."},
    {"solver", "`[solver]`", ""},
    {"output", "`[output]`", ""},
    {"material", "`[[material]]`",
     "There may be any number of materials. Two materials in contact have the friction coefficient "
     "√(μ₁ μ₂), both static and kinetic, the smaller of the two restitutions and the larger of the "
     "two resistances."},
    {"body", "`[[body]]`",
     "Specify at most one of `orientation`, `rotate`, `rotate_deg` and `rotation`. A body is "
     "either "
     "`fixed`, has a `motion`, or has a mass or density. With a mass alone it is homogeneous."},
    {"place_touch", "`place` of a body: touching",
     "With `own` or `own_normal`, the body is first rotated from its orientation by the smallest "
     "angle that makes the normals face each other; then it is rotated by `turn`. Its position "
     "follows."},
    {"place_drop", "`place` of a body: dropped",
     "The body keeps its orientation and moves along gravity from its position until it touches. "
     "If it overlaps another body at its position, it is first raised by its size, twice its size "
     "and so on until it is free. Bodies with `drop` fall in the order of the file, each onto all "
     "bodies placed before it."},
    {"motion_formula", "`motion` of a body: formulas",
     "Formulas in the time `t`, with the functions of `type = \"implicit\"`. Their second "
     "derivatives must be continuous, since they give the body's acceleration."},
    {"motion_frames", "`motion` of a body: key frames",
     "Key frames are joined by cubic splines with continuous acceleration."},
    {"motion_belt", "`motion` of a body: a running surface",
     "The body stays where it is while its surface moves like a belt. Formulas in the time `t`."},
    {"shape", "`shape` of a body",
     "These keys apply to every type. The pose places the shape's frame in the body's frame, whose "
     "origin is the centre of mass."},
    {"plane", "`type = \"plane\"`", "The half-space z ≤ 0 of the shape's frame. No further keys."},
    {"sphere", "`type = \"sphere\"`", "Centred at the origin of the shape's frame."},
    {"ellipsoid", "`type = \"ellipsoid\"`", "Centred at the origin of the shape's frame."},
    {"cylinder", "`type = \"cylinder\"`",
     "About the z axis of the shape's frame: with `height` a solid with flat ends and sharp edges, "
     "otherwise the surface alone."},
    {"cone", "`type = \"cone\"`",
     "Apex at the origin of the shape's frame, opening along +z: with `radius` and `height` a "
     "solid "
     "with a flat base, or with `half_angle`, `from` and `to` the surface alone, without apex."},
    {"capsule", "`type = \"capsule\"`",
     "A cylinder about the z axis of the shape's frame with half balls as ends."},
    {"disc", "`type = \"disc\"`",
     "A coin or a wheel about the z axis of the shape's frame, flat above and below."},
    {"pipe", "`type = \"pipe\"`",
     "A solid cylinder about the z axis of the shape's frame with a bore, and sharp edges."},
    {"torus", "`type = \"torus\"`", "A ring about the z axis of the shape's frame."},
    {"superellipsoid", "`type = \"superellipsoid\"`",
     "(|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q = 1: boxes and cylinders with rounded edges."},
    {"revolution", "`type = \"revolution\"`",
     "A curve revolved about the z axis of the shape's frame. Where it meets the axis at a right "
     "angle the surface is smooth; otherwise it ends at the tip."},
    {"bezier", "`type = \"bezier\"`", "A tensor-product Bezier patch."},
    {"triangle", "`type = \"triangle\"`", "A triangular Bezier patch over u, v ≥ 0, u + v ≤ 1."},
    {"nurbs", "`type = \"nurbs\"`",
     "A NURBS surface, split into Bezier patches that are glued together. A full surface of "
     "revolution, even if stretched along three axes, is recognised and has no poles."},
    {"s-patch", "`type = \"s-patch\"`",
     "A Bezier surface with 3 to 10 sides over a regular polygon, used to close a hole between "
     "other patches. Its borders are Bezier curves of degree 1 to 5; this degree is called the "
     "depth. With three sides it is a Bezier triangle, with four a tensor-product patch."},
    {"patches", "`type = \"patches\"`",
     "Several patches, glued where their borders match. A contact crosses seams that are at least "
     "G1; the run ends at sharp edges, free borders and sides that are a single point."},
    {"patch", "`patch` of `type = \"patches\"`", ""},
    {"curve", "Curves: `profile` and `trim`",
     "A NURBS curve in a plane. Loops of `trim` must be closed; a polyline is closed "
     "automatically. A circle of radius r about (a, b), clockwise and therefore a hole, is `{ "
     "degree = 2, points = [[a+r, b], [a+r, b-r], [a, b-r], [a-r, b-r], [a-r, b], [a-r, b+r], [a, "
     "b+r], [a+r, b+r], [a+r, b]], weights = [1, s, 1, s, 1, s, 1, s, 1], knots = [0, 0, 0, 1, 1, "
     "2, 2, 3, 3, 4, 4, 4] }` with s = 0.7071067811865476; without these knots it would not be "
     "round."},
    {"subdivision", "`type = \"subdivision\"`",
     "The exact limit surface of a control cage: each regular face is one patch; other faces are "
     "rings of patches, down to 1e-6 of the face, closed by a disc that a contact can roll over. "
     "The run ends at sharp creases and boundaries."},
    {"quadric", "`type = \"quadric\"`", "An implicit surface of degree two."},
    {"implicit", "`type = \"implicit\"`",
     "A surface given by formulas. A contact that reaches an edge between two of them ends the "
     "run. A density requires a star-shaped body: every ray from some interior point leaves the "
     "body exactly once."},
    {"metaballs", "`type = \"metaballs\"`", "Balls that blend into each other."},
    {"ball", "`ball` of `type = \"metaballs\"`", ""},
    {"polyhedron", "`type = \"polyhedron\"`",
     "A convex polyhedron, or a union of several. A contact moves over faces; the run ends at a "
     "sharp edge. Specify `file` or `points`."},
    {"box", "`type = \"box\"`", "Centred at the origin of the shape's frame."},
    {"oloid", "`type = \"oloid\"`",
     "The convex hull of two circles in perpendicular planes, each through the centre of the "
     "other: "
     "the first about (0, -distance/2, 0) in the plane z = 0 of the shape's frame, the second "
     "about "
     "(0, distance/2, 0) in x = 0. The edges are arcs of the circles."},
    {"two_circles", "`type = \"two_circles\"`",
     "The convex hull of any two circles: cylinders and cones with end faces, straight or oblique, "
     "and rollers. Not allowed: coplanar circles, circles that meet on the surface, and a circle "
     "that just touches the plane of the other."},
    {"sphericon", "`type = \"sphericon\"`",
     "A right-angled double cone, cut through its apexes, with one half rotated by 90 degrees: "
     "four half cones with apexes at (0, 0, ±r) for x ≤ 0 and (0, ±r, 0) for x ≥ 0. Two edges are "
     "semicircles; between them a contact rolls from cone to cone."},
    {"wire", "`type = \"wire\"`",
     "A body that is a curve. `oloid check` reports its length and curvature, and `oloid export` "
     "writes it; contacts of curves are not simulated, so `oloid run` rejects it."},
    {"space_curve", "Curves in space: `curve` of a wire", ""},
    {"curve_circle", "`kind = \"circle\"`", ""},
    {"curve_ellipse", "`kind = \"ellipse\"`", ""},
    {"curve_helix", "`kind = \"helix\"`", ""},
    {"curve_polyline", "`kind = \"polyline\"`", ""},
    {"curve_bezier", "`kind = \"bezier\"`", ""},
    {"curve_nurbs", "`kind = \"nurbs\"`", ""},
    {"pair", "`[[pair]]`", "Overrides the values that follow from the materials of two bodies."},
    {"load", "`[[load]]`",
     "Specify `force`, `torque` or both, each as three formulas or numbers, with the functions of "
     "`type = \"implicit\"`."},
    {"spring", "`[[spring]]`",
     "Pulls along the line between two points with the force stiffness (distance - length) + "
     "damping (rate of change of the distance)."},
    {"drag", "`[[drag]]`", "Viscous drag, equal in all directions."},
    {"probe", "`[[probe]]`",
     "A formula that is recorded with every frame. Its zeros are found to the tolerance of the "
     "integration, unless two of them lie within an eighth of a step. Names: `t` [s]; for a body "
     "called `ball`, its centre of mass `ball.x ball.y ball.z` [m], velocity `ball.vx .vy .vz` "
     "[m/s], angular velocity `ball.wx .wy .wz` [rad/s], the directions of its own x, y and z axes "
     "`ball.xx .xy .xz .yx .yy .yz .zx .zy .zz`, `ball.speed` [m/s] and, if it has a mass, "
     "`ball.kinetic` [J]; for two bodies, at least one of which is free to move, `ball.table.gap` "
     "[m], `.normal_force` [N], `.friction` [N], `.slip` [m/s], `.spin` [rad/s], where friction "
     "and slip are magnitudes, forces are 0 while the bodies are apart, and the gap is exactly 0 "
     "while they touch and at the instant they meet; `energy.kinetic .potential .dissipated .work` "
     "[J], summed over all bodies. All vectors are in world axes. A body can be used in formulas "
     "only if its name consists of letters, digits and `_`, starts with a letter and is not "
     "`energy`. The functions are those of `type = \"implicit\"`."},
};

std::string type_cell(const SceneKey& key) {
  if (key.kind != K::choice) return std::string(name(key.kind));
  return fmt::format("`\"{}\"`", fmt::join(choices_of(key), "\"`, `\""));
}

}  // namespace

std::string_view name(ValueKind kind) {
  switch (kind) {
    case K::version:
    case K::integer:
      return "integer";
    case K::number:
      return "number";
    case K::friction:
      return "number or `\"unlimited\"`";
    case K::spin:
      return "number, `\"free\"` or `\"stuck\"`";
    case K::text:
      return "string";
    case K::flag:
      return "`true` or `false`";
    case K::choice:
      return "one of several words";
    case K::vector:
      return "3 numbers";
    case K::matrix:
      return "1 number (three equal ones), 3 numbers (diagonal), or symmetric 3 × 3";
    case K::quaternion:
      return "4 numbers `[w, x, y, z]`";
    case K::turns:
    case K::turns_deg:
      return "rotations `[[\"x\", angle], ...]`";
    case K::rotation:
      return "`{ axis = [x, y, z], angle_deg = a }`";
    case K::numbers:
      return "numbers";
    case K::rows:
      return "rows of numbers";
    case K::points:
      return "points `[a, b]`";
    case K::net:
      return "rows of points `[x, y, z]`";
    case K::box:
      return "2 points `[x, y, z]`";
    case K::texts:
    case K::formulas:
      return "string, or list of strings";
    case K::formula:
      return "formula";
    case K::three_formulas:
      return "3 formulas";
    case K::quaternions:
      return "quaternions `[w, x, y, z]`";
    case K::two_points:
      return "2 points `[x, y, z]`";
    case K::space_points:
      return "points `[x, y, z]`";
    case K::two_names:
      return "2 names";
    case K::table:
      return "table";
    case K::tables:
      return "tables";
  }
  return "?";
}

bool takes_formulas(ValueKind kind) {
  return kind == K::formula || kind == K::formulas || kind == K::three_formulas;
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

}  // namespace oloid::io
