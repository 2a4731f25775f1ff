"""scripts/check_includes accepts a tree that is in order, and names what is wrong in one that is not."""
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts/check_includes"

IN_ORDER = {
    "src/CMakeLists.txt": "oloid_room(base)\noloid_room(geometry DEPENDS base)\noloid_room(world DEPENDS geometry)\noloid_room(io DEPENDS base)\n",
    "src/oloid/base/rooms.h": "namespace oloid {\n\nnamespace base {}\nnamespace geometry {\nusing namespace base;\n}\n"
    "namespace world {\nusing namespace geometry;\n}\nnamespace io {\nusing namespace base;\n}\n"
    "namespace app {\nusing namespace world;\nusing namespace io;\n}\n\n}  // namespace oloid\n",
    "src/oloid/geometry/core/box.h": '#include "oloid/base/rooms.h"\nnamespace oloid::geometry {\nstruct Box {\n};\n}  // namespace oloid::geometry\n',
    "src/oloid/world/model/model.cpp": '#include "oloid/geometry/core/box.h"\nnamespace oloid::world {\nnamespace {\nstruct Node {\n};\n}  // namespace\n}  // namespace oloid::world\n',
    "src/oloid/io/node.h": "namespace oloid::io {\nstruct Node {\n};\n}  // namespace oloid::io\n",
    "apps/oloid/main.cpp": '#include "oloid/io/node.h"\nnamespace oloid::app {\n}  // namespace oloid::app\n',
}
WRONG = {  # what is added to the tree: what must be said
    ("src/oloid/geometry/cells/box.cpp", "namespace oloid::geometry {\nnamespace {\nclass Box : public Shape {\n};\n}\n}\n"):
        "oloid::geometry::Box is defined in",
    ("src/oloid/io/plot.cpp", "namespace oloid::io {\nnamespace {\nconstexpr int kMost = 1;\n}\n"
     "namespace {\nconstexpr std::size_t kMost = 2;\n}\n}\n"): "oloid::io::kMost is defined in",
    ("src/oloid/geometry/core/up.h", '#include "oloid/world/model/model.h"\n'): "geometry must not know world",
    ("src/oloid/io/a.h", '#include "oloid/io/b.h"\n'): "cycle among files",
    ("src/oloid/io/json.h", "#include <nlohmann/json.hpp>\n"): "this library belongs in .cpp files",
    ("src/oloid/io/near.cpp", '#include "node.h"\n'): "write the path from src/",
    ("src/oloid/io/lost.cpp", "namespace oloid::world {\n}\n"): "this room is namespace oloid::io",
    ("src/oloid/attic/x.h", "\n"): "no room attic",
    ("src/oloid/base/rooms.h", IN_ORDER["src/oloid/base/rooms.h"].replace("using namespace geometry;\n", "")): "world uses []",
    ("src/CMakeLists.txt", IN_ORDER["src/CMakeLists.txt"].replace("oloid_room(base)", "oloid_room(base DEPENDS world)")):
        "cycle among rooms",
}


def said_about(tree):
    with tempfile.TemporaryDirectory() as root:
        for name, text in tree.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


code, said = said_about(IN_ORDER)
assert code == 0, said
for (name, text), expected in WRONG.items():
    other = {"src/oloid/io/b.h": '#include "oloid/io/a.h"\n'} if expected == "cycle among files" else {}
    code, said = said_about(IN_ORDER | {name: text} | other)
    assert code == 1 and expected in said, f"{name}: expected '{expected}', got: {said}"
print(f"{len(WRONG)} wrong trees are refused")
