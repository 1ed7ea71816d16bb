import {
  isEntity,
  kindOf,
  nameOf,
  type MapEdge,
  type MapNode,
  type MapRelation,
  type NodeKind,
  type Shown,
} from './graph-model.ts'
import type { Place } from './positions.ts'

/** What nodes and links look like, on the map and in its legend. */

export interface NodeLook {
  shape: 'circle' | 'square' | 'diamond' | 'hexagon'
  color: string
  size: number
  /** Vital: importance 5. */
  hasRing: boolean
  /** No longer live. */
  isBroken: boolean
  label: string
}

export interface NodeData extends NodeLook, Place {
  type: 'shape'
}

export type EdgeData = ReturnType<typeof lookOfEdge> & { label: string }

interface Scheme {
  background: string
  text: string
  dimmed: string
  /** Entities are fainter than records, which they only connect. */
  nodes: Readonly<Record<NodeKind, string>>
  edges: Readonly<Record<MapRelation, string>>
  /** Group colors. Dark enough in both schemes for the white numbers on them. */
  groups: readonly [string, ...string[]]
}

const schemes: Readonly<Record<'light' | 'dark', Scheme>> = {
  light: {
    background: '#ffffff',
    text: '#17211f',
    dimmed: '#566360',
    nodes: {
      note: '#5b6b68',
      fact: '#3a66c8',
      preference: '#7d4cc2',
      constraint: '#b8600b',
      skill: '#127c6b',
      correction: '#b93a7d',
      episodic: '#6d7a16',
      task: '#0b7f9e',
      entity: '#8a9693',
    },
    edges: {
      contradicts: '#c92a2a',
      supersedes: '#b8600b',
      refines: '#127c6b',
      part_of: '#7d4cc2',
      derived_from: '#3a66c8',
      source_of: '#0b7f9e',
      references: '#8a9693',
      wiki_link: '#5b6b68',
      manual: '#b93a7d',
      about: '#77837f',
    },
    groups: ['#c2255c', '#c2410c', '#2b7a33', '#1864ab', '#862e9c', '#7a5c00'],
  },
  dark: {
    background: '#131818',
    text: '#dde3e1',
    dimmed: '#97a3a0',
    nodes: {
      note: '#82918d',
      fact: '#7fa1f5',
      preference: '#b895f0',
      constraint: '#e5a14f',
      skill: '#4dbfa9',
      correction: '#e98bbd',
      episodic: '#b9c553',
      task: '#56bcd9',
      entity: '#687572',
    },
    edges: {
      contradicts: '#ff7b72',
      supersedes: '#e5a14f',
      refines: '#4dbfa9',
      part_of: '#b895f0',
      derived_from: '#7fa1f5',
      source_of: '#56bcd9',
      references: '#76827f',
      wiki_link: '#a3b0ad',
      manual: '#e98bbd',
      about: '#96a39f',
    },
    groups: ['#d6336c', '#d9480f', '#2f8a3a', '#1c7ed6', '#9c36b5', '#94700a'],
  },
}

export type SchemeName = keyof typeof schemes

export const schemeOf = (name: SchemeName) => schemes[name]

const labelCharacters = 32

/** What the size of the nodes depends on. */
export interface Scale {
  count: number
  mostLinks: number
}

export const scaleOf = ({ nodes }: Shown): Scale => ({
  count: nodes.size,
  mostLinks: [...nodes.values()].reduce((most, node) => (isEntity(node) ? most : Math.max(most, node.degree)), 1),
})

/** Shrinks nodes as their number grows, so they don't cover each other. */
const roomOf = ({ count }: Scale): number => Math.min(1, Math.max(0.4, Math.sqrt(120 / count)))

/** The radius in pixels, at most 12. Logarithmic in the number of links, so a hub doesn't cover its neighbors. */
const sizeOf = (degree: number, scale: Scale): number =>
  (4 + 8 * Math.min(1, Math.log1p(degree) / Math.log1p(scale.mostLinks))) * roomOf(scale)

const shapes: Readonly<Partial<Record<NodeKind, NodeLook['shape']>>> = {
  note: 'square',
  task: 'diamond',
  entity: 'hexagon',
}

export function lookOfNode(node: MapNode, scheme: Scheme, scale: Scale): NodeLook {
  const kind = kindOf(node)
  // Labels aren't formatted.
  const name = nameOf(node).replaceAll('`', '')
  return {
    shape: shapes[kind] ?? 'circle',
    color: scheme.nodes[kind],
    size: sizeOf(node.degree, scale),
    hasRing: node.importance === 5,
    isBroken: !node.live,
    label: name.length > labelCharacters ? `${name.slice(0, labelCharacters - 1).trimEnd()}…` : name,
  }
}

/** Fainter than nodes, because many links would otherwise cover them. */
export const lookOfEdge = ({ relationType }: MapEdge, scheme: Scheme, scale: Scale) => {
  const isContradiction = relationType === 'contradicts'
  return {
    type: isContradiction ? 'zigzag' : relationType === 'about' ? 'line' : 'arrow',
    color: mix(scheme.edges[relationType], scheme.background, 0.85),
    size: (isContradiction ? 1.4 : relationType === 'about' ? 1.9 : 2.2) * roomOf(scale),
  }
}

/** Mixes two colors (`#rrggbb`). Unlike transparency, overlaps don't get darker. */
export function mix(over: string, under: string, share: number): string {
  const part = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(part(over, at) * share + part(under, at) * (1 - share)))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
