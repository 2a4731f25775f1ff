#include "oloid/world/compile/compile_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "oloid/world/compile/error_list.h"
#include "oloid/world/compile/find_body.h"

namespace oloid::world {
namespace {

constexpr double kMostFriction = 1e6;
constexpr double kMostResistance = 100;  // [m]

class LawCompiler {
 public:
  explicit LawCompiler(const Spec& spec) : spec_(spec) {}

  Result<PairLaws, Errors> compile() {
    for (const MaterialSpec& material : spec_.materials) check(material.law, kDefaultFriction);
    for (const PairSpec& pair : spec_.pairs) check(pair.law, kMostFriction);
    names();
    given_pairs();
    if (!errors_.empty()) return Unexpected{errors_.all()};
    laws_of_materials();
    laws_of_pairs();
    if (!errors_.empty()) return Unexpected{errors_.all()};
    return laws_;
  }

 private:
  bool moves(std::size_t i) const { return !spec_.bodies[i].fixed && !spec_.bodies[i].motion; }

  void in_range(const std::optional<Located<double>>& x, std::string_view what, double low,
                double high, bool endless, std::string_view remedy) {
    if (!x || (x->value >= low && x->value <= high)) return;
    if (endless && x->value == std::numeric_limits<double>::infinity()) return;
    errors_.refuse(x->place, fmt::format("{} is {}", what, x->value), std::string(remedy));
  }

  // `otherwise`: what kinetic friction may be if no static friction is given here.
  void check(const ContactLawSpec& law, double otherwise) {
    in_range(law.friction, "friction", 0, kMostFriction, true,
             "must be a coefficient between 0 and 1e6, or \"unlimited\"");
    in_range(law.restitution, "restitution", 0, 1, false, "must be between 0 and 1");
    in_range(law.tangential_restitution, "tangential restitution", -1, 1, false,
             "must be between -1 and 1");
    in_range(law.rolling_resistance, "rolling resistance", 0, kMostResistance, false,
             "must be a length in metres between 0 and 100");
    in_range(law.spin, "spin resistance", 0, kMostResistance, true,
             "must be \"free\", \"stuck\" or a length in metres between 0 and 100");
    if (!law.kinetic_friction) return;
    const Located<double>& kinetic = *law.kinetic_friction;
    const double most = law.friction ? law.friction->value : otherwise;
    if (std::isinf(most) && std::isfinite(kinetic.value)) {
      errors_.refuse(
          kinetic.place, "a kinetic coefficient is given for unlimited friction",
          "it is not needed where nothing slips: remove it, or set friction to a number");
      return;
    }
    if (!(kinetic.value >= 0 && kinetic.value <= most)) {
      errors_.refuse(
          kinetic.place,
          fmt::format("kinetic friction is {}, static friction is {}", kinetic.value, most),
          "must satisfy 0 <= kinetic_friction <= friction");
    }
  }

  void names() {
    std::set<std::string> names;
    for (const MaterialSpec& material : spec_.materials) {
      if (!names.insert(material.name.value).second) {
        errors_.refuse(material.name.place,
                       fmt::format("two materials are named \"{}\"", material.name.value),
                       "names must be unique");
      }
    }
    for (const BodySpec& body : spec_.bodies) {
      if (body.material && !names.count(body.material->value)) {
        errors_.refuse(body.material->place,
                       fmt::format("unknown material \"{}\"", body.material->value),
                       "define it with [[material]]");
      }
    }
  }

  void given_pairs() {
    for (const PairSpec& pair : spec_.pairs) {
      std::array<std::size_t, 2> at{};
      bool known = true;
      for (std::size_t k = 0; k < 2; ++k) {
        const auto found = find_body(spec_, pair.bodies.value[k], pair.bodies.place);
        if (found) {
          at[k] = *found;
        } else {
          errors_.take(found.error());
          known = false;
        }
      }
      if (!known) continue;
      if (at[0] == at[1]) {
        errors_.refuse(pair.bodies.place, "the pair names the same body twice", "name two bodies");
        continue;
      }
      std::sort(at.begin(), at.end());
      if (!given_.emplace(at, &pair).second)
        errors_.refuse(pair.bodies.place, "this pair is given twice", "keep one");
    }
  }

  // The kind of a body is its material; bodies without a material form one more kind.
  const MaterialSpec* material_of(std::size_t kind) const {
    return kind < spec_.materials.size() ? &spec_.materials[kind] : nullptr;
  }

