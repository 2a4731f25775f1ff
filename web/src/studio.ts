// What bodies reflect: a pale room with three soft lamps.
import { BackSide, BoxGeometry, Color, Mesh, MeshBasicMaterial, Scene, SphereGeometry } from "three";

export function studio(): Scene {
  const scene = new Scene();
  scene.add(new Mesh(new SphereGeometry(12, 24, 16), new MeshBasicMaterial({ side: BackSide, color: new Color(0.75, 0.77, 0.8) })));
  const lamp = (x: number, y: number, z: number, width: number, height: number, brightness: number) => {
    const panel = new Mesh(new BoxGeometry(width, height, 0.1), new MeshBasicMaterial({ color: new Color().setScalar(brightness) }));
    panel.position.set(x, y, z);
    panel.lookAt(0, 0, 0);
    scene.add(panel);
  };
  lamp(-5, 7, 4, 5, 5, 7);
  lamp(7, 4, -3, 2, 6, 4);
  lamp(2, 3, 8, 6, 1.5, 3);
  const floor = new Mesh(new BoxGeometry(30, 0.1, 30), new MeshBasicMaterial({ color: new Color(0.42, 0.4, 0.38) }));
  floor.position.y = -4;
  scene.add(floor);
  return scene;
}
