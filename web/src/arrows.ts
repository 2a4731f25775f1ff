// Arrows of forces and velocities; what lies behind a surface shows through it faintly.
import {
  BufferGeometry, Color, ConeGeometry, CylinderGeometry, GreaterDepth, Group, LessEqualDepth, Mesh, MeshBasicMaterial, Quaternion, Vector3,
} from "three";

const kUp = new Vector3(0, 1, 0);

/** A material and its faint twin for hidden parts. */
export class SeenThrough {
  readonly front: MeshBasicMaterial;
  readonly hidden: MeshBasicMaterial;

  constructor(opacity = 1, hiddenOpacity = 0.38) {
    this.front = new MeshBasicMaterial({ toneMapped: false, transparent: opacity < 1, opacity, depthFunc: LessEqualDepth });
    this.hidden = new MeshBasicMaterial({ toneMapped: false, transparent: true, opacity: hiddenOpacity, depthFunc: GreaterDepth, depthWrite: false });
  }

  set colour(colour: string | Color) {
    this.front.color.set(colour);
    this.hidden.color.set(colour);
  }

  meshes(geometry: BufferGeometry): [Mesh, Mesh] {
    const front = new Mesh(geometry, this.front);
    const hidden = new Mesh(geometry, this.hidden);
    front.renderOrder = 7;
    hidden.renderOrder = 5;
    return [front, hidden];
  }
}

const kShaft = new CylinderGeometry(1, 1, 1, 16).translate(0, 0.5, 0);
const kHead = new ConeGeometry(1, 1, 24).translate(0, 0.5, 0);

export class Arrow {
  readonly group = new Group();
  private readonly shaft_: Mesh[];
  private readonly head_: Mesh[];
  private readonly turn_ = new Quaternion();
  private readonly direction_ = new Vector3();

  constructor(material: SeenThrough, private readonly thickness: number) {
    this.shaft_ = material.meshes(kShaft);
    this.head_ = material.meshes(kHead);
    this.group.add(...this.shaft_, ...this.head_);
  }

  /** From a point along a vector that is long; nothing where it is shorter than its own thickness. */
  show(from: Vector3, vector: Vector3) {
    const length = vector.length();
    this.group.visible = length > this.thickness;
    if (!this.group.visible) return;
    this.group.position.copy(from);
    this.group.quaternion.copy(this.turn_.setFromUnitVectors(kUp, this.direction_.copy(vector).divideScalar(length)));
    const head = Math.min(0.5 * length, 6 * this.thickness);
    const wide = Math.min(this.thickness, 0.12 * length);
    for (const mesh of this.shaft_) mesh.scale.set(wide, length - head, wide);
    for (const mesh of this.head_) {
      mesh.position.set(0, length - head, 0);
      mesh.scale.set(2.4 * wide, head, 2.4 * wide);
    }
  }
}