  void laws_of_materials() {
    std::map<std::string_view, std::size_t> kinds;
    for (std::size_t k = 0; k < spec_.materials.size(); ++k)
      kinds[spec_.materials[k].name.value] = k;
    for (const BodySpec& body : spec_.bodies)
      kind_.push_back(body.material ? kinds.at(body.material->value) : spec_.materials.size());
    const std::size_t count = spec_.materials.size() + 1;
    laws_ = PairLaws(kind_, count);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a; b < count; ++b) {
        laws_.set_kinds(a, b, law_of(nullptr, material_of(a), material_of(b)));
      }
    }
  }

  void laws_of_pairs() {
    for (const auto& [bodies, pair] : given_) {
      const auto& [i, j] = bodies;
      laws_.set(id_of(i), id_of(j), law_of(pair, material_of(kind_[i]), material_of(kind_[j])));
    }
  }

  static BodyId id_of(std::size_t body) { return BodyId{static_cast<std::int32_t>(body)}; }

  static double static_friction(const MaterialSpec* m) {
    return m && m->law.friction ? m->law.friction->value : kDefaultFriction;
  }
  static double kinetic_friction(const MaterialSpec* m) {
    return m && m->law.kinetic_friction ? m->law.kinetic_friction->value : static_friction(m);
  }

  // A pair's own values, or what both materials combine to.
  PairLaw law_of(const PairSpec* pair, const MaterialSpec* m1, const MaterialSpec* m2) {
    // No friction if either material has none; 0 times "unlimited" is 0.
    const auto mean = [](double a, double b) { return a == 0 || b == 0 ? 0.0 : std::sqrt(a * b); };
    const auto larger = [](double a, double b) { return std::max(a, b); };
    const double friction = pair && pair->law.friction
                                ? pair->law.friction->value
                                : mean(static_friction(m1), static_friction(m2));
    PairLaw law;
    law.static_friction = law.kinetic_friction = friction;
    if (pair && pair->law.kinetic_friction) {
      law.kinetic_friction = pair->law.kinetic_friction->value;
      if (law.kinetic_friction > friction) {
        errors_.refuse(pair->law.kinetic_friction->place,
                       fmt::format("kinetic friction is {}, static friction is {}",
                                   law.kinetic_friction, friction),
                       "must satisfy 0 <= kinetic_friction <= friction");
      }
    } else if (!(pair && pair->law.friction)) {
      law.kinetic_friction = mean(kinetic_friction(m1), kinetic_friction(m2));
    }
    law.restitution = restitution(&ContactLawSpec::restitution, pair, m1, m2);
    law.tangential_restitution = restitution(&ContactLawSpec::tangential_restitution, pair, m1, m2);
    law.roll = resistance(&ContactLawSpec::rolling_resistance, pair, m1, m2, larger);
    law.spin = resistance(&ContactLawSpec::spin, pair, m1, m2, larger);
    return law;
  }

  // The smaller one.
  static double restitution(const std::optional<Located<double>> ContactLawSpec::*what,
                            const PairSpec* pair, const MaterialSpec* m1, const MaterialSpec* m2) {
    if (pair && pair->law.*what) return (pair->law.*what)->value;
    const auto of = [&](const MaterialSpec* m) {
      return m && m->law.*what ? (m->law.*what)->value : kDefaultRestitution;
    };
    return std::min(of(m1), of(m2));
  }

  // One material is enough for a resistance.
  static double resistance(const std::optional<Located<double>> ContactLawSpec::*what,
                           const PairSpec* pair, const MaterialSpec* m1, const MaterialSpec* m2,
                           double (*combine)(double, double)) {
    if (pair && pair->law.*what) return (pair->law.*what)->value;
    double found = 0;
    for (const MaterialSpec* m : {m1, m2}) {
      if (m && m->law.*what) found = combine(found, (m->law.*what)->value);
    }
    return found;
  }

  const Spec& spec_;
  std::vector<std::size_t> kind_;  // by body
  PairLaws laws_;
  std::map<std::array<std::size_t, 2>, const PairSpec*> given_;
  ErrorList errors_;
};

}  // namespace

Result<PairLaws, Errors> compile_laws(const Spec& spec) { return LawCompiler(spec).compile(); }

}  // namespace oloid::world
