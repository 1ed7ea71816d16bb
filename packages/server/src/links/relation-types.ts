/** The relations of links, whatever their origin. */
export const relationTypes = [
  'wiki_link',
  'derived_from',
  'contradicts',
  'refines',
  'part_of',
  'supersedes',
  'source_of',
  'references',
  'manual',
] as const

export type RelationType = (typeof relationTypes)[number]
