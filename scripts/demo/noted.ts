import { alongTheWay } from './noted/along-the-way.ts'
import { handbook } from './noted/handbook.ts'
import type { SeedNote } from './seed-shapes.ts'

/** Notes in folders, with links between them; some lead to notes that nobody has written yet. */
export const noted: readonly SeedNote[] = [...handbook, ...alongTheWay]
