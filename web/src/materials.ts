// Materials of bodies: two tones that show a smooth body turn; a metric grid on what does not move, faded far away.
import {
  BackSide, Color, DoubleSide, FrontSide, MeshStandardMaterial, Vector3, type Box3, type Side, type WebGLProgramParametersWithUniforms,
} from "three";

function patch(material: MeshStandardMaterial, uniforms: Record<string, { value: unknown }>, declare: string, colour: string) {
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vBody; varying vec3 vWorld;")
      .replace("#include <project_vertex>", "#include <project_vertex>\nvBody = position; vWorld = (modelMatrix * vec4(position, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec3 vBody; varying vec3 vWorld;\n${declare}`)
      .replace("#include <color_fragment>", `#include <color_fragment>\n${colour}`);
  };
  material.customProgramCacheKey = () => declare + colour;
}

/** Octants of the body's box in two tones, with a thin seam between them. */
export function bodyMaterial(box: Box3): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ roughness: 0.42, metalness: 0, side: DoubleSide });
  const half = box.getSize(new Vector3()).multiplyScalar(0.5);
  const least = 0.02 * Math.max(half.x, half.y, half.z);
  half.max(new Vector3(least, least, least));
  patch(
    material,
    { uCentre: { value: box.getCenter(new Vector3()) }, uHalf: { value: half } },
    "uniform vec3 uCentre; uniform vec3 uHalf;",
    `{
      vec3 p = (vBody - uCentre) / uHalf;
      vec3 side = clamp(p / max(fwidth(p), vec3(1e-5)), -1.0, 1.0);
      float tone = 0.5 + 0.5 * side.x * side.y * side.z;
      vec3 pale = mix(diffuseColor.rgb, vec3(0.93, 0.92, 0.89), 0.62);
      diffuseColor.rgb = mix(diffuseColor.rgb, pale, tone);
      if (!gl_FrontFacing) diffuseColor.rgb *= 0.72;
    }`,
  );
  return material;
}

export interface GroundUniforms {
  uTarget: { value: Vector3 };     // of the camera, and its distance: beyond some of it the ground fades
  uReach: { value: number };
  uGridInk: { value: Color };
}

/** For bodies that do not move by themselves; e1, e2: directions of the grid in the body. */
export function groundMaterial(side: Side, e1: Vector3, e2: Vector3, step: number, shared: GroundUniforms): MeshStandardMaterial {
  const behind = side === BackSide;
  const material = new MeshStandardMaterial({ roughness: 0.9, metalness: 0, side, transparent: true, depthWrite: side === FrontSide });
  patch(
    material,
    { ...shared, uE1: { value: e1 }, uE2: { value: e2 }, uStep: { value: step } },
    "uniform vec3 uE1, uE2, uTarget; uniform float uStep, uReach; uniform vec3 uGridInk;",
    `{
      vec2 at = vec2(dot(vBody, uE1), dot(vBody, uE2)) / uStep;
      vec2 wide = fwidth(at);
      vec2 near = abs(fract(at - 0.5) - 0.5);
      vec2 line = (1.0 - smoothstep(0.4 * wide, 1.4 * wide, near)) * (1.0 - smoothstep(0.15, 0.5, wide));
      diffuseColor.rgb = mix(diffuseColor.rgb, uGridInk, 0.5 * max(line.x, line.y));
      float far = length(vWorld - uTarget) / uReach;
      diffuseColor.a *= 1.0 - smoothstep(0.75, 1.9, far);
      ${behind ? "diffuseColor.a *= 0.22;" : ""}
    }`,
  );
  return material;
}
