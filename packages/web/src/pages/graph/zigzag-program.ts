import type { EdgeDisplayData, NodeDisplayData, RenderParams } from 'sigma/types'
import { EdgeProgram, type ProgramInfo } from 'sigma/rendering'
import { floatColor } from 'sigma/utils'

/** A WebGL program for contradictions: a zigzag, so they don't differ by color alone. */

const { UNSIGNED_BYTE, FLOAT, TRIANGLES } = WebGLRenderingContext

// Positions along and across the link are in units of half the line's thickness.
const vertexShader = /* glsl */ `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_start;
attribute vec2 a_end;
attribute float a_thickness;
attribute float a_along;
attribute float a_across;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_zoomRatio;
uniform float u_pixelRatio;
uniform float u_correctionRatio;
uniform float u_minEdgeThickness;
uniform float u_feather;

varying vec4 v_color;
varying vec2 v_place;
varying float v_feather;

const float reach = 5.0;

void main() {
  vec2 way = a_end - a_start;
  float far = max(length(way), 0.000001);
  vec2 normal = vec2(-way.y, way.x) / far;
  float thickness = max(a_thickness, u_minEdgeThickness * u_sizeRatio) * u_correctionRatio / u_sizeRatio;
  vec2 position = mix(a_start, a_end, a_along) + normal * a_across * reach * thickness;
  gl_Position = vec4((u_matrix * vec3(position, 1)).xy, 0, 1);
  v_place = vec2(a_along * far / thickness, a_across * reach);
  v_feather = u_feather * u_correctionRatio / u_zoomRatio / u_pixelRatio * 2.0 / (thickness / u_zoomRatio);
  #ifdef PICKING_MODE
  v_color = a_id;
  #else
  v_color = a_color;
  #endif
  v_color.a *= 255.0 / 254.0;
}
`

const fragmentShader = /* glsl */ `
precision highp float;

varying vec4 v_color;
varying vec2 v_place;
varying float v_feather;

void main(void) {
  #ifdef PICKING_MODE
  gl_FragColor = v_color;
  #else
  float wave = abs(fract(v_place.x / 11.0) * 2.0 - 1.0) * 2.0 - 1.0;
  float away = abs(v_place.y - wave * 3.2);
  gl_FragColor = v_color * (1.0 - smoothstep(1.2, 1.2 + v_feather + 0.2, away));
  #endif
}
`

const uniforms = [
  'u_matrix',
  'u_sizeRatio',
  'u_zoomRatio',
  'u_pixelRatio',
  'u_correctionRatio',
  'u_minEdgeThickness',
  'u_feather',
] as const
type Uniform = (typeof uniforms)[number]

export class ZigzagProgram extends EdgeProgram<Uniform> {
  getDefinition() {
    return {
      VERTICES: 6,
      VERTEX_SHADER_SOURCE: vertexShader,
      FRAGMENT_SHADER_SOURCE: fragmentShader,
      METHOD: TRIANGLES,
      UNIFORMS: uniforms,
      ATTRIBUTES: [
        { name: 'a_start', size: 2, type: FLOAT },
        { name: 'a_end', size: 2, type: FLOAT },
        { name: 'a_thickness', size: 1, type: FLOAT },
        { name: 'a_color', size: 4, type: UNSIGNED_BYTE, normalized: true },
        { name: 'a_id', size: 4, type: UNSIGNED_BYTE, normalized: true },
      ],
      CONSTANT_ATTRIBUTES: [
        { name: 'a_along', size: 1, type: FLOAT },
        { name: 'a_across', size: 1, type: FLOAT },
      ],
      CONSTANT_DATA: [
        [0, 1],
        [0, -1],
        [1, 1],
        [1, 1],
        [0, -1],
        [1, -1],
      ],
    }
  }

  // oxlint-disable-next-line max-params -- sigma calls it with these.
  processVisibleItem(
    edgeIndex: number,
    start: number,
    source: NodeDisplayData,
    target: NodeDisplayData,
    { size, color }: EdgeDisplayData,
  ): void {
    this.array.set([source.x, source.y, target.x, target.y, size, floatColor(color), edgeIndex], start)
  }

  setUniforms(params: RenderParams, { gl, uniformLocations }: ProgramInfo<Uniform>): void {
    gl.uniformMatrix3fv(uniformLocations.u_matrix, false, params.matrix)
    gl.uniform1f(uniformLocations.u_sizeRatio, params.sizeRatio)
    gl.uniform1f(uniformLocations.u_zoomRatio, params.zoomRatio)
    gl.uniform1f(uniformLocations.u_pixelRatio, params.pixelRatio)
    gl.uniform1f(uniformLocations.u_correctionRatio, params.correctionRatio)
    gl.uniform1f(uniformLocations.u_minEdgeThickness, params.minEdgeThickness)
    gl.uniform1f(uniformLocations.u_feather, params.antiAliasingFeather)
  }
}
