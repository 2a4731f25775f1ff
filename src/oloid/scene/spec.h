// What a user asks for, as plain data with the place where it was written. Nothing here is checked
// beyond its type: `compile` in world/ is the last place where input can be refused.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "oloid/base/cage.h"
#include "oloid/base/linalg.h"
#include "oloid/base/result.h"
#include "oloid/scene/scene_file.h"
#include "oloid/spatial/rotation.h"

namespace oloid::scene {

// A value and where it was written; from C++ the place may stay empty.
template <class T>
struct Located {
  T value{};
  Place place;
  Located() = default;
  Located(T v, Place p = {}) : value(std::move(v)), place(std::move(p)) {}
};

// Polygons from an OBJ file, read together with the scene.
struct CageFileSpec {
  Located<std::string> file{};         // as written; counted from the scene's directory
  std::shared_ptr<const Cage> cage{};  // none: the file is not given
  Located<double> scale{1};            // the file's coordinates times this are metres
};

// Half-space z ≤ 0 of the shape's frame.
struct PlaneSpec {};
// Ball, or with `cavity` all that is outside of it (a bowl).
struct SphereSpec {
  Located<double> radius;  // [m]
  bool cavity = false;
};
struct EllipsoidSpec {
  Located<Vec3<double>> semi_axes;  // [m], along x, y, z of the shape's frame
  bool cavity = false;
};
// About z and about z = 0. With a height it is closed by flat ends; with a length its ends are open
// borders; with neither it is endless.
struct CylinderSpec {
  Located<double> radius;                             // [m]
  std::optional<Located<double>> height{}, length{};  // [m]
  bool cavity = false;
};
// Apex at the origin, opening along +z: either closed by a flat base, or the surface alone between
// two heights above the apex.
struct ConeSpec {
  std::optional<Located<double>> radius{}, height{};  // [m], of the base
  std::optional<Located<double>> half_angle{};        // [rad]
  std::optional<Located<double>> from{}, to{};        // [m]
  bool cavity = false;
};
// A cylinder about z with half balls as ends.
struct CapsuleSpec {
  Located<double> radius, height;  // [m], the height over all
};
// About z, flat above and below.
struct DiscSpec {
  enum class Rim { sharp, rounded };
  Located<double> radius, thickness;  // [m]
  Rim rim = Rim::sharp;               // rounded: by half a circle
};
// A cylinder about z with a bore.
struct PipeSpec {
  Located<double> outer_radius, inner_radius, height;  // [m]
};
// A ring about z.
struct TorusSpec {
  Located<double> major_radius, minor_radius;  // [m]
};
// (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q = 1.
struct SuperellipsoidSpec {
  Located<Vec3<double>> semi_axes;           // [m]
  Located<std::vector<double>> exponents{};  // p, q
  bool cavity = false;
};
// A plane NURBS curve; without knots they are uniform and the curve runs from the first point to
// the last. Without a degree it is a chain of straight lines.
struct CurveSpec {
  Located<std::vector<Vec2<double>>> points;
  Located<std::vector<double>> weights{};  // empty: all 1
  Located<double> degree{1};
  Located<std::vector<double>> knots{};  // empty: uniform
};
// The curve (distance from the z axis, z), turned about the z axis; it runs upwards on the outside.
struct RevolutionSpec {
  CurveSpec profile;  // [m]
  bool cavity = false;
};
// One patch; c_u × c_v points out of the body.
struct PatchSpec {
  enum class Kind { bezier, triangle, nurbs, s_patch };
  Kind kind = Kind::bezier;
  Located<std::vector<std::vector<Vec3<double>>>> net;  // [m], net[i][j] goes with u index i
  // S-patches, instead of a net: control points of the border curves, counter-clockwise. [m]
  Located<std::vector<std::vector<Vec3<double>>>> border{};
  Located<std::vector<std::vector<double>>> weights{};  // as the net or the border; empty: all 1
  Located<std::vector<double>> degree{};                // NURBS: along u and v
  Located<std::vector<double>> knots_u{}, knots_v{};    // NURBS; empty: uniform
  bool periodic_u = false, periodic_v = false;          // NURBS
  std::vector<CurveSpec> trim{};  // loops in (u, v); counter-clockwise keeps what is inside
};
// Patches glued along their sides.
struct PatchesSpec {
  std::vector<PatchSpec> patches;
  // Sides glued by declaration, each [patch, side, patch, side]; nothing: all that match are glued.
  std::optional<Located<std::vector<std::vector<double>>>> glue;
  Located<double> tolerance{1e-9};  // of the surface's size, between borders that match
};
// The limit surface of a control cage.
struct SubdivisionSpec {
  enum class Scheme { catmull_clark, loop };
  CageFileSpec cage;
  Scheme scheme = Scheme::catmull_clark;
};
// Implicit quadric pᵀ Q p + 2 b·p + c = 0, the body where it is negative.
struct QuadricSpec {
  Located<Mat3<double>> Q;
  Located<Vec3<double>> b = Vec3<double>(Vec3<double>::Zero());
  Located<double> c;
};
// The body where all formulas in x, y and z are negative, and inside the box.
struct ImplicitSpec {
  Located<std::vector<std::string>> formulas;
  Located<std::array<Vec3<double>, 2>> box;  // [m], two corners
  bool open = false;                         // whether the surface may go on outside the box
};
// The body where the sum of bumps exceeds a threshold.
struct MetaballsSpec {
  struct Ball {
    Located<Vec3<double>> centre = Vec3<double>(Vec3<double>::Zero());  // [m]
    Located<double> radius;                                             // [m]
    Located<double> weight{1};
  };
  enum class Kernel { compact, rational };
  std::vector<Ball> balls;
  Located<double> threshold{0.5};
  Kernel kernel = Kernel::compact;
};
// A convex polyhedron, or a union of them: the hull of points, or a mesh from a file, whose parts
// (objects and groups) are convex. With `hull` each part is the hull of its vertices.
struct PolyhedronSpec {
  CageFileSpec mesh{};
  Located<std::vector<Vec3<double>>> points{};  // [m], instead of a file
  bool hull = false;
  Located<double> tolerance{1e-9};  // of the size: how far from flat faces may be
};
// About the origin.
struct BoxSpec {
  Located<Vec3<double>> size;  // [m], along x, y, z of the shape's frame
};
// Hull of two circles with one radius in perpendicular planes, their centres on the y axis.
struct OloidSpec {
  Located<double> radius;                   // [m]
  std::optional<Located<double>> distance;  // [m], of the centres; the oloid has the radius
};
// Hull of any two circles.
struct TwoCirclesSpec {
  std::array<Located<Vec3<double>>, 2> centre;  // [m]
  std::array<Located<Vec3<double>>, 2> axis;    // of any length
  std::array<Located<double>, 2> radius;        // [m]
};
struct SphericonSpec {
  Located<double> radius;  // [m]
};
// Curves in space. Circle, ellipse and helix lie about the z axis.
struct CircleCurveSpec {
  Located<double> radius;  // [m]
};
struct EllipseCurveSpec {
  Located<std::vector<double>> semi_axes;          // [m], along x and y
  Located<double> from{0}, to{6.283185307179586};  // [rad]
};
struct HelixCurveSpec {
  Located<double> radius, pitch;  // [m], [m] for each turn, right-handed if positive
  Located<double> turns{1};
};
struct PolylineSpec {
  Located<std::vector<Vec3<double>>> points;  // [m]
  bool closed = false;
};
struct SplineSpec {
  Located<std::vector<Vec3<double>>> points;  // [m]
  Located<std::vector<double>> weights{};     // empty: all 1
  std::optional<Located<double>> degree;      // none: one Bezier curve
  Located<std::vector<double>> knots{};       // empty: uniform
};
using WireCurveSpec =
    std::variant<CircleCurveSpec, EllipseCurveSpec, HelixCurveSpec, PolylineSpec, SplineSpec>;
// A body that is a curve: it can be looked at, not yet be touched.
struct WireSpec {
  Located<WireCurveSpec> curve;
};
using ShapeSpec =
    std::variant<PlaneSpec, SphereSpec, EllipsoidSpec, CylinderSpec, ConeSpec, CapsuleSpec,
                 DiscSpec, PipeSpec, TorusSpec, SuperellipsoidSpec, RevolutionSpec, PatchesSpec,
                 QuadricSpec, ImplicitSpec, MetaballsSpec, SubdivisionSpec, PolyhedronSpec, BoxSpec,
                 OloidSpec, TwoCirclesSpec, SphericonSpec, WireSpec>;

// Three formulas, one for each axis.
using FormulasSpec = Located<std::array<std::string, 3>>;

// A pose given by formulas in t; what is not given stays as the body has it. At most one of angle
// and rotation vector, by which the body is turned from its orientation, about its own origin.
struct FormulaMotionSpec {
  std::optional<FormulasSpec> position{};  // [m], of the origin, world
  Located<Vec3<double>> rotation_axis = Vec3<double>(Vec3<double>::UnitZ());  // world, any length
  std::optional<Located<std::string>> angle{};                                // [rad]
  std::optional<FormulasSpec> rotation_vector{};  // [rad], axis × angle, world
};
// Poses at given times, joined by C² splines. At most one of orientations, which take the place of
// the body's, and rotation vectors, by which the body is turned from its orientation.
struct KeyFrameMotionSpec {
  Located<std::vector<double>> times{};                                  // [s], increasing
  std::optional<Located<std::vector<Vec3<double>>>> positions{};         // [m], world
  std::optional<Located<std::vector<Quat<double>>>> orientations{};      // body to world
  std::optional<Located<std::vector<Vec3<double>>>> rotation_vectors{};  // [rad], world
  bool periodic = false;  // the last key frame is the first again; otherwise at rest outside
};
// The pose stays, the surface runs: formulas in t.
struct BeltMotionSpec {
  std::optional<FormulasSpec> velocity{};      // [m/s], world
  std::optional<Located<std::string>> spin{};  // [rad/s], about the z axis of the shape
};
using MotionSpec = std::variant<FormulaMotionSpec, KeyFrameMotionSpec, BeltMotionSpec>;

// Puts a body into contact with another at given places of both surfaces; the body is turned by the
// least angle that lets their normals face each other.
struct TouchSpec {
  Located<std::string> body;  // the other one
  // [m], other body's axes: its surface is touched where it is nearest to this; none: nearest to
  // the position of the body that is placed.
  std::optional<Located<Vec3<double>>> at{};
  // Where the own surface touches, own body's axes: nearest to a point [m], or where a direction
  // points straight out of it. None of them: where no turn is needed.
  std::optional<Located<Vec3<double>>> own{}, own_normal{};
  Located<double> turn{0};  // [rad], then, about the outward normal of the other surface
};
// Moves a body along gravity to the first touch.
struct DropSpec {
  std::optional<Located<std::string>> on{};  // none: whatever comes first
};
struct PlacementSpec {
  std::variant<TouchSpec, DropSpec> how;
  bool rolling = false;  // whether the velocity is the one at which the contact does not slip
};

// Free with a mass or density, fixed, or moved as prescribed.
struct BodySpec {
  Located<std::string> name;
  bool fixed = false;
  std::optional<Located<MotionSpec>> motion{};
  Located<ShapeSpec> shape;
  // Pose of the shape's frame in the body's frame, whose origin is the centre of mass.
  std::optional<Located<Vec3<double>>> shape_position;  // [m], default the origin
  Located<Quat<double>> shape_orientation;              // unit
  // Either mass and inertia, or the mass or the density of what the shape encloses: then the shape
  // is moved in the body's frame until its centre of mass is the origin.
  std::optional<Located<double>> mass;           // [kg]
  std::optional<Located<Mat3<double>>> inertia;  // [kg m²], body axes
  std::optional<Located<double>> density;        // [kg/m³]
  Located<Vec3<double>> position =
      Vec3<double>(Vec3<double>::Zero());  // [m], of the centre of mass
  Located<Quat<double>> orientation;       // body to world
  Located<Vec3<double>> velocity = Vec3<double>(Vec3<double>::Zero());          // [m/s], world
  Located<Vec3<double>> angular_velocity = Vec3<double>(Vec3<double>::Zero());  // [rad/s], world
  std::optional<Located<std::string>> material;
  std::optional<Located<PlacementSpec>> placement{};  // from which the position follows
};

// How two surfaces act on each other; what is not given follows from the materials or is 0.
// What a material has that does not give them, and a body without a material. Not given, the rest
// is 0.
inline constexpr double kDefaultFriction = 0.5, kDefaultRestitution = 0;
struct ContactLawSpec {
  std::optional<Located<double>>
      friction{};  // static coefficient; infinity is "unlimited": no slip
  std::optional<Located<double>> kinetic_friction{};        // default: equal to the static one
  std::optional<Located<double>> restitution{};             // 0 to 1
  std::optional<Located<double>> tangential_restitution{};  // -1 to 1
  std::optional<Located<double>> rolling_resistance{};      // [m], moment / normal force
  std::optional<Located<double>> spin{};  // [m], the same about the normal; infinity is "stuck"
};
struct MaterialSpec {
  Located<std::string> name;
  ContactLawSpec law;
};
// Overrides what the two materials would give.
struct PairSpec {
  Located<std::array<std::string, 2>> bodies;
  ContactLawSpec law;
};

// A force and a torque by formulas in t, x, y, z (centre of mass), vx, vy, vz, wx, wy, wz.
struct LoadSpec {
  Located<std::string> body;
  std::optional<FormulasSpec> force{};   // [N]
  std::optional<FormulasSpec> torque{};  // [N m], about the centre of mass
  Located<Vec3<double>> point =
      Vec3<double>(Vec3<double>::Zero());  // [m], where the force acts, body
  bool body_axes = false;  // whether force and torque are in body axes; otherwise world
};
struct SpringSpec {
  Located<std::array<std::string, 2>> bodies;
  Located<std::array<Vec3<double>, 2>> points = std::array<Vec3<double>, 2>{
      Vec3<double>(Vec3<double>::Zero()), Vec3<double>(Vec3<double>::Zero())};  // [m], body frames
  Located<double> stiffness;                                                    // [N/m]
  Located<double> damping{0};                                                   // [N s/m]
  Located<double> length{0};  // [m], at which it is slack
};
// Viscous, about the centre of mass.
struct DragSpec {
  Located<std::string> body;
  Located<double> linear{0};   // [N s/m]
  Located<double> angular{0};  // [N m s]
};

// A formula that is recorded; its zeros are events unless `event` is false.
struct ProbeSpec {
  Located<std::string> name;
  Located<std::string> formula;
  std::string unit{};  // for plots and tables
  bool event = true;
};

enum class Method { dop853, rk4 };
enum class Formulation { contact_twist, parameter_rates };

struct SolverSpec {
  Located<Method> method{Method::dop853};
  Located<Formulation> formulation{Formulation::contact_twist};
  Located<double> rtol{1e-11};                    // dop853: relative tolerance
  std::optional<Located<double>> max_step;        // [s]; rk4: the step (default 1 ms)
  std::optional<Located<double>> min_step;        // [s]; rk4: how far it is halved at patch borders
  std::optional<Located<double>> slip_threshold;  // [m/s], below which slip counts as stopped
  Located<double> max_steps{1e8};  // budget: the run ends with an event after that many
  bool stop_on_end = false;        // whether an island that cannot be continued ends the whole run
};

struct Spec {
  std::string name;                    // shown in summaries; the file's stem unless given
  std::string text;                    // the scene file as read, kept for the record
  std::string file;                    // its path
  std::vector<SceneFile> files;        // that it names, each once
  std::vector<std::string> overrides;  // "PATH=VALUE", that were applied to it
  Located<double> duration;            // [s]
  Located<Vec3<double>> gravity = Vec3<double>(0, 0, -9.81);  // [m/s²]
  Located<double> output_dt{0.01};                            // [s] between frames
  bool chart_crossings = false;                               // whether they are recorded as events
  SolverSpec solver;
  std::vector<BodySpec> bodies;
  std::vector<MaterialSpec> materials;
  std::vector<PairSpec> pairs;
  std::vector<LoadSpec> loads;
  std::vector<SpringSpec> springs;
  std::vector<DragSpec> drags;
  std::vector<ProbeSpec> probes;
  Located<std::vector<std::string>> stop_when;  // formulas: the run ends at the first zero of one
};

}  // namespace oloid::scene
