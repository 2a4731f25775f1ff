#include "oloid/io/scene_text/scene_schema.h"

#include <fmt/format.h>

#include <algorithm>

namespace oloid::io {
namespace {

using K = ValueKind;

constexpr std::string_view kRequired = "required";
constexpr std::string_view kZero = "`[0, 0, 0]`";
constexpr std::string_view kAxes = "no turn";
constexpr std::string_view kTime = "t";
constexpr std::string_view kLoadVariables = "t x y z vx vy vz wx wy wz";

// clang-format off
constexpr SceneKey kSchema[] = {
    // table,     key,               kind,          unit,     fallback,        meaning
    {"",          "oloid",            K::version,    "",       kRequired,       "Version of this format. This program reads version 1."},
    {"",          "name",             K::text,       "",       "file name",     "Name of the scene in summaries and plots."},
    {"",          "duration",         K::number,     "s",      kRequired,       "Simulated time."},
    {"",          "gravity",          K::vector,     "m/s²",   "`[0, 0, -9.81]`", "Acceleration of free fall, world axes."},
    {"",          "include",          K::texts,      "",       "none",          "Other scene files whose contents count as if they were written here, see including. Counted from the directory of this file."},
    {"",          "parameters",       K::table,      "",       "none",          "Numbers with names, see `[parameters]`."},
    {"",          "solver",           K::table,      "",       "defaults",      "How to integrate, see `[solver]`."},
    {"",          "output",           K::table,      "",       "defaults",      "What to record, see `[output]`."},
    {"",          "material",         K::tables,     "",       "none",          "Surfaces' properties, see `[[material]]`."},
    {"",          "body",             K::tables,     "",       kRequired,       "The bodies, see `[[body]]`."},
    {"",          "pair",             K::tables,     "",       "none",          "Properties of particular pairs, see `[[pair]]`."},
    {"",          "load",             K::tables,     "",       "none",          "Forces and torques by formulas, see `[[load]]`."},
    {"",          "spring",           K::tables,     "",       "none",          "Springs and dampers between bodies, see `[[spring]]`."},
    {"",          "drag",             K::tables,     "",       "none",          "Viscous drag, see `[[drag]]`."},

    {"",          "probe",            K::tables,     "",       "none",          "Formulas that are recorded, see `[[probe]]`."},
    {"",          "stop_when",        K::formulas,   "",       "none",          "The run ends, regularly, at the first zero of this formula after the start, whether it rises or falls; of several the first that is zero. Names as in `[[probe]]`. A formula that is zero at the start counts once it has left zero.", kAnyNames},

    {"solver",    "method",           K::choice,     "",       "`\"dop853\"`",  "Adaptive 8th order, or the classic 4th order with fixed steps.", "dop853 rk4"},
    {"solver",    "rtol",             K::number,     "",       "`1e-11`",       "Relative tolerance of dop853."},
    {"solver",    "formulation",      K::choice,     "",       "`\"contact-twist\"`", "Variables of a contact: its relative twist, or the rates of the surface parameters. The second needs one more derivative of the surfaces and is there for comparison.", "contact-twist parameter-rates"},
    {"solver",    "max_step",         K::number,     "s",      "none; rk4: `1e-3`", "Longest step; for rk4 the step."},
    {"solver",    "min_step",         K::number,     "s",      "none: rk4 keeps its step", "rk4: the step is halved at borders of patches, down to this, and grows again to `max_step`."},
    {"solver",    "max_steps",        K::number,     "",       "`1e8`",         "Budget: the run ends with an event after that many steps."},
    {"solver",    "slip_threshold",   K::number,     "m/s",    "none",          "Slip below this counts as stopped. Without it the instant at which slip ends is found exactly."},

    {"output",    "dt",               K::number,     "s",      "`0.01`",        "Interval between recorded frames. It does not influence the motion."},

    {"material",  "name",             K::text,       "",       kRequired,       "Referred to by bodies."},
    {"material",  "friction",         K::friction,   "",       "none: a `[[pair]]` must give it", "Static coefficient of Coulomb friction; `\"unlimited\"` forbids slip."},
    {"material",  "kinetic_friction", K::number,     "",       "as `friction`", "Coefficient while slipping; at most the static one."},
    {"material",  "restitution",      K::number,     "",       "`0`",          "Part of the normal velocity that an impact returns, 0 to 1."},
    {"material",  "tangential_restitution", K::number, "",     "`0`",          "The same for the tangential velocity, -1 to 1, as far as friction allows: -1 is no friction at all, 0 takes the slip away, 1 reverses it."},
    {"material",  "rolling_resistance", K::number,   "m",      "`0`",          "The moment against rolling is at most this length times the normal force."},
    {"material",  "spin",             K::spin,       "m",      "`\"free\"`",     "The moment against turning about the normal is at most this length times the normal force; `\"free\"` is 0, `\"stuck\"` forbids it."},

    {"body",      "name",             K::text,       "",       kRequired,       "Unique name."},
    {"body",      "fixed",            K::flag,       "",       "`false`",       "Whether the body stays where it is."},
    {"body",      "motion",           K::table,      "",       "none",          "How the body moves whatever acts on it, see `motion` of a body."},
    {"body",      "shape",            K::table,      "",       kRequired,       "The surface, see shapes."},
    {"body",      "mass",             K::number,     "kg",     "required unless fixed, moved or with density", "Mass."},
    {"body",      "inertia",          K::matrix,     "kg m²",  "required unless fixed, moved or with density", "Inertia about the centre of mass, body axes."},
    {"body",      "density",          K::number,     "kg/m³",  "none",          "Instead of mass and inertia: they are computed from the shape, which must be closed. The shape's position follows from its centre of mass and may not be given."},
    {"body",      "position",         K::vector,     "m",      kZero,           "Centre of mass, world axes."},
    {"body",      "place",            K::table,      "",       "none",          "Puts the body into contact with another, see `place` of a body."},
    {"body",      "orientation",      K::quaternion, "",       kAxes,           "Turns body axes into world axes; of length 1 within 1e-6."},
    {"body",      "rotate",           K::turns,      "rad",    kAxes,           "The same as a product of turns about axes."},
    {"body",      "rotate_deg",       K::turns_deg,  "degree", kAxes,           "The same in degrees."},
    {"body",      "velocity",         K::vector,     "m/s",    kZero,           "Of the centre of mass, world axes."},
    {"body",      "angular_velocity", K::vector,     "rad/s",  kZero,           "World axes."},
    {"body",      "material",         K::text,       "",       "none",          "Name of a material."},

    {"place_touch", "touch",          K::text,       "",       kRequired,       "The body to touch."},
    {"place_touch", "at",             K::vector,     "m",      "`position` of the body", "A point in the axes of the body `touch`; the point of its surface nearest to it is touched."},
    {"place_touch", "own",            K::vector,     "m",      "none",          "A point in the axes of the body that is placed; it touches with the point of its surface nearest to it."},
    {"place_touch", "own_normal",     K::vector,     "",       "none",          "Instead of `own`: a direction in the same axes, of any length; it touches where this points straight out of its surface, farthest out if there are several such points."},
    {"place_touch", "turn",           K::number,     "rad",    "`0`",           "Turn about the outward normal of the surface that is touched, at the contact."},
    {"place_touch", "turn_deg",       K::number,     "degree", "`0`",           "The same in degrees."},
    {"place_touch", "rolling",        K::flag,       "",       "`false`",       "Whether the velocity follows from the angular velocity: the contact does not slip."},

    {"place_drop", "drop_on",         K::text,       "",       "none",          "The body to fall on; nothing else is in its way."},
    {"place_drop", "drop",            K::flag,       "",       "`false`",       "Instead of `drop_on`: whether to fall on whatever comes first."},
    {"place_drop", "rolling",         K::flag,       "",       "`false`",       "As with `touch`."},

    {"motion_formula", "position",    K::three_formulas, "m",  "`position` of the body", "The body's origin, world axes.", kTime},
    {"motion_formula", "rotation_axis", K::vector,   "",       "`[0, 0, 1]`",   "Direction about which `angle` turns the body, world axes, of any length."},
    {"motion_formula", "angle",       K::formula,    "rad",    "no turn",       "Turn about that axis through the body's origin, starting from its orientation.", kTime},
    {"motion_formula", "rotation_vector", K::three_formulas, "rad", "no turn",  "Instead of axis and angle: their product, world axes.", kTime},

    {"motion_frames", "times",        K::numbers,    "s",      kRequired,       "Increasing."},
    {"motion_frames", "positions",    K::space_points, "m",    "`position` of the body", "The body's origin at these times, world axes."},
    {"motion_frames", "orientations", K::quaternions, "",      "orientation of the body", "Turn body axes into world axes. From one to the next less than 3 rad."},
    {"motion_frames", "rotation_vectors", K::space_points, "rad", "no turn",    "Instead of orientations: axis times angle by which the body is turned from its orientation, world axes. Any number of turns."},
    {"motion_frames", "periodic",     K::flag,       "",       "`false`",       "Whether the motion repeats; the last key frame is the first again. Otherwise the body rests before the first and after the last."},

    {"motion_belt", "surface_velocity", K::three_formulas, "m/s", "none",       "Velocity of the surface, world axes.", kTime},
    {"motion_belt", "surface_spin",   K::formula,    "rad/s",  "none",          "Turning of the surface about the z axis of the shape.", kTime},

    {"shape",     "type",             K::choice,     "",       kRequired,       "Which surface.", "plane sphere ellipsoid superellipsoid cylinder cone torus revolution oloid two_circles sphericon bezier triangle nurbs s-patch patches subdivision quadric implicit metaballs polyhedron box wire"},
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

    {"superellipsoid", "semi_axes",   K::vector,     "m",      kRequired,       "Half lengths a, b, c along x, y, z of the shape's frame."},
    {"superellipsoid", "exponents",   K::numbers,    "",       kRequired,       "`[p, q]`, each 2 to 64: about the z axis and along it. Not q = 2 with another p: the curvature would jump at z = ±c. With q > 2 the surface is flat at z = ±c, with p > 2 along x = 0 and y = 0: on a plane a contact that comes there ends the run (`conforming`), on a curved ground it rolls on."},
    {"superellipsoid", "cavity",      K::flag,       "",       "`false`",       "Whether the body is all that is outside."},

    {"revolution", "profile",         K::table,      "",       kRequired,       "The curve (distance from the axis, z) that is turned, see curves. It runs upwards on the outside of the body, and may begin and end on the axis or be closed."},
    {"revolution", "cavity",          K::flag,       "",       "`false`",       "Whether the body is on the other side of the surface."},

    {"curve",     "points",           K::points,     "",       kRequired,       "Control points `[[a, b], ...]`."},
    {"curve",     "weights",          K::numbers,    "",       "all 1",         "One for each control point, greater than 0."},
    {"curve",     "degree",           K::integer,    "",       "`1`",           "1 is a chain of straight lines, which no point contact can roll on: profiles are usually of degree 2 or 3. At most 15."},
    {"curve",     "knots",            K::numbers,    "",       "uniform",       "As many as control points + degree + 1. Without them they are uniform from 0 to 1, with the ends repeated degree + 1 times."},

    {"bezier",    "net",              K::net,        "m",      kRequired,       "Rows of control points, 2 to 16 each way; `net[i][j]` multiplies B_i(u) B_j(v), and c_u × c_v points out of the body."},
    {"bezier",    "weights",          K::rows,       "",       "all 1",         "One for each control point, greater than 0."},
    {"bezier",    "trim",             K::tables,     "",       "none",          "Loops in the (u, v) plane, see curves. Counter-clockwise ones keep what is inside, clockwise ones cut it out."},

    {"triangle",  "net",              K::net,        "m",      kRequired,       "Rows of n + 1, n, ..., 1 control points for degree n: the first row along v = 0 with u growing, the last the corner v = 1."},
    {"triangle",  "weights",          K::rows,       "",       "all 1",         "One for each control point, greater than 0."},

    {"nurbs",     "net",              K::net,        "m",      kRequired,       "Rows of control points; `net[i][j]` goes with knot i of u and j of v, and c_u × c_v points out of the body: a ground that is solid below has x growing from row to row and y within a row."},
    {"nurbs",     "weights",          K::rows,       "",       "all 1",         "One for each control point, greater than 0."},
    {"nurbs",     "degree",           K::numbers,    "",       kRequired,       "`[p, q]` along u and v, 1 to 15."},
    {"nurbs",     "knots_u",          K::numbers,    "",       "uniform",       "As many as rows + p + 1; if periodic, rows + 1 over one period. Without them uniform from 0 to 1, the ends repeated p + 1 times; if periodic 0, 1, 2, ..."},
    {"nurbs",     "knots_v",          K::numbers,    "",       "uniform",       "As many as columns + q + 1; if periodic, columns + 1 over one period."},
    {"nurbs",     "periodic_u",       K::flag,       "",       "`false`",       "Whether the surface closes on itself along u; control points are not repeated."},
    {"nurbs",     "periodic_v",       K::flag,       "",       "`false`",       "The same along v."},
    {"nurbs",     "trim",             K::tables,     "",       "none",          "Loops in the (u, v) plane of the knots, see curves."},

    {"s-patch",   "net",              K::net,        "m",      "required unless `border` is given", "One row for each side. A control point goes with a list of as many corners as the depth; row k has the points of all lists that begin with corner k and do not descend, in dictionary order. Corners run counter-clockwise seen from outside, side k from corner k to the next. With 5 sides and depth 2: `[[p00, p01, p02, p03, p04], [p11, p12, p13, p14], [p22, p23, p24], [p33, p34], [p44]]`. The depth, 1 to 5, follows from the number of points."},
    {"s-patch",   "border",           K::net,        "m",      "none",          "Instead of a net: 3 to 10 rows of 2 to 6 control points of the border curves, each beginning where the one before ends. The inside is filled between them; how it meets its neighbours' tangent planes is left open."},
    {"s-patch",   "weights",          K::rows,       "",       "all 1",         "One for each control point of `net` or `border`, greater than 0. Those of `border` may be scaled row by row and must then agree at the corners."},

    {"patches",   "patch",            K::tables,     "",       kRequired,       "The patches, `[[body.shape.patch]]`, each with `type` and the keys of that type."},
    {"patches",   "glue",             K::rows,       "",       "all that match", "Sides that belong together, `[[patch, side, patch, side], ...]`, patches (pieces, if some are NURBS) counted from 0, sides counter-clockwise from 0: v = 0, u = 1, v = 1, u = 0, or v = 0, u + v = 1, u = 0; of an S-patch from corner k to the next. Empty: none."},
    {"patches",   "tolerance",        K::number,     "",       "`1e-9`",        "How far apart borders that match may be, as a part of the surface's size. Raise it for nets that were rounded; `oloid check` tells how many sides stayed free."},

    {"patch",     "type",             K::choice,     "",       "`\"bezier\"`",  "Which kind.", "bezier triangle nurbs s-patch"},


    {"subdivision", "file",           K::text,       "",       kRequired,       "The control cage, an OBJ file with `v`, `f` and `t crease` lines, named from the directory of the scene."},
    {"subdivision", "scale",          K::number,     "",       "`1`",           "The file's coordinates times this are metres: 0.001 for millimetres."},
    {"subdivision", "scheme",         K::choice,     "",       "`\"catmull-clark\"`", "Catmull-Clark takes any polygons, Loop triangles.", "catmull-clark loop"},

    {"quadric",   "Q",                K::matrix,     "",       kRequired,       "Body where pᵀ Q p + 2 b·p + c < 0, p in the shape's frame."},
    {"quadric",   "b",                K::vector,     "",       kZero,           "See Q."},
    {"quadric",   "c",                K::number,     "",       kRequired,       "See Q."},

    {"implicit",  "f",                K::formulas,   "",       kRequired,       "A formula in x, y and z, 0 on the surface and negative inside, or several: the body is where all are negative, with edges where their surfaces meet. `+ - * / ^`, `sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs atan2 pow min max hypot`, `pi`, `e`.", "x y z"},
    {"implicit",  "box",              K::box,        "m",      kRequired,       "Two opposite corners of a box around the body; nothing outside is looked at. With `open`: where the surface is searched; it goes on outside."},
    {"implicit",  "open",             K::flag,       "",       "`false`",       "Whether the surface may go on outside the box: a ground or a cavity. It must be met inside the box at the start."},

    {"metaballs", "ball",             K::tables,     "",       kRequired,       "The bumps, `[[body.shape.ball]]`."},
    {"metaballs", "threshold",        K::number,     "",       "`0.5`",         "The body is where the sum of the bumps exceeds this."},
    {"metaballs", "kernel",           K::choice,     "",       "`\"compact\"`", "The bump w g(s), s = (distance / radius)²: `(1 - s)⁴` inside the radius, or `1 / (1 + s)²`.", "compact rational"},

    {"ball",      "centre",           K::vector,     "m",      kZero,           "Centre, in the shape's frame."},
    {"ball",      "radius",           K::number,     "m",      kRequired,       "Radius of the bump, not of the body: alone, `compact` with threshold 0.5 gives a ball of 0.4 radii."},
    {"ball",      "weight",           K::number,     "",       "`1`",           "Its height w; negative makes a dent."},

    {"polyhedron", "file",            K::text,       "",       "none",          "An OBJ file, its path counted from the scene file. Each object (`o`) and group (`g`) is one convex part, a closed mesh with flat faces, counter-clockwise seen from outside. Parts may touch and overlap."},
    {"polyhedron", "scale",           K::number,     "",       "`1`",           "The file's coordinates times this are metres."},
    {"polyhedron", "points",          K::space_points, "m",    "none",          "Instead of a file: the body is their convex hull."},
    {"polyhedron", "hull",            K::flag,       "",       "`false`",       "Whether to take the convex hull of the vertices of each part of the file, whatever its faces."},
    {"polyhedron", "tolerance",       K::number,     "",       "`1e-9`",        "How far from flat a face may be, as a part of the body's size. Faces that lie in one plane within it become one."},

    {"box",       "size",             K::vector,     "m",      kRequired,       "Lengths along x, y, z of the shape's frame."},

    {"oloid",     "radius",           K::number,     "m",      kRequired,       "Radius of both circles."},
    {"oloid",     "distance",         K::number,     "m",      "`radius`",      "Of the circles' centres. √2 times the radius gives the two-circle roller, whose centre of mass stays at one height."},

    {"two_circles", "radius_1",       K::number,     "m",      kRequired,       "Radius of the first circle."},
    {"two_circles", "centre_1",       K::vector,     "m",      kZero,           "Its centre."},
    {"two_circles", "axis_1",         K::vector,     "",       "`[0, 0, 1]`",   "Direction perpendicular to its plane, of any length."},
    {"two_circles", "radius_2",       K::number,     "m",      kRequired,       "Radius of the second circle."},
    {"two_circles", "centre_2",       K::vector,     "m",      kRequired,       "Its centre."},
    {"two_circles", "axis_2",         K::vector,     "",       "`[0, 0, 1]`",   "Direction perpendicular to its plane."},

    {"sphericon", "radius",           K::number,     "m",      kRequired,       "Distance of the four apexes from the centre, and radius of both half circles."},

    {"wire",      "curve",            K::table,      "",       kRequired,       "The curve, see curves in space."},
    {"space_curve", "kind",           K::choice,     "",       kRequired,       "Which curve.", "circle ellipse helix polyline bezier nurbs"},
    {"curve_circle", "radius",        K::number,     "m",      kRequired,       "Radius, about the z axis."},
    {"curve_ellipse", "semi_axes",    K::numbers,    "m",      kRequired,       "`[a, b]`, half lengths along x and y."},
    {"curve_ellipse", "from",         K::number,     "rad",    "`0`",           "Where the arc (a cos θ, b sin θ, 0) begins."},
    {"curve_ellipse", "to",           K::number,     "rad",    "2π",            "Where it ends."},
    {"curve_helix", "radius",         K::number,     "m",      kRequired,       "Distance from the z axis. The helix begins on the x axis."},
    {"curve_helix", "pitch",          K::number,     "m",      kRequired,       "Rise along z for each turn; right-handed if positive."},
    {"curve_helix", "turns",          K::number,     "",       "`1`",           "How many, also parts of one."},
    {"curve_polyline", "points",      K::space_points,      "m",      kRequired,       "Corners."},
    {"curve_polyline", "closed",      K::flag,       "",       "`false`",       "Whether the last corner is joined to the first."},
    {"curve_bezier", "points",        K::space_points,      "m",      kRequired,       "Control points, 2 to 16."},
    {"curve_bezier", "weights",       K::numbers,    "",       "all 1",         "One for each control point, greater than 0."},
    {"curve_nurbs", "points",         K::space_points,      "m",      kRequired,       "Control points."},
    {"curve_nurbs", "weights",        K::numbers,    "",       "all 1",         "One for each control point, greater than 0."},
    {"curve_nurbs", "degree",         K::integer,    "",       kRequired,       "1 to 15."},
    {"curve_nurbs", "knots",          K::numbers,    "",       "uniform",       "As many as control points + degree + 1."},

    {"pair",      "bodies",           K::two_names,  "",       kRequired,       "Names of the two bodies."},
    {"pair",      "friction",         K::friction,   "",       "from the materials", "Static coefficient of Coulomb friction; `\"unlimited\"` forbids slip."},
    {"pair",      "kinetic_friction", K::number,     "",       "as `friction`", "Coefficient while slipping; at most the static one."},
    {"pair",      "restitution",      K::number,     "",       "from the materials", "Part of the normal velocity that an impact returns, 0 to 1."},
    {"pair",      "tangential_restitution", K::number, "",     "from the materials", "The same for the tangential velocity, -1 to 1, as far as friction allows: -1 is no friction at all, 0 takes the slip away, 1 reverses it."},
    {"pair",      "rolling_resistance", K::number,   "m",      "from the materials", "The moment against rolling is at most this length times the normal force."},
    {"pair",      "spin",             K::spin,       "m",      "from the materials", "The moment against turning about the normal is at most this length times the normal force; `\"free\"` is 0, `\"stuck\"` forbids it."},

    {"load",      "body",             K::text,       "",       kRequired,       "The body it acts on."},
    {"load",      "force",            K::three_formulas, "N",  "none",          "Along x, y, z. Variables: time `t`, centre of mass `x y z`, its velocity `vx vy vz`, angular velocity `wx wy wz`, all in world axes.", kLoadVariables},
    {"load",      "torque",           K::three_formulas, "N m", "none",         "About the centre of mass, the same way.", kLoadVariables},
    {"load",      "point",            K::vector,     "m",      kZero,           "Where the force acts, in the body's frame."},
    {"load",      "frame",            K::choice,     "",       "`\"world\"`",   "Axes of force and torque; the variables stay in world axes.", "world body"},

    {"spring",    "bodies",           K::two_names,  "",       kRequired,       "Names of the two bodies; one may be fixed or have a motion."},
    {"spring",    "points",           K::two_points, "m",      "the origins",   "Where it is attached, each in its body's frame."},
    {"spring",    "stiffness",        K::number,     "N/m",    kRequired,       "Force for each metre beyond its length."},
    {"spring",    "damping",          K::number,     "N s/m",  "`0`",           "Force against the speed at which it lengthens."},
    {"spring",    "length",           K::number,     "m",      "`0`",           "Length at which it is slack."},

    {"drag",      "body",             K::text,       "",       kRequired,       "The body it acts on."},
    {"drag",      "linear",           K::number,     "N s/m",  "`0`",           "Force against the velocity of the centre of mass."},
    {"drag",      "angular",          K::number,     "N m s",  "`0`",           "Torque against the angular velocity."},

    {"probe",     "name",             K::text,       "",       kRequired,       "Unique: letters, digits, `_` and `-`, a letter first."},
    {"probe",     "formula",          K::formula,    "",       kRequired,       "What is recorded.", kAnyNames},
    {"probe",     "unit",             K::text,       "",       "none",          "Unit of its values, for tables and plots."},
    {"probe",     "event",            K::flag,       "",       "`true`",        "Whether each of its zeros is an event."},
};
// clang-format on

struct Section {
  std::string_view table, heading, introduction;
};
constexpr Section kSections[] = {
    {"", "Top of the file",
     "Before the first `[table]`. Every number may also be a text: a formula of parameters."},
    {"parameters", "`[parameters]`",
     "Any names; each is a number, or a formula of other parameters. Names are letters, digits and "
     "`_`, and none that formulas have already: functions, `pi`, `e`, `t x y z vx vy vz wx wy wz`, "
     "`unlimited`, `free`, `stuck`."},
    {"solver", "`[solver]`", ""},
    {"output", "`[output]`", ""},
    {"material", "`[[material]]`",
     "Any number of them. Two materials in contact have the coefficient √(μ₁ μ₂), static and "
     "kinetic alike, the smaller restitution and the larger resistances."},
    {"body", "`[[body]]`",
     "At most one of `orientation`, `rotate` and `rotate_deg`. A body is `fixed`, has a `motion`, "
     "or has a mass or density."},
    {"place_touch", "`place` of a body: touching",
     "The body is turned from its orientation by the least angle that lets the normals face each "
     "other, not at all without `own` and `own_normal`; then by `turn`. Its position follows."},
    {"place_drop", "`place` of a body: dropped",
     "The body keeps its orientation and is moved along gravity, from its position to the first "
     "touch. If it overlaps there it is raised first, by its size, twice that, and so on, until "
     "it is free. Bodies with `drop` fall in the order of the file, each on all that are placed "
     "by then."},
    {"motion_formula", "`motion` of a body: formulas",
     "In the time `t`, with the functions of `type = \"implicit\"`. Their second derivatives must "
     "be "
     "continuous: the body's acceleration follows from them."},
    {"motion_frames", "`motion` of a body: key frames",
     "Joined by cubic splines with continuous acceleration."},
    {"motion_belt", "`motion` of a body: a running surface",
     "The body stays where it is and its surface runs like a belt. Formulas in the time `t`."},
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
    {"superellipsoid", "`type = \"superellipsoid\"`",
     "(|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q = 1: boxes and cylinders with rounded edges."},
    {"revolution", "`type = \"revolution\"`",
     "A curve turned about the z axis of the shape's frame. Where it meets the axis at a right "
     "angle the surface is smooth there; otherwise it ends at the tip."},
    {"bezier", "`type = \"bezier\"`", "A tensor-product Bezier patch."},
    {"triangle", "`type = \"triangle\"`", "A triangular Bezier patch over u, v ≥ 0, u + v ≤ 1."},
    {"nurbs", "`type = \"nurbs\"`",
     "A NURBS surface, cut into Bezier patches that are glued. A full surface of revolution, also "
     "one stretched along three axes, is recognised and has no poles."},
    {"s-patch", "`type = \"s-patch\"`",
     "A Bezier surface with 3 to 10 sides over a regular polygon, to close a hole between other "
     "patches. Its borders are Bezier curves of degree 1 to 5, the depth. With three sides it is a "
     "Bezier "
     "triangle, with four a tensor-product patch."},
    {"patches", "`type = \"patches\"`",
     "Several patches, glued where their borders match. A contact crosses seams that are at least "
     "G1; at sharp edges, free borders and sides that are one point the run ends."},
    {"patch", "`patch` of `type = \"patches\"`", ""},
    {"curve", "Curves: `profile` and `trim`",
     "A NURBS curve in a plane. Loops of `trim` are closed; a chain of straight lines is closed by "
     "itself. A circle of radius r about (a, b), clockwise and so a hole, is `{ degree = 2, points "
     "= "
     "[[a+r, b], [a+r, b-r], [a, b-r], [a-r, b-r], [a-r, b], [a-r, b+r], [a, b+r], [a+r, b+r], "
     "[a+r, "
     "b]], weights = [1, s, 1, s, 1, s, 1, s, 1], knots = [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4] }` "
     "with "
     "s = 0.7071067811865476; without these knots it is not round."},
    {"subdivision", "`type = \"subdivision\"`",
     "The limit surface of a control cage, exactly: regular faces are one patch, others rings of "
     "patches down to 1e-6 of the face, closed by a disc over which a contact rolls on. At sharp "
     "creases and boundaries the run ends."},
    {"quadric", "`type = \"quadric\"`", "An implicit surface of second degree."},
    {"implicit", "`type = \"implicit\"`",
     "A surface given by formulas. A contact that reaches an edge between two of them ends the "
     "run. "
     "Density needs a body in which every ray from some point inside leaves it once."},
    {"metaballs", "`type = \"metaballs\"`", "Balls that melt into each other."},
    {"ball", "`ball` of `type = \"metaballs\"`", ""},
    {"polyhedron", "`type = \"polyhedron\"`",
     "A convex polyhedron, or a union of them. A contact runs over faces; at a sharp edge the run "
     "ends. Give `file` or `points`."},
    {"box", "`type = \"box\"`", "Centred at the origin of the shape's frame."},
    {"oloid", "`type = \"oloid\"`",
     "The convex hull of two circles in perpendicular planes, each through the centre of the "
     "other: "
     "the first about (0, -distance/2, 0) in the plane z = 0 of the shape's frame, the second "
     "about "
     "(0, distance/2, 0) in x = 0. The edges are arcs of the circles."},
    {"two_circles", "`type = \"two_circles\"`",
     "The convex hull of any two circles: cylinders and cones with end faces, straight or oblique, "
     "and rollers. Refused: circles in one plane, circles that meet on the surface, a circle that "
     "just touches the plane of the other."},
    {"sphericon", "`type = \"sphericon\"`",
     "A double cone with right angles, cut through its apexes, one half turned by 90 degrees: four "
     "half cones with apexes at (0, 0, ±r) for x ≤ 0 and (0, ±r, 0) for x ≥ 0. Two edges are half "
     "circles; between them a contact rolls on from cone to cone."},
    {"wire", "`type = \"wire\"`",
     "A body that is a curve. `oloid check` tells its length and curvature, `oloid export` writes "
     "it; contacts of curves are not simulated yet, so `oloid run` refuses it."},
    {"space_curve", "Curves in space: `curve` of a wire", ""},
    {"curve_circle", "`kind = \"circle\"`", ""},
    {"curve_ellipse", "`kind = \"ellipse\"`", ""},
    {"curve_helix", "`kind = \"helix\"`", ""},
    {"curve_polyline", "`kind = \"polyline\"`", ""},
    {"curve_bezier", "`kind = \"bezier\"`", ""},
    {"curve_nurbs", "`kind = \"nurbs\"`", ""},
    {"pair", "`[[pair]]`", "Overrides what the materials of two bodies would give."},
    {"load", "`[[load]]`",
     "Give `force`, `torque` or both, each as three formulas or numbers. The functions are those "
     "of "
     "`type = \"implicit\"`."},
    {"spring", "`[[spring]]`",
     "Pulls along the line between two points with stiffness (distance - length) + damping "
     "(rate of the distance)."},
    {"drag", "`[[drag]]`", "Viscous and the same in all directions."},
    {"probe", "`[[probe]]`",
     "A formula that is recorded with every frame; its zeros are found to the tolerance of the "
     "integration, unless two of them fall into an eighth of a step. Names: `t` [s]; for a body "
     "called `ball` its centre of mass `ball.x ball.y "
     "ball.z` [m], velocity `ball.vx .vy .vz` [m/s], angular velocity `ball.wx .wy .wz` [rad/s], "
     "where its own x, y and z axes point `ball.xx .xy .xz .yx .yy .yz .zx .zy .zz`, `ball.speed` "
     "[m/s] and, of a body with a mass, `ball.kinetic` [J]; for two bodies of which one moves "
     "`ball.table.gap` [m], `.normal_force` [N], `.friction` [N], `.slip` [m/s], `.spin` [rad/s], "
     "where friction and slip are magnitudes, forces are 0 while the bodies are apart, and the gap "
     "is "
     "exactly 0 while they touch and when they meet; "
     "`energy.kinetic .potential .dissipated .work` [J] of all bodies together. All in world axes. "
     "Bodies whose name is not made of letters, digits and `_`, a letter first, and one called "
     "`energy`, cannot be named. The functions are those of `type = \"implicit\"`."},
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
      return "text, or list of texts";
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
