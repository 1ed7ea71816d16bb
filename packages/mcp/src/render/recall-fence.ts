import { defuseMarks, fenceRecalled } from '@holdfast/client'
import { clip } from './one-line.ts'

/**
 * What came out of the memory stands between marks: they tell the model that it is data, and the service that a turn which
 * quotes it must not be remembered once more. Within them, what is shown whole stands in an item of its own.
 */
const itemTag = 'holdfast-item'

/** Stored text that cannot open or close a part of ours, however it is written; as long as it was. */
export const defused = defuseMarks

/** Of entries that are defused already. */
export const fenced = (entries: readonly string[], vault: string | undefined): string =>
  fenceRecalled(entries.join('\n'), vault)

const maxAttributesChars = 1_000

/** A stored text whole, as it is, with what is known of it, of which the last is left out where it grows too long. */
export function item(about: Readonly<Record<string, string | number | undefined>>, text: string): string {
  let told = ''
  for (const [name, value] of Object.entries(about)) {
    const pair = value === undefined || value === '' ? '' : ` ${name}="${attribute(String(value))}"`
    if (told.length + pair.length <= maxAttributesChars) told += pair
  }
  return `<${itemTag}${told}>\n${defused(text)}\n</${itemTag}>`
}

const attribute = (text: string) =>
  clip(text, 300)
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('"', "'")
    .replaceAll(/[<>]/g, '')
