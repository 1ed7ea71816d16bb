import { defuseMarks } from '@holdfast/client'
import { clip } from './one-line.ts'

/**
 * Stored text goes between marks. They tell the model that it is data, and the server not to extract it again when a turn
 * quotes it. Inside the marks, each text in full has its own item tag.
 */
const itemTag = 'holdfast-item'

/** Changes stored text so it cannot open or close our marks. Keeps its length. */
export const defused = defuseMarks

/** A stored text with its item tag, which carries the boundary of the answer that shows it. */
export type Item = (boundary: string) => string

const maxAttributesChars = 1_000

/** Prints a stored text unchanged, with attributes. Drops the last attributes if they get too long. */
export function item(about: Readonly<Record<string, string | number | undefined>>, text: string): Item {
  let attributes = ''
  for (const [name, value] of Object.entries(about)) {
    const pair = value === undefined || value === '' ? '' : ` ${name}="${attribute(String(value))}"`
    if (attributes.length + pair.length <= maxAttributesChars) attributes += pair
  }
  return (boundary) => `<${itemTag}-${boundary}${attributes}>\n${defused(text)}\n</${itemTag}-${boundary}>`
}

const attribute = (text: string) =>
  defused(
    clip(text, 300)
      .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replaceAll('"', "'")
      .replaceAll(/[<>]/g, ''),
  )
