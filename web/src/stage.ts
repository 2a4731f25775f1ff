// The three.js stage: renderer, light, soft shadow and the root that holds the world. Draws only when something changed.
import {
  AmbientLight, DirectionalLight, Group, HemisphereLight, Matrix4, NeutralToneMapping, PCFShadowMap, PerspectiveCamera,
  PMREMGenerator, Quaternion, Scene, Vector3, WebGLRenderer,
} from "three";
import { studio } from "./studio";
import type { Theme } from "./theme";

export class Stage {
  readonly scene = new Scene();
  readonly root = new Group();                 // the world; moved as a whole where the camera goes along with a body
  readonly camera = new PerspectiveCamera(28, 1, 0.01, 100);
  readonly renderer: WebGLRenderer;
  private readonly sun_ = new DirectionalLight("#fff6e8", 2.4);
  private readonly sky_ = new HemisphereLight("#ffffff", "#d9d2c6", 0.7);
  private readonly fill_ = new AmbientLight("#ffffff", 0.1);
  private readonly toSun_: Vector3;
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

    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
    this.toSun_ = new Vector3(-0.35, -0.5, 1).normalize().applyQuaternion(turn);
    this.sun_.castShadow = true;
    this.sun_.shadow.mapSize.set(2048, 2048);
    this.sun_.shadow.radius = 5;
    this.sun_.shadow.intensity = 0.85;
    this.sky_.position.copy(up);
    this.root.add(this.sun_, this.sun_.target, this.sky_, this.fill_);

    const generator = new PMREMGenerator(this.renderer);
    this.scene.environment = generator.fromScene(studio(), 0.05, 0.1, 30).texture;
    this.scene.environmentRotation.setFromQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), up));
    generator.dispose();
  }

  setTheme(theme: Theme) {
    const dark = theme === "dark";
    this.sun_.intensity = dark ? 2.1 : 2.2;
    this.sky_.intensity = dark ? 0.35 : 0.6;
    this.sky_.groundColor.set(dark ? "#20242a" : "#d9d2c6");
    this.scene.environmentIntensity = dark ? 0.45 : 0.55;
    this.invalidate();
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
    this.sun_.position.copy(snapped).addScaledVector(this.toSun_, 6 * size);
    shadow.left = shadow.bottom = -size;
    shadow.right = shadow.top = size;
    shadow.near = 0.5 * size;
    shadow.far = 16 * size;
    shadow.updateProjectionMatrix();
    this.sun_.shadow.normalBias = 2.5 * texel;
    this.sun_.shadow.bias = -0.0004;
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
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}

const kZero = new Vector3();
const kScratch = new Vector3();
const kLightMatrix = new Matrix4();
const kInverse = new Matrix4();
