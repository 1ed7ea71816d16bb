import type { NodeLink } from '@holdfast/client/dashboard'

export type Relation = NodeLink['relationType']

const words: Readonly<Record<Relation, readonly [outgoing: string, incoming: string]>> = {
  wiki_link: ['mentions', 'mentioned by'],
  derived_from: ['derived from', 'gave rise to'],
  contradicts: ['contradicts', 'contradicted by'],
  refines: ['refines', 'refined by'],
  part_of: ['part of', 'has part'],
  supersedes: ['supersedes', 'superseded by'],
  source_of: ['source of', 'comes from'],
  references: ['refers to', 'referred to by'],
  manual: ['linked to', 'linked from'],
}

export const relationTypes = Object.keys(words) as readonly Relation[]

const origins: Readonly<Record<NodeLink['origin'], string>> = {
  agent: 'Added by an agent',
  write: 'Added when one of them was written',
  wiki: 'Written in the note',
  dashboard: 'Added by a person',
}

/** How a link was made. */
export const describeOrigin = (origin: NodeLink['origin']) => origins[origin]

/** The relation as seen from the source. */
export const titleOfRelation = (relation: Relation) => words[relation][0]

/** The relation as seen from the node whose links are shown. */
export const describeRelation = ({ relationType, direction }: Pick<NodeLink, 'relationType' | 'direction'>) =>
  words[relationType][direction === 'outgoing' ? 0 : 1]
