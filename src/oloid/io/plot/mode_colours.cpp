#include "oloid/io/plot/mode_colours.h"

#include <cstddef>
#include <iterator>

namespace oloid::io {
namespace {

// After Okabe and Ito, told apart by colour-blind eyes. All are light enough to write on in black,
// and dark enough to show as lines on a light ground.
constexpr ModeColours kModeColours[] = {
    {"#b9b6af", "#8a8d95"},  // separated
    {"#56b4e9", "#56b4e9"},  // frictionless
    {"#d55e00", "#ff7a1a"},  // sliding
    {"#009e73", "#18c495"},  // rolling
    {"#2f86cc", "#3f9be0"},  // no_spin
    {"#cc79a7", "#dd93bb"},  // spinning
    {"#c9a400", "#f0e442"},  // rest
};
static_assert(std::size(kModeColours) == std::size(kModes));

}  // namespace

ModeColours colours_of(Mode mode) { return kModeColours[static_cast<std::size_t>(mode)]; }

}  // namespace oloid::io
