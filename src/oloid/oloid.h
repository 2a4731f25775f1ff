// The header for users: read a scene, compile it, run it, record what happens. The names below are
// those of oloid itself; everything else stays in its room.
#pragma once

#include "oloid/io/mesh/gltf_recorder.h"
#include "oloid/io/page/replay_page.h"
#include "oloid/io/plot/svg_plot.h"
#include "oloid/io/record/csv_writer.h"
#include "oloid/io/record/json_summary.h"
#include "oloid/io/record/record_file.h"
#include "oloid/io/record/record_reader.h"
#include "oloid/io/record/recorder_group.h"
#include "oloid/io/scene_text/scene_reader.h"
#include "oloid/scene/describe_event.h"
#include "oloid/world/simulation.h"

namespace oloid {

// Values that may be missing, with the reason.
using base::Error;
using base::Errors;
using base::Place;
using base::Result;
using base::to_string;

// Vectors, matrices and rotations.
using base::Mat3;
using base::Vec2;
using base::Vec3;
using spatial::Pose;
using spatial::Quat;
using spatial::Twist;
using spatial::Wrench;

// Scenes as text and as plain data.
using io::parse_scene;
using io::read_scene;
using io::SceneOptions;
using scene::Spec;

// Runs.
using base::BodyId;
using dynamics::BodyMotion;
using dynamics::LoadFunction;
using world::compile;
using world::Control;
using world::initial_state;
using world::Model;
using world::run;
using world::Simulation;
using world::State;

// What a run tells, and who listens.
using scene::BodyFrame;
using scene::ContactFrame;
using scene::describe;
using scene::EnergyFrame;
using scene::Event;
using scene::EventKind;
using scene::Frame;
using scene::Header;
using scene::Mode;
using scene::name;
using scene::Recorder;
using scene::Summary;

// Recorders that write files, and records read back.
using io::make_csv_writer;
using io::make_gltf_recorder;
using io::make_json_summary;
using io::make_png_plot;
using io::make_record_file;
using io::make_replay_page;
using io::make_svg_plot;
using io::PlotRequest;
using io::RecorderGroup;
using io::RecordReader;

}  // namespace oloid
