import type { NodeDisplayData, RenderParams } from 'sigma/types'
import { NodeProgram, type ProgramInfo } from 'sigma/rendering'
import { floatColor } from 'sigma/utils'
import type { NodeLook } from './graph-look.ts'

/**
 * One WebGL program for all nodes. The shape (circle, rounded square, diamond, hexagon) shows the kind, a ring marks vital records, and a
 * dashed outline marks records that are no longer live. Distance fields keep the edges sharp at any zoom. Colors are
 * premultiplied, as sigma expects.
 */

const { UNSIGNED_BYTE, FLOAT, TRIANGLES } = WebGLRenderingContext

// The triangle must contain what extends beyond the radius: the ring, and the corners of square and diamond.
const vertexShader = /* glsl */ `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;
attribute float a_size;
attribute float a_marks;
attribute float a_angle;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;

varying vec4 v_color;
varying vec2 v_place;
varying float v_marks;
varying float v_feather;

void main() {
  float radius = a_size * u_correctionRatio / u_sizeRatio * 2.0;
  vec2 corner = 3.2 * vec2(cos(a_angle), sin(a_angle));
  gl_Position = vec4((u_matrix * vec3(a_position + radius * corner, 1)).xy, 0, 1);
  v_place = corner;
  v_marks = a_marks;
  v_feather = u_correctionRatio * 2.0 / radius;
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
varying float v_marks;
varying float v_feather;

// The distance from the outline, in radii; negative inside.
float distanceTo(float shape) {
  vec2 place = abs(v_place);
  if (shape < 0.5) return length(place) - 1.0;
  if (shape < 1.5) return length(max(place - 0.6, 0.0)) - 0.28;
  if (shape < 2.5) return (place.x + place.y - 1.25) * 0.7071;
  return max(place.x * 0.866 + place.y * 0.5, place.y) - 0.98;
}

void main(void) {
  float shape = mod(v_marks, 4.0);
  bool hasRing = mod(v_marks, 8.0) >= 4.0;
  bool isBroken = v_marks >= 8.0;
  float outline = distanceTo(shape);

  #ifdef PICKING_MODE
  gl_FragColor = outline < 0.15 ? v_color : vec4(0.0);
  #else
  float inside = 1.0 - smoothstep(-v_feather, 0.0, outline);
  if (isBroken) {
    float line = inside * smoothstep(-0.34 - v_feather, -0.34, outline);
    float turn = fract(atan(v_place.y, v_place.x) / 6.2832 * 7.0);
    inside = max(inside * 0.22, turn < 0.62 ? line : 0.0);
  }
  float ring = hasRing ? smoothstep(0.2, 0.2 + v_feather, outline) * (1.0 - smoothstep(0.42, 0.42 + v_feather, outline)) : 0.0;
  gl_FragColor = v_color * max(inside, ring);
  #endif
}
`

const uniforms = ['u_sizeRatio', 'u_correctionRatio', 'u_matrix'] as const
type Uniform = (typeof uniforms)[number]

const shapes = { circle: 0, square: 1, diamond: 2, hexagon: 3 } as const

export class ShapeProgram extends NodeProgram<Uniform> {
  getDefinition() {
    return {
      VERTICES: 3,
      VERTEX_SHADER_SOURCE: vertexShader,
      FRAGMENT_SHADER_SOURCE: fragmentShader,
      METHOD: TRIANGLES,
      UNIFORMS: uniforms,
      ATTRIBUTES: [
        { name: 'a_position', size: 2, type: FLOAT },
        { name: 'a_size', size: 1, type: FLOAT },
        { name: 'a_color', size: 4, type: UNSIGNED_BYTE, normalized: true },
        { name: 'a_id', size: 4, type: UNSIGNED_BYTE, normalized: true },
        { name: 'a_marks', size: 1, type: FLOAT },
      ],
      CONSTANT_ATTRIBUTES: [{ name: 'a_angle', size: 1, type: FLOAT }],
      CONSTANT_DATA: [[0], [(2 * Math.PI) / 3], [(4 * Math.PI) / 3]],
    }
  }

  processVisibleItem(nodeIndex: number, start: number, data: NodeDisplayData & Partial<NodeLook>): void {
    const { shape = 'circle', hasRing = false, isBroken = false } = data
    const marks = shapes[shape] + (hasRing ? 4 : 0) + (isBroken ? 8 : 0)
    this.array.set([data.x, data.y, data.size, floatColor(data.color), nodeIndex, marks], start)
  }

  setUniforms(
    { sizeRatio, correctionRatio, matrix }: RenderParams,
    { gl, uniformLocations }: ProgramInfo<Uniform>,
  ): void {
    gl.uniform1f(uniformLocations.u_sizeRatio, sizeRatio)
    gl.uniform1f(uniformLocations.u_correctionRatio, correctionRatio)
    gl.uniformMatrix3fv(uniformLocations.u_matrix, false, matrix)
  }
}
