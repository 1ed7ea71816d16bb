/** What stands between the brackets of `[[Title#Heading|shown]]`, read as the server reads it (docs/notes.md). */
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

/** The memory that a link with such a title leads to: `[[memory:<id>|shown]]`. */
export const memoryIdIn = (title: string): string | undefined =>
  /^memory:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(title)?.[1]?.toLowerCase()

/** A link to a memory, shown by how it is called as far as a link can show it. */
export function memoryLink(id: string, title: string): string {
  const shown = title.replace(/[[\]|\s]+/gu, ' ').trim()
  const words = shown.length > longestShown ? `${shown.slice(0, longestShown - 1).trimEnd()}…` : shown
  return words === '' ? `[[memory:${id}]]` : `[[memory:${id}|${words.toWellFormed()}]]`
}

const longestShown = 60

/** Titles that are one to the server: letter case, white space and compatibility forms tell none apart. */
export const titleKey = (title: string) =>
  title.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()

/** The one of these whose title is the same. */
export const withTitle = <T extends { title: string }>(all: readonly T[], title: string): T | undefined => {
  const key = titleKey(title)
  return all.find((one) => titleKey(one.title) === key)
}
