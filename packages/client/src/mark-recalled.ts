import { defuseMarks } from './defuse-marks.ts'
import { randomDigits } from './new-uuid.ts'

interface Fence {
  vault?: string | undefined
  /** Default: a new one. Texts with marks inside the fence carry the same. */
  boundary?: string
}

/**
 * Puts recalled text between marks. They tell the server not to extract it again, and a model where data starts and ends.
 * Marks in the text itself lose their bracket, so stored text cannot close the marks early.
 */
export const markRecalled = (text: string, vault?: string): string => fenceRecalled(defuseMarks(text), { vault })

/** Like `markRecalled`, for text whose stored parts are already defused and which contains its own marks. */
export function fenceRecalled(text: string, { vault, boundary = newBoundary() }: Fence = {}): string {
  const name = vault === undefined ? '' : ` vault="${defuseMarks(nameLine(vault)).replaceAll(/["<>]/g, "'")}"`
  return `<holdfast-recall-${boundary}${name}>\n${text}\n</holdfast-recall-${boundary}>`
}

/** Creates what only the marks of one printed answer have in their names. Who stored a text before can't know it. */
export const newBoundary = (): string => randomDigits(6)

/** Prints a name on one line, without invisible characters. Only emoji keep what makes them one: 👩‍💻, ❤️. */
export const nameLine = (name: string): string =>
  name
    .replaceAll(/(\p{ExtPict}[\ufe0f\p{EMod}]?(\u200d(?=\p{ExtPict}))?)|[\p{Cf}\p{DI}\u2800]/gu, '$1')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
