import { markRecalled } from '@holdfast/client'

/**
 * What came out of the memory stands between marks: they tell the model that it is data, and the service that a turn which
 * quotes it must not be remembered once more. Within them, what is shown whole stands in an item of its own.
 */
const itemTag = 'holdfast-item'

/** Stored text that cannot open or close a part of ours, however it is written. */
export const defused = (text: string): string => text.replaceAll(/<(?=[\s/]*holdfast-)/gi, '‹')

export const fenced = (entries: readonly string[], vault: string | undefined): string =>
  markRecalled(entries.join('\n'), vault)

/** How many characters the marks take, beside the vault's name. */
export const fenceChars = 60

/** A stored text whole, as it is, with what is known of it; only what looks like our own marks is changed. */
export function item(about: Readonly<Record<string, string | number | undefined>>, text: string): string {
  const told = Object.entries(about).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}="${attribute(String(value))}"`],
  )
  return `<${itemTag} ${told.join(' ')}>\n${defused(text)}\n</${itemTag}>`
}

const attribute = (text: string) =>
  text
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('"', "'")
    .replaceAll(/[<>]/g, '')
    .slice(0, 300)
