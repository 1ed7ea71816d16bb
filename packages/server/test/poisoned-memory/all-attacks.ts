import type { Attack } from './attack.ts'
import { changeAttacks } from './changes.ts'
import { fieldAttacks } from './fields.ts'
import { nameAttacks } from './names.ts'
import { otherAttacks } from './others.ts'
import { textAttacks } from './texts.ts'

export const attacks: readonly Attack[] = [
  // Lists of names are short: first, while there are few vaults.
  ...nameAttacks,
  ...textAttacks,
  ...fieldAttacks,
  ...changeAttacks,
  ...otherAttacks,
]
