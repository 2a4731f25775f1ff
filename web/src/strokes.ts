// Thick lines in pixels, many at once, each part with a time and a mode: drawn up to now, dashed where it slides.
import {
  Color, DoubleSide, Float32BufferAttribute, Group, InstancedBufferAttribute, InstancedBufferGeometry, LessEqualDepth, GreaterDepth,
  Mesh, ShaderMaterial, Vector2,
} from "three";

const kColours = 8;

export interface StrokeLook { width: number; bias: number; dash: number; hidden: number; opacity: number }

export interface StrokeUniforms { uResolution: { value: Vector2 }; uNow: { value: number }; uFade: { value: number }; uPalette: { value: Color[] } }

export const newStrokeUniforms = (): StrokeUniforms => ({
  uResolution: { value: new Vector2(1, 1) },
  uNow: { value: 0 },
  uFade: { value: 1 },
  uPalette: { value: Array.from({ length: kColours }, () => new Color()) },
});

const kVertex = `
attribute vec3 from; attribute vec3 to; attribute vec4 tags;   // tags: time at from and to, colour, 1: dashed
attribute vec2 along;
uniform vec2 uResolution; uniform float uWidth, uBias;
uniform vec3 uPalette[${kColours}];
varying float vTime, vAlong, vDash; varying vec3 vColour;
void main() {
  vec3 a = (modelViewMatrix * vec4(from, 1.0)).xyz;
  vec3 b = (modelViewMatrix * vec4(to, 1.0)).xyz;
  a *= 1.0 - min(0.5, uBias / max(length(a), 1e-9));
  b *= 1.0 - min(0.5, uBias / max(length(b), 1e-9));
  float near = 1e-3 * uBias;
  if (a.z > -near && b.z < -near) a = mix(a, b, (a.z + near) / (a.z - b.z));
  if (b.z > -near && a.z < -near) b = mix(b, a, (b.z + near) / (b.z - a.z));
  vec4 ca = projectionMatrix * vec4(a, 1.0);
  vec4 cb = projectionMatrix * vec4(b, 1.0);
  vec2 along2 = (cb.xy / cb.w - ca.xy / ca.w) * uResolution;
  along2 = length(along2) > 1e-4 ? normalize(along2) : vec2(1.0, 0.0);
  bool end = position.x > 0.5;
  vec4 c = end ? cb : ca;
  vec2 shift = vec2(-along2.y, along2.x) * position.y + along2 * (end ? 0.4 : -0.4);
  c.xy += shift * uWidth / uResolution * c.w;
  gl_Position = c;
  vTime = end ? tags.y : tags.x;
  vAlong = end ? along.y : along.x;
  vDash = tags.w;
  vColour = uPalette[int(tags.z + 0.5)];
}`;

const kFragment = `
uniform float uNow, uFade, uDash, uOpacity;
varying float vTime, vAlong, vDash; varying vec3 vColour;
void main() {
  if (vTime > uNow) discard;
  if (vDash > 0.5 && fract(vAlong / uDash) > 0.55) discard;
  float age = vTime < -1e29 ? 0.0 : (uNow - vTime) / uFade;      // old parts are fainter
  gl_FragColor = vec4(vColour, uOpacity * (0.45 + 0.55 * exp(-age)));
  #include <colorspace_fragment>
}`;

/** Collects segments; build() makes them visible. */
export class Strokes {
  private readonly ends_: number[] = [];
  private readonly tags_: number[] = [];
  private readonly along_: number[] = [];
  private run_ = 0;

  /** A segment between two points; time -Infinity: always there. */
  add(ax: number, ay: number, az: number, bx: number, by: number, bz: number, ta: number, tb: number, colour: number, dashed: boolean) {
    this.ends_.push(ax, ay, az, bx, by, bz);
    this.tags_.push(ta, tb, colour, dashed ? 1 : 0);
    const length = Math.hypot(bx - ax, by - ay, bz - az);
    this.along_.push(this.run_, this.run_ + length);
    this.run_ += length;
  }

  get empty() { return this.tags_.length === 0; }

  build(look: StrokeLook, shared: StrokeUniforms): Group {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const count = this.tags_.length / 4;
    const from = new Float32Array(3 * count);
    const to = new Float32Array(3 * count);
    for (let k = 0; k < count; ++k) {
      for (let c = 0; c < 3; ++c) {
        from[3 * k + c] = this.ends_[6 * k + c];
        to[3 * k + c] = this.ends_[6 * k + 3 + c];
      }
    }
    geometry.setAttribute("from", new InstancedBufferAttribute(from, 3));
    geometry.setAttribute("to", new InstancedBufferAttribute(to, 3));
    geometry.setAttribute("tags", new InstancedBufferAttribute(new Float32Array(this.tags_), 4));
    geometry.setAttribute("along", new InstancedBufferAttribute(new Float32Array(this.along_), 2));
    geometry.instanceCount = count;

    const group = new Group();
    const pass = (hidden: boolean) => {
      const opacity = hidden ? look.hidden : look.opacity;
      if (opacity <= 0) return;
      const material = new ShaderMaterial({
        vertexShader: kVertex, fragmentShader: kFragment, side: DoubleSide, transparent: true, depthWrite: false,
        depthFunc: hidden ? GreaterDepth : LessEqualDepth,
        uniforms: {
          ...shared, uWidth: { value: look.width }, uBias: { value: look.bias }, uDash: { value: look.dash }, uOpacity: { value: opacity },
        },
      });
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = hidden ? 6 : 2;
      group.add(mesh);
    };
    pass(false);
    pass(true);
    return group;
  }
}

/** Frees what a group of build() holds on the graphics card. */
export function dispose(group: Group) {
  group.removeFromParent();
  for (const child of group.children as Mesh[]) {
    child.geometry.dispose();
    (child.material as ShaderMaterial).dispose();
  }
}
