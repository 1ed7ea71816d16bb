import { boards } from './remembered/boards.ts'
import { fares } from './remembered/fares.ts'
import { machinesAndPeople } from './remembered/machines-and-people.ts'
import { nearlyAlike } from './remembered/nearly-alike.ts'
import { passengers } from './remembered/passengers.ts'
import { payments } from './remembered/payments.ts'
import { team } from './remembered/team.ts'
import { website } from './remembered/website.ts'
import type { RelationType, SeedMemory } from './seed-shapes.ts'

/**
 * What the agents of a small ferry line's digital team have learned in a month. All of it is invented. `day` counts back from
 * today; what others name has a `key`.
 */
export const remembered: readonly SeedMemory[] = [
  ...team,
  ...fares,
  ...payments,
  ...boards,
  ...nearlyAlike,
  ...website,
  ...passengers,
  ...machinesAndPeople,
]

/** What a memory is to the one that it names. */
export const relationsOf = ({ refines, contradicts }: SeedMemory): [key: string, RelationType][] => [
  ...(refines === undefined ? [] : ([[refines, 'refines']] as [string, RelationType][])),
  ...(contradicts === undefined ? [] : ([[contradicts, 'contradicts']] as [string, RelationType][])),
]
