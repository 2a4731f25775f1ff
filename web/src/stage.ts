// The three.js stage: renderer, light, soft shadow and the root that holds the world. Draws only when something changed.
import {
  AmbientLight, DirectionalLight, Group, HemisphereLight, Matrix4, NeutralToneMapping, PCFShadowMap, PerspectiveCamera,
  Scene, Vector3, WebGLRenderer,
} from "three";
import { sky } from "./materials";
import type { Theme } from "./theme";

export class Stage {
  readonly scene = new Scene();
  readonly root = new Group();                 // the world; moved as a whole where the camera goes along with a body
  readonly camera = new PerspectiveCamera(28, 1, 0.01, 100);
  readonly renderer: WebGLRenderer;
  private readonly sun_ = new DirectionalLight("#fffaf2", 2.4);
  private readonly sky_ = new HemisphereLight("#ffffff", "#d8d5d0", 0.7);
  private readonly fill_ = new AmbientLight("#ffffff", 0.1);
  private readonly toSun_ = new Vector3(0, 0, 1);
  private dirty_ = true;

  constructor(private readonly canvas: HTMLCanvasElement, readonly up: Vector3) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "high-performance" });
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.camera.up.copy(up);
    this.scene.add(this.root);
    this.root.matrixAutoUpdate = false;

    this.sun_.castShadow = true;
    this.sun_.shadow.mapSize.set(1024, 1024);
    this.sun_.shadow.radius = 7;
    this.sun_.shadow.intensity = 0.8;
    this.sky_.position.copy(up);
    this.root.add(this.sun_, this.sun_.target, this.sky_, this.fill_);
  }

  setTheme(theme: Theme) {
    const dark = theme === "dark";
    this.sun_.intensity = dark ? 2.2 : 2.3;
    this.sky_.intensity = dark ? 0.9 : 1.75;
    this.sky_.groundColor.set(dark ? "#20242a" : "#d8d5d0");
    sky.uSkyLight.value = dark ? 0.55 : 1;
    this.invalidate();
  }

  /** Puts the sun to the left of one who looks against the direction toEye, so that shadows fall to the right. */
  lightFrom(toEye: Vector3) {
    const left = kScratch.crossVectors(toEye, this.up).normalize();
    this.toSun_.copy(toEye).addScaledVector(this.up, -toEye.dot(this.up)).normalize().multiplyScalar(0.35);
    this.toSun_.addScaledVector(left, 0.8).addScaledVector(this.up, 1.05).normalize();
  }

  /** Lets the shadow map cover a ball of the world. */
  lightOn(centre: Vector3, radius: number) {
    const size = 1.15 ** Math.ceil(Math.log(1.1 * radius) / Math.log(1.15));    // in steps, so that the shadow does not shimmer
    const shadow = this.sun_.shadow.camera;
    const texel = (2 * size) / this.sun_.shadow.mapSize.x;
    const snapped = kScratch.copy(centre);
    const light = kLightMatrix.lookAt(this.toSun_, kZero, this.up);
    kInverse.copy(light).transpose();
    snapped.applyMatrix4(kInverse);
    snapped.set(Math.round(snapped.x / texel) * texel, Math.round(snapped.y / texel) * texel, snapped.z).applyMatrix4(light);
    this.sun_.target.position.copy(snapped);
    this.sun_.position.copy(snapped).addScaledVector(this.toSun_, 3 * size);
    shadow.left = shadow.bottom = -size;
    shadow.right = shadow.top = size;
    shadow.near = 0.5 * size;
    shadow.far = 14 * size;
    shadow.updateProjectionMatrix();
    this.sun_.shadow.normalBias = texel;
    this.sun_.shadow.bias = -0.0009;
  }

  resize(width: number, height: number) {
    if (width < 1 || height < 1) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  get size(): [number, number] { return [this.canvas.clientWidth, this.canvas.clientHeight]; }

  invalidate() { this.dirty_ = true; }

  /** Draws if anything has changed since it last did. */
  draw(): boolean {
    if (!this.dirty_) return false;
    this.dirty_ = false;
    this.camera.updateMatrixWorld();
    kViewMatrix.multiplyMatrices(this.camera.matrixWorldInverse, this.root.matrix);
    sky.uUp.value.copy(this.up).transformDirection(kViewMatrix);
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}

const kZero = new Vector3();
const kScratch = new Vector3();
const kLightMatrix = new Matrix4();
const kViewMatrix = new Matrix4();
const kInverse = new Matrix4();
