import { folderOf, join } from '../paths.ts'
import { outsideCode } from '../text/code-regions.ts'
import { isLinkable, maxTitleLength, titleKey } from '../text/wiki-links.ts'

/** The notes of a source of Markdown files, and how their texts link to each other. */

export interface MarkdownNote {
  /** Relative to the top, with the extension. */
  path: string
  /** The path without additions of the exporter. Default: the path. */
  plainPath?: string
  /** The file name without extension, or a replacement. */
  baseName: string
  /** The title in its text. */
  ownTitle: string | undefined
  aliases: string[]
}

export interface NoteIndex {
  titleOf(path: string): string
  /** Finds the note that a link leads to. */
  find(target: string, from: string): string | undefined
  /** Rewrites every link to a note of the source to that note's title. */
  rewriteLinks(text: string, path: string): { text: string; unresolved: string[] }
}

/**
 * Makes titles unique, because links use titles. If several notes have the same name, the one closest to the top keeps it, and
 * the others get their paths as titles. Links in such sources use paths too.
 */
export function indexNotes(notes: readonly MarkdownNote[]): NoteIndex {
  const titles = chooseTitles(notes)
  const sorted = notes.toSorted(byDepth)
  const byName = firstBy(sorted, ({ baseName }) => [titleKey(baseName)])
  const byFolder = firstBy(sorted, ({ path, baseName }) => [nearKey(folderOf(path), baseName)])
  const byEnd = firstBy(sorted, ({ path }) => listPathEnds(pathKey(path)))
  const byAlias = firstBy(notes, ({ aliases }) => aliases.map(titleKey))
  const byPath = new Map(notes.map(({ path }) => [pathKey(path), path]))

  function find(target: string, from: string): string | undefined {
    const folder = folderOf(from)
    const wanted = pathKey(target)
    const absolute = byPath.get(wanted) ?? byPath.get(pathKey(join(folder, target)))
    if (target.includes('/')) return absolute ?? byEnd.get(wanted.replace(/^\/+/, ''))
    const name = target.replace(/\.md$/i, '')
    return byFolder.get(nearKey(folder, name)) ?? byName.get(titleKey(name)) ?? byAlias.get(titleKey(target))
  }

  function rewriteLinks(text: string, from: string) {
    const unresolved = new Set<string>()
    const wiki = replaceOutsideCode(text, /(!?)\[\[([^[\]\n\r]{1,1000})\]\]/g, ([whole, embed = '', inner = '']) => {
      const { target, heading, alias } = parseLink(inner)
      if (target === '') return whole
      const path = find(target, from)
      if (path === undefined) {
        unresolved.add(target)
        return whole
      }
      return wikiLink(titles.get(path) ?? target, { target, heading, alias, embed }) ?? whole
    })
    const both = replaceOutsideCode(
      wiki,
      /(?<!!)\[([^[\]\n\r]{0,1000})\]\(<?([^()\s<>]{1,1000})>?\)/g,
      ([whole, label = '', address = '']) => {
        const ending = /\.(?:md|csv)(?=#|$)/i.exec(address)
        if (ending === null) return whole
        const length = ending.index + ending[0].length
        const [target, anchor] = [address.slice(0, length), address.slice(length)]
        const decoded = decode(target)
        const path = /^[a-z][a-z0-9+.-]*:/i.test(decoded) ? undefined : find(decoded, from)
        const title = path === undefined ? undefined : titles.get(path)
        if (title === undefined) return whole
        const heading = anchor === '' ? undefined : decode(anchor.slice(1))
        return wikiLink(title, { target: title, heading, alias: label || undefined, embed: '' }) ?? whole
      },
    )
    return { text: both, unresolved: [...unresolved] }
  }

  return { titleOf: (path) => titles.get(path) ?? path, find, rewriteLinks }
}

interface LinkParts {
  target: string
  heading: string | undefined
  alias: string | undefined
  embed: string
}

/** Prints a link. Returns undefined if the title cannot be linked. */
function wikiLink(title: string, { target, heading, alias, embed }: LinkParts): string | undefined {
  if (!isLinkable(title)) return undefined
  const isSame = titleKey(title) === titleKey(target)
  const shown = alias ?? (isSame || embed !== '' ? undefined : target)
  const named = isSame ? target : title
  const place = heading === undefined ? '' : `#${heading}`
  const text = shown === undefined || shown === named + place ? '' : `|${shown}`
  return `${embed}[[${named}${place}${text}]]`
}

function parseLink(inner: string): Omit<LinkParts, 'embed'> {
  const bar = inner.indexOf('|')
  const [named, alias] = bar < 0 ? [inner, undefined] : [inner.slice(0, bar).replace(/\\$/, ''), inner.slice(bar + 1)]
  const hash = named.search(/(?:^|(?<=\S))#(?=\S)/)
  return {
    target: (hash < 0 ? named : named.slice(0, hash)).trim(),
    heading: hash < 0 ? undefined : named.slice(hash + 1),
    alias,
  }
}

function chooseTitles(notes: readonly MarkdownNote[]): Map<string, string> {
  const titles = new Map<string, string>()
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  for (const note of notes.toSorted(byDepth)) {
    const wanted = (note.ownTitle ?? note.baseName).slice(0, maxTitleLength)
    const path = (note.plainPath ?? note.path).replace(/\.md$/i, '').slice(-maxTitleLength)
    const title =
      [wanted, path].find((one) => titleKey(one) !== '' && !taken.has(titleKey(one))) ?? addNumber(path, taken, numbers)
    taken.add(titleKey(title))
    titles.set(note.path, title)
  }
  return titles
}

/** Adds a number to a title. `numbers` has the last number per title. */
function addNumber(title: string, taken: ReadonlySet<string>, numbers: Map<string, number>): string {
  const base = title.slice(0, maxTitleLength - 10)
  for (let number = (numbers.get(base) ?? 1) + 1; ; number++) {
    const one = `${base} (${number})`
    if (taken.has(titleKey(one))) continue
    numbers.set(base, number)
    return one
  }
}

const byDepth = (one: { path: string }, other: { path: string }): number =>
  countLevels(one.path) - countLevels(other.path) || (one.path < other.path ? -1 : 1)

const countLevels = (path: string) => path.split('/').length

const pathKey = (path: string) => titleKey(path.replace(/\.(md|csv)$/i, ''))

const nearKey = (folder: string, name: string) => `${folder}\n${titleKey(name)}`

/** Longer paths must be complete. */
const maxEndNames = 20

/** Lists the ends of a path that a link may use: `b/c` and `a/b/c` for `/a/b/c`. */
function listPathEnds(path: string): string[] {
  const ends: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0 && ends.length < maxEndNames;) {
    at = path.lastIndexOf('/', at - 1)
    ends.push(path.slice(at + 1))
  }
  return ends
}

/** Maps each key to the path of the first note that has it. */
function firstBy(notes: readonly MarkdownNote[], getKeys: (note: MarkdownNote) => string[]): Map<string, string> {
  const first = new Map<string, string>()
  for (const note of notes) for (const key of getKeys(note)) if (!first.has(key)) first.set(key, note.path)
  return first
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function replaceOutsideCode(text: string, pattern: RegExp, replace: (match: RegExpExecArray) => string): string {
  const isText = outsideCode(text)
  let copied = 0
  let replaced = ''
  for (const match of text.matchAll(pattern)) {
    if (!isText(match)) continue
    replaced += text.slice(copied, match.index) + replace(match)
    copied = match.index + match[0].length
  }
  return replaced + text.slice(copied)
}
