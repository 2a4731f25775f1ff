// Materials of bodies: two tones that show a smooth body turn; a metric grid on what does not move, faded far away.
import {
  BackSide, DoubleSide, FrontSide, MeshStandardMaterial, Vector3, type Box3, type Side, type WebGLProgramParametersWithUniforms,
} from "three";

/** What bodies reflect: a pale sky above, a darker floor below, a wide lamp. In the camera's frame. */
export const sky = { uUp: { value: new Vector3(0, 1, 0) }, uSkyLight: { value: 1 } };

const kReflection = `{
  vec3 toEye = normalize(vViewPosition);
  vec3 r = reflect(-toEye, normal);
  float fresnel = 0.035 + 0.6 * pow(1.0 - clamp(dot(toEye, normal), 0.0, 1.0), 4.0);
  float above = dot(r, uUp);
  vec3 side = normalize(cross(uUp, vec3(0.0, 0.0, 1.0)));
  float lamp = smoothstep(0.72, 1.0, dot(r, normalize(uUp - 0.9 * side + vec3(0.0, 0.0, 0.6))));
  totalEmissiveRadiance += uSkyLight * fresnel * (mix(0.22, 0.95, smoothstep(-0.15, 0.7, above)) + 5.0 * lamp);
}`;

function patch(material: MeshStandardMaterial, uniforms: Record<string, { value: unknown }>, declare: string, colour: string, reflects: boolean) {
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    Object.assign(shader.uniforms, uniforms, sky);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vBody; varying vec3 vWorld;")
      .replace("#include <project_vertex>", "#include <project_vertex>\nvBody = position; vWorld = (modelMatrix * vec4(position, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec3 vBody; varying vec3 vWorld; uniform vec3 uUp; uniform float uSkyLight;\n${declare}`)
      .replace("#include <emissivemap_fragment>", `#include <emissivemap_fragment>\n${reflects ? kReflection : ""}`)
      .replace("#include <color_fragment>", `#include <color_fragment>\n${colour}`);
  };
  material.customProgramCacheKey = () => declare + colour;
}

/** Octants of the body's box in two tones, with soft seams; a flat body has none across its thickness. */
export function bodyMaterial(box: Box3): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ roughness: 0.42, metalness: 0, side: DoubleSide });
  const half = box.getSize(new Vector3()).multiplyScalar(0.5);
  const most = Math.max(half.x, half.y, half.z);
  const counts = new Vector3(...half.toArray().map((h) => (h > 0.3 * most ? 1 : 0)));      // along which axes tones alternate
  half.max(new Vector3().setScalar(1e-3 * most));
  patch(
    material,
    { uCentre: { value: box.getCenter(new Vector3()) }, uHalf: { value: half }, uCounts: { value: counts } },
    "uniform vec3 uCentre, uHalf, uCounts;",
    `{
      vec3 p = (vBody - uCentre) / uHalf;
      vec3 side = mix(vec3(1.0), clamp(p / max(fwidth(p), vec3(1e-5)), -1.0, 1.0), uCounts);
      float tone = 0.5 + 0.5 * side.x * side.y * side.z;
      vec3 pale = mix(diffuseColor.rgb, vec3(0.93, 0.92, 0.89), 0.62);
      diffuseColor.rgb = mix(diffuseColor.rgb, pale, tone);
      if (!gl_FrontFacing) diffuseColor.rgb *= 0.72;
    }`,
    true,
  );
  return material;
}

export interface GroundUniforms {
  uTarget: { value: Vector3 };     // of the camera, and its distance: beyond some of it the ground fades
  uReach: { value: number };
  uStep: { value: number };        // m, of the grid
  uGridTone: { value: number };    // brightness of its lines, that of the ground is 1
}

/** For bodies that do not move by themselves; e1, e2: directions of the grid in the body. */
export function groundMaterial(side: Side, e1: Vector3, e2: Vector3, shared: GroundUniforms): MeshStandardMaterial {
  const behind = side === BackSide;
  const material = new MeshStandardMaterial({ roughness: 0.9, metalness: 0, side, transparent: true, depthWrite: side === FrontSide });
  material.polygonOffset = true;               // a little back: a chord of a body that touches it must not lie behind it
  material.polygonOffsetUnits = 1200;
  patch(
    material,
    { ...shared, uE1: { value: e1 }, uE2: { value: e2 } },
    "uniform vec3 uE1, uE2, uTarget; uniform float uStep, uReach, uGridTone;",
    `{
      vec2 at = vec2(dot(vBody, uE1), dot(vBody, uE2)) / uStep;
      vec2 wide = fwidth(at);
      vec2 near = abs(fract(at - 0.5) - 0.5);
      vec2 line = (1.0 - smoothstep(0.0 * wide, 1.1 * wide, near)) * (1.0 - smoothstep(0.15, 0.5, wide));
      diffuseColor.rgb *= mix(1.0, uGridTone, max(line.x, line.y));
      float far = length(vWorld - uTarget) / uReach;
      diffuseColor.a *= 1.0 - smoothstep(0.75, 1.9, far);
      ${behind ? "diffuseColor.a *= 0.22;" : ""}
    }`,
    false,
  );
  return material;
}
