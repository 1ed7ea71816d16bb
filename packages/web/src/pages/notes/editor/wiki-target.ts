/** The content of `[[Title#Heading|shown]]`, parsed as on the server (docs/notes.md). */
export interface WikiTarget {
  title: string
  heading: string | undefined
}

export function readWikiTarget(inner: string): WikiTarget {
  const [target = ''] = inner.split('|')
  const at = target.search(/(?:^|(?<=\S))#(?=\S)/)
  if (at < 0) return { title: target.trim(), heading: undefined }
  return { title: target.slice(0, at).trim(), heading: target.slice(at + 1).trim() }
}

/** The memory id in a link such as `[[memory:<id>|shown]]`. */
export const memoryIdIn = (title: string): string | undefined =>
  /^memory:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(title)?.[1]?.toLowerCase()

/** A link to a memory. Its title is shortened and cleaned of characters that links use. */
export function memoryLink(id: string, title: string): string {
  const shown = title.replace(/[[\]|\s]+/gu, ' ').trim()
  const words = shown.length > longestShown ? `${shown.slice(0, longestShown - 1).trimEnd()}…` : shown
  return words === '' ? `[[memory:${id}]]` : `[[memory:${id}|${words.toWellFormed()}]]`
}

const longestShown = 60

/** Normalizes a title as the server does: ignores letter case, white space and compatibility forms. */
export const titleKey = (title: string) =>
  title.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()

/** Finds the item with the same title. */
export const withTitle = <T extends { title: string }>(all: readonly T[], title: string): T | undefined => {
  const key = titleKey(title)
  return all.find((one) => titleKey(one.title) === key)
}
