#include "oloid/world/simulation.h"

#include "oloid/world/schedule.h"

namespace oloid::world {

Simulation::Simulation(const Model& model, Recorder& recorder, const Control& control)
    : Simulation(model, initial_state(model), recorder, control) {}
Simulation::Simulation(const Model& model, const State& start, Recorder& recorder,
                       const Control& control)
    : schedule_(std::make_unique<Schedule>(model, start, recorder, control)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

double Simulation::t() const { return schedule_->t(); }
bool Simulation::over() const { return schedule_->over(); }
void Simulation::advance_to(double t) { schedule_->advance_to(t); }
BodyFrame Simulation::body(BodyId id) { return schedule_->body(id); }
Frame Simulation::frame() { return schedule_->frame(); }
State Simulation::state() { return schedule_->state(); }
State Simulation::save() const { return schedule_->save(); }
void Simulation::set_load(BodyId body, const Vec3<double>& force, const Vec3<double>& torque) {
  schedule_->set_load(body, {torque, force});
}
const Summary& Simulation::finish() { return schedule_->finish(); }

Summary run(const Model& model, State& state, Recorder& recorder, const Control& control) {
  Simulation simulation(model, state, recorder, control);
  simulation.advance_to(model.t_end);
  simulation.finish();
  state = simulation.state();
  return state.summary;
}

}  // namespace oloid::world
