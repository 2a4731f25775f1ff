// Subdivision surfaces, Catmull-Clark and Loop, taken apart into Bezier patches of the true limit
// surface.
//
// The refinement is our own, because it must keep second derivatives 1e-6 away from an
// extraordinary vertex and the library needs no more than it; OpenSubdiv is a reference in tests.
//
// A face whose neighbourhood is regular is one patch: bicubic (Catmull-Clark) or a quartic triangle
// (Loop, a box spline). Other faces are divided, again and again towards an irregular vertex; each
// level leaves three regular parts, each a patch over its own unit square or triangle. What remains
// around the vertex, of about 1e-6 of the face, is a cap.
//
// Sharp creases and boundaries are regular if two quadrangles (three triangles) meet on one side of
// them: points mirrored beyond them give the same surface. Semi-sharp edges are divided until their
// sharpness is used up.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "oloid/base/cage.h"
#include "oloid/base/result.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/subdivision/subdivision_masks.h"

namespace oloid::geometry {

// Refuses what is no manifold surface; makes a sharpness of 10 or more infinite, as OpenSubdiv
// does.
Result<Cage> checked_cage(Cage cage, SubdivisionScheme scheme);

struct SubdivisionOptions {
  double cap_size = 0x1p-20;  // of the faces around it: where division towards a vertex ends
};

// Where a piece lies. A face of the cage has (u, v) = (0, 0), (1, 0), (1, 1), (0, 1) at its
// corners, a triangle (0, 0), (1, 0), (0, 1); other faces have one such square at each corner.
struct PieceOrigin {
  int face = -1;    // of the cage
  int corner = -1;  // of a face that is no quadrangle (under Loop: never): which square
  int level = 0;    // refinements
  // (u, v) of the face from that of the piece: at + turn (u, v); exact.
  Uv<double> at = Uv<double>::Zero();
  Mat2<double> turn = Mat2<double>::Identity();
};

// Two parts of sides that are the same curve, run through in opposite directions and linearly:
// s = a.from is s = b.to. Beside a piece of level k lies one of the same level or two of the next.
struct PieceSeam {
  SidePart a, b;
  bool sharp = false;  // a crease for ever; else the surface is smooth across it, C² in (u, v)
};

// What is left open around an irregular vertex: a disc, or at a crease, a corner or a dart a sector
// from one sharp edge to the next.
struct SubdivisionCap {
  subdivision::Rule rule{};    // smooth: a disc
  int vertex = -1, face = -1;  // of the cage: the vertex, or the face whose middle it is
  int valence = 0;             // faces around it
  int level = 0;               // of the innermost pieces
  Vec3<double> position = Vec3<double>::Zero();  // [m], of the limit surface, rounded
  Vec3<double> offset = Vec3<double>::Zero();    // [m], position + offset is the limit
  Vec3<double> normal = Vec3<double>::Zero();    // unit vector, outwards
  std::array<Vec3<double>, 2> tangents{};        // unit vectors, u × v outwards; not orthogonal
  std::vector<PatchSide> border;  // counter-clockwise about the vertex; each side runs clockwise
  std::vector<SidePart> across;   // what lies beyond the sharp edges of a sector
  double radius = 0;              // [m], the largest distance of the border
};

// Pieces near an irregular vertex have an origin of their own, so that they keep their digits.
struct SubdivisionPieces {
  std::vector<PatchPiece> pieces;
  std::vector<PieceOrigin> places;  // of each piece
  std::vector<PieceSeam> seams;
  std::vector<PatchSide> boundary;  // sides with nothing beyond
  std::vector<SubdivisionCap> caps;
};

// The cage is checked first. More than 200 000 pieces, or 48 faces around a vertex, are refused.
// Some limits of the schemes: a sector of one face between crease edges ends in a cusp
// of the parameterisation, and sectors of four or more faces at a crease or corner may have no
// tangent plane; nothing of this is special to us.
Result<SubdivisionPieces> subdivide(const Cage& cage, SubdivisionScheme scheme,
                                    const SubdivisionOptions& options = {});

// Jets of a piece in the surface's frame.
template <int Order>
Jet<double, Order> piece_jet(const SubdivisionPieces& surface, int piece, const Uv<double>& q) {
  const PatchPiece& at = surface.pieces[static_cast<std::size_t>(piece)];
  Jet<double, Order> c = jet<Order>(at.patch, q);
  c.d(0, 0) += at.origin;
  return c;
}

// The pieces glued, with a disc in place of each cap of a smooth vertex. Other caps are tips, where
// the surface ends for a contact. For mass and inertia all caps are flat triangles: of a disc 1e-14
// of the body is lost, of a sector 1e-12.
Result<Patchwork> patchwork_of(const SubdivisionPieces& surface);

// The limit of a vertex of a checked cage, with one normal for each side of its sharp edges.
struct LimitVertex {
  Vec3<double> position;  // [m]
  struct PlacedShape {
    int face;                              // of the cage, the first of the sector
    Vec3<double> normal;                   // unit vector
    std::array<Vec3<double>, 2> tangents;  // unit vectors
  };
  std::vector<PlacedShape> sides;  // one if the vertex is smooth
};
LimitVertex limit_vertex(const Cage& cage, SubdivisionScheme scheme, int vertex);

}  // namespace oloid::geometry
