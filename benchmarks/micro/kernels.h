// What is measured, once for every scalar: jets, local surfaces and contact rates.
//
// Every instruction set compiles these templates in a unit of its own. Only plain arrays and the
// types below, whose layout is the same everywhere, cross the border between units.
#pragma once

#include <cstring>

#include "oloid/dynamics/parameter_rates.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/bezier/bezier.h"
#include "support/rooms.h"

namespace oloid::bench {

inline constexpr int kMaxLanes = 8;
inline constexpr int kSets = 8;      // different inputs, used in turn
inline constexpr int kNumbers = 10;  // uvA 2, uvB 2, psi 1, w 5
inline constexpr int kMaxOutputs = 30;

struct Data {
  const BicubicPatch* A;
  const BicubicPatch* B;
  const TensorPatch* biquintic;  // rational
  const TrianglePatch* quartic;
  const SPatch* s_patches[4];  // depth 3, with 3, 4, 5 and 10 sides
  // Loop's scheme: a regular face, and rings around vertices of valence 3, 5, 7 and 10, in turn.
  const TrianglePatch* loop[5][kSets];
  const Ellipsoid* ellipsoid;
  double mass;                            // [kg]
  double J[3];                            // [kg m²], principal, in body axes
  double in[kSets][kNumbers][kMaxLanes];  // lanes side by side
};
static_assert(sizeof(BicubicPatch) == 48 * sizeof(double) && alignof(BicubicPatch) == 8);
static_assert(alignof(TensorPatch) == 8 && alignof(TrianglePatch) == 8 && alignof(SPatch) == 8);

using Output = double[kMaxOutputs][kMaxLanes];

// `run` goes `calls` times through the kernel; `out` keeps the last result.
struct Kernel {
  const char* name;
  const char* scalar;
  int lanes;
  void (*run)(const Data&, int calls, Output& out);
};

// Tables that end with a nullptr name. The wide ones must not be asked for on other machines.
const Kernel* default_kernels();
const Kernel* avx2_kernels();
const Kernel* avx512_kernels();

// All our scalars hold their lanes one after the other.
template <class S>
S load(const double* p) {
  S s;
  static_assert(sizeof s <= sizeof(double) * kMaxLanes);
  std::memcpy(static_cast<void*>(&s), p, sizeof s);
  return s;
}

template <class S>
void store(const S& s, double* p) {
  std::memcpy(p, &s, sizeof s);
}

// Reads and writes rows of lanes one after the other.
template <class S>
struct Reader {
  const double (*row)[kMaxLanes];
  S operator()() { return load<S>(*row++); }
};
template <class S>
struct Writer {
  double (*row)[kMaxLanes];
  void operator()(const S& s) { store(s, *row++); }
  template <int Rows, int Cols>
  void operator()(const Mat<S, Rows, Cols>& m) {
    for (int j = 0; j < Cols; ++j)
      for (int i = 0; i < Rows; ++i) (*this)(m(i, j));
  }
  template <int Order>
  void operator()(const Jet<S, Order>& c) {
    for (const Vec3<S>& term : c.terms) (*this)(term);
  }
};

template <class S>
Uv<S> read_uv(Reader<S>& read) {
  Uv<S> q;
  q(0) = read();
  q(1) = read();
  return q;
}

template <int Order>
struct BicubicJet {
  template <class S>
  static void call(const Data& data, Reader<S> read, Writer<S> write) {
    write(data.A->template jet<Order>(read_uv(read)));
  }
};

template <int Order>
struct BiquinticJet {
  template <class S>
  static void call(const Data& data, Reader<S> read, Writer<S> write) {
    write(data.biquintic->template jet<Order>(read_uv(read)));
  }
};

template <int Order>
struct QuarticTriangleJet {
  template <class S>
  static void call(const Data& data, Reader<S> read, Writer<S> write) {
    const Uv<S> q = read_uv(read);
    write(data.quartic->template jet<Order>(Uv<S>(S(0.5) * q)));  // inside the triangle
  }
};

template <int Which, int Order>
struct SPatchJet {
  template <class S>
  static void call(const Data& data, Reader<S> read, Writer<S> write) {
    const Uv<S> q = read_uv(read);
    write(data.s_patches[Which]->template jet<Order>(Uv<S>(q(0) - S(0.5), q(1) - S(0.5))));
  }
};

template <int Which, int Order>
struct LoopJet {
  template <class S>
  static void call(const Data& data, Reader<S> read, Writer<S> write) {
    const auto set = static_cast<std::size_t>(read.row - data.in[0]) / kNumbers;
    const Uv<S> q = read_uv(read);
    write(data.loop[Which][set]->template jet<Order>(Uv<S>(S(0.5) * q)));
  }
};

template <int Order>
struct EllipsoidJet {
  template <class S>
  static void call(const Data& data, Reader<S> read, Writer<S> write) {
    write(data.ellipsoid->template jet<Order>(4, read_uv(read)));
  }
};

inline constexpr double kReference[3] = {0.8, 0.6, 0.0};

template <class S>
LocalSurface<S> patch_at(const BicubicPatch& patch, const Uv<S>& q) {
  return local_surface(patch.template jet<2>(q), Vec3<double>::Map(kReference));
}

struct BicubicLocalSurface {
  template <class S>
  static void call(const Data& data, Reader<S> read, Writer<S> write) {
    const LocalSurface<S> at = patch_at(*data.A, read_uv(read));
    write(at.p);
    write(at.R);
    write(at.K);
    write(at.T);
    write(at.L);
  }
};

template <class S>
BodyInertia<S> body_of(const Data& data) {
  BodyInertia<S> body{S(data.mass), S(1 / data.mass), Mat3<S>::Zero(), Mat3<S>::Zero()};
  for (int i = 0; i < 3; ++i) {
    body.J(i, i) = S(data.J[i]);
    body.J_inv(i, i) = S(1 / data.J[i]);
  }
  return body;
}
template <class S>
Wrench<S> load_of(const Data& data) {
  return {Vec3<S>::Zero(), Vec3<S>(S(0.1), S(0.2), S(-9.81 * data.mass))};
}
inline Friction friction_of() { return {0.3, 1e-9, Vec3<double>::Map(kReference)}; }

// Both surfaces from their coordinates, then the rates: all that one evaluation of the motion
// needs. Contact-twist form; Pair gives the geometry.
template <Law L, class Pair>
struct FullContactRates {
  template <class S>
  static void call(const Data& data, Reader<S> read, Writer<S> write) {
    const Uv<S> uvA = read_uv(read), uvB = read_uv(read);
    const PairGeometry<S> pair = Pair::template at<S>(data, uvA, uvB);
    ContactState<S> x{{uvA(0), uvA(1), S(0.0)}, {uvB(0), uvB(1), S(0.0)}, read(), {}};
    for (int i = 0; i < 5; ++i) x.w(i) = read();
    const Friction friction = friction_of();
    const ContactRates<S> r = contact_rates<L>(pair, x, body_of<S>(data), load_of<S>(data),
                                               {friction, friction, friction});
    write(r.location_A);
    write(r.location_B);
    write(r.psi);
    write(r.w);
    write(r.dissipation);
    write(r.f);
    write(r.denominator);
    write(r.K_rel);
  }
};
struct BicubicOnBicubic {
  template <class S>
  static PairGeometry<S> at(const Data& data, const Uv<S>& uvA, const Uv<S>& uvB) {
    return {patch_at(*data.A, uvA), patch_at(*data.B, uvB)};
  }
};
struct EllipsoidOnBicubic {
  template <class S>
  static PairGeometry<S> at(const Data& data, const Uv<S>& uvA, const Uv<S>& uvB) {
    return {local_surface(data.ellipsoid->jet<2>(0, uvA), Vec3<double>::Map(kReference)),
            patch_at(*data.B, uvB)};
  }
};

// The same in the parameter-rate form, which needs jets of order 3.
template <Law L>
struct FullParameterRates {
  template <class S>
  static void call(const Data& data, Reader<S> read, Writer<S> write) {
    const Uv<S> uvA = read_uv(read), uvB = read_uv(read);
    const ParametricPair<S> pair{parametric_side(data.A->jet<3>(uvA)),
                                 parametric_side(data.B->jet<3>(uvB))};
    const S psi = read();
    Vec5<S> rates;
    for (int i = 0; i < 5; ++i) rates(i) = read();
    const ParameterRates<S> r =
        parameter_rates(L, pair, psi, rates, body_of<S>(data), load_of<S>(data), friction_of());
    write(r.q);
    write(r.rates);
    write(r.f);
    write(r.denominator);
    write(r.friction_power);
  }
};

template <class K, class S>
void repeat(const Data& data, int calls, Output& out) {
  for (int i = 0; i < calls; ++i) {
    K::template call<S>(data, {data.in[i % kSets]}, {out});
    asm volatile("" ::: "memory");  // every call reads its input and writes its result
  }
}

#define OLOID_BENCH_KERNELS(S, label, lanes)                                                       \
  {"bicubic jet order 1", label, lanes, repeat<BicubicJet<1>, S>},                                 \
      {"bicubic jet order 2", label, lanes, repeat<BicubicJet<2>, S>},                             \
      {"bicubic jet order 3", label, lanes, repeat<BicubicJet<3>, S>},                             \
      {"rational biquintic jet order 1", label, lanes, repeat<BiquinticJet<1>, S>},                \
      {"rational biquintic jet order 2", label, lanes, repeat<BiquinticJet<2>, S>},                \
      {"rational biquintic jet order 3", label, lanes, repeat<BiquinticJet<3>, S>},                \
      {"quartic triangle jet order 1", label, lanes, repeat<QuarticTriangleJet<1>, S>},            \
      {"quartic triangle jet order 2", label, lanes, repeat<QuarticTriangleJet<2>, S>},            \
      {"quartic triangle jet order 3", label, lanes, repeat<QuarticTriangleJet<3>, S>},            \
      {"S-patch 3 sides jet order 1", label, lanes, repeat<SPatchJet<0, 1>, S>},                   \
      {"S-patch 3 sides jet order 2", label, lanes, repeat<SPatchJet<0, 2>, S>},                   \
      {"S-patch 3 sides jet order 3", label, lanes, repeat<SPatchJet<0, 3>, S>},                   \
      {"S-patch 4 sides jet order 1", label, lanes, repeat<SPatchJet<1, 1>, S>},                   \
      {"S-patch 4 sides jet order 2", label, lanes, repeat<SPatchJet<1, 2>, S>},                   \
      {"S-patch 4 sides jet order 3", label, lanes, repeat<SPatchJet<1, 3>, S>},                   \
      {"S-patch 5 sides jet order 1", label, lanes, repeat<SPatchJet<2, 1>, S>},                   \
      {"S-patch 5 sides jet order 2", label, lanes, repeat<SPatchJet<2, 2>, S>},                   \
      {"S-patch 5 sides jet order 3", label, lanes, repeat<SPatchJet<2, 3>, S>},                   \
      {"S-patch 10 sides jet order 1", label, lanes, repeat<SPatchJet<3, 1>, S>},                  \
      {"S-patch 10 sides jet order 2", label, lanes, repeat<SPatchJet<3, 2>, S>},                  \
      {"S-patch 10 sides jet order 3", label, lanes, repeat<SPatchJet<3, 3>, S>},                  \
      {"Loop regular jet order 2", label, lanes, repeat<LoopJet<0, 2>, S>},                        \
      {"Loop regular jet order 3", label, lanes, repeat<LoopJet<0, 3>, S>},                        \
      {"Loop valence 3 jet order 2", label, lanes, repeat<LoopJet<1, 2>, S>},                      \
      {"Loop valence 3 jet order 3", label, lanes, repeat<LoopJet<1, 3>, S>},                      \
      {"Loop valence 5 jet order 2", label, lanes, repeat<LoopJet<2, 2>, S>},                      \
      {"Loop valence 5 jet order 3", label, lanes, repeat<LoopJet<2, 3>, S>},                      \
      {"Loop valence 7 jet order 2", label, lanes, repeat<LoopJet<3, 2>, S>},                      \
      {"Loop valence 7 jet order 3", label, lanes, repeat<LoopJet<3, 3>, S>},                      \
      {"Loop valence 10 jet order 2", label, lanes, repeat<LoopJet<4, 2>, S>},                     \
      {"Loop valence 10 jet order 3", label, lanes, repeat<LoopJet<4, 3>, S>},                     \
      {"ellipsoid jet order 1", label, lanes, repeat<EllipsoidJet<1>, S>},                         \
      {"ellipsoid jet order 2", label, lanes, repeat<EllipsoidJet<2>, S>},                         \
      {"ellipsoid jet order 3", label, lanes, repeat<EllipsoidJet<3>, S>},                         \
      {"bicubic local surface", label, lanes, repeat<BicubicLocalSurface, S>},                     \
      {"full rates, frictionless", label, lanes,                                                   \
       repeat<FullContactRates<Law{Slip::frictionless}, BicubicOnBicubic>, S>},                    \
      {"full rates, sliding", label, lanes,                                                        \
       repeat<FullContactRates<Law{Slip::sliding}, BicubicOnBicubic>, S>},                         \
      {"full rates, rolling", label, lanes,                                                        \
       repeat<FullContactRates<Law{Slip::stuck}, BicubicOnBicubic>, S>},                           \
      {"full rates, rolling without spin", label, lanes,                                           \
       repeat<FullContactRates<Law{Slip::stuck, Spin::stuck}, BicubicOnBicubic>, S>},              \
      {"full rates, rolling with resistance", label, lanes,                                        \
       repeat<                                                                                     \
           FullContactRates<Law{Slip::stuck, Spin::resisting, Roll::resisting}, BicubicOnBicubic>, \
           S>},                                                                                    \
      {"full rates, ellipsoid, rolling", label, lanes,                                             \
       repeat<FullContactRates<Law{Slip::stuck}, EllipsoidOnBicubic>, S>},                         \
      {"parameter rates, frictionless", label, lanes,                                              \
       repeat<FullParameterRates<Law{Slip::frictionless}>, S>},                                    \
      {"parameter rates, sliding", label, lanes,                                                   \
       repeat<FullParameterRates<Law{Slip::sliding}>, S>},                                         \
      {"parameter rates, rolling", label, lanes, repeat<FullParameterRates<Law{Slip::stuck}>, S>}, \
  {                                                                                                \
    "parameter rates, rolling without spin", label, lanes,                                         \
        repeat<FullParameterRates<Law{Slip::stuck, Spin::stuck}>, S>                               \
  }

}  // namespace oloid::bench
