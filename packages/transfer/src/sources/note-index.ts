import { folderOf, join } from '../paths.ts'
import { listCodeRegions } from '../text/code-regions.ts'
import { isLinkable, maxTitleLength, titleKey } from '../text/wiki-links.ts'

/** The notes of a source of markdown files, and what their texts call each other. */

export interface MarkdownNote {
  /** From the top, with its ending. */
  path: string
  /** The path without what its exporter added to names; default: the path. */
  plainPath?: string
  /** The file's name without its ending, or what stands for it. */
  baseName: string
  /** What its text says that it is called. */
  ownTitle: string | undefined
  aliases: string[]
}

export interface NoteIndex {
  titleOf(path: string): string
  /** The note that a link in another one leads to. */
  find(target: string, from: string): string | undefined
  /** The text with every link that leads to a note of the source leading to its title here. */
  rewriteLinks(text: string, path: string): { text: string; unresolved: string[] }
}

/**
 * Titles are made to differ, since links lead to titles: of several notes with one name the one nearest to the top keeps it,
 * and the others are called by their paths, by which links in such sources name them too.
 */
export function indexNotes(notes: readonly MarkdownNote[]): NoteIndex {
  const titles = titlesOf(notes)
  const sorted = notes.toSorted(byDepth)
  const byName = firstBy(sorted, ({ baseName }) => [titleKey(baseName)])
  const byFolder = firstBy(sorted, ({ path, baseName }) => [nearKey(folderOf(path), baseName)])
  const byEnd = firstBy(sorted, ({ path }) => endsOf(pathKey(path)))
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
      const { target, heading, alias } = partsOf(inner)
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

/** Undefined where no link can name the title. */
function wikiLink(title: string, { target, heading, alias, embed }: LinkParts): string | undefined {
  if (!isLinkable(title)) return undefined
  const isSame = titleKey(title) === titleKey(target)
  const shown = alias ?? (isSame || embed !== '' ? undefined : target)
  const named = isSame ? target : title
  const place = heading === undefined ? '' : `#${heading}`
  const text = shown === undefined || titleKey(shown) === titleKey(named + place) ? '' : `|${shown}`
  return `${embed}[[${named}${place}${text}]]`
}

function partsOf(inner: string): Omit<LinkParts, 'embed'> {
  const bar = inner.indexOf('|')
  const [named, alias] = bar < 0 ? [inner, undefined] : [inner.slice(0, bar).replace(/\\$/, ''), inner.slice(bar + 1)]
  const hash = named.search(/(?:^|(?<=\S))#(?=\S)/)
  return {
    target: (hash < 0 ? named : named.slice(0, hash)).trim(),
    heading: hash < 0 ? undefined : named.slice(hash + 1),
    alias,
  }
}

function titlesOf(notes: readonly MarkdownNote[]): Map<string, string> {
  const titles = new Map<string, string>()
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  for (const note of notes.toSorted(byDepth)) {
    const wanted = (note.ownTitle ?? note.baseName).slice(0, maxTitleLength)
    const path = (note.plainPath ?? note.path).replace(/\.md$/i, '').slice(-maxTitleLength)
    const title =
      [wanted, path].find((one) => titleKey(one) !== '' && !taken.has(titleKey(one))) ?? numbered(path, taken, numbers)
    taken.add(titleKey(title))
    titles.set(note.path, title)
  }
  return titles
}

/** `numbers`: the last one of each title, so that none is tried twice. */
function numbered(title: string, taken: ReadonlySet<string>, numbers: Map<string, number>): string {
  const base = title.slice(0, maxTitleLength - 10)
  for (let number = (numbers.get(base) ?? 1) + 1; ; number++) {
    const one = `${base} (${number})`
    if (taken.has(titleKey(one))) continue
    numbers.set(base, number)
    return one
  }
}

const byDepth = (one: { path: string }, other: { path: string }): number =>
  depthOf(one.path) - depthOf(other.path) || (one.path < other.path ? -1 : 1)

const depthOf = (path: string) => path.split('/').length

const pathKey = (path: string) => titleKey(path.replace(/\.(md|csv)$/i, ''))

const nearKey = (folder: string, name: string) => `${folder}\n${titleKey(name)}`

/** Longer ones are paths from the top. */
const maxEndNames = 20

/** `b/c` and `a/b/c` of `/a/b/c`: what a link may call the end of a path. */
function endsOf(path: string): string[] {
  const ends: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0 && ends.length < maxEndNames;) {
    at = path.lastIndexOf('/', at - 1)
    ends.push(path.slice(at + 1))
  }
  return ends
}

/** The path of the first note that has each of the keys. */
function firstBy(notes: readonly MarkdownNote[], keysOf: (note: MarkdownNote) => string[]): Map<string, string> {
  const first = new Map<string, string>()
  for (const note of notes) for (const key of keysOf(note)) if (!first.has(key)) first.set(key, note.path)
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
  const code = listCodeRegions(text)
  let region = 0
  let copied = 0
  let replaced = ''
  for (const match of text.matchAll(pattern)) {
    while ((code[region]?.[1] ?? Infinity) <= match.index) region++
    if ((code[region]?.[0] ?? Infinity) < match.index + match[0].length) continue
    replaced += text.slice(copied, match.index) + replace(match)
    copied = match.index + match[0].length
  }
  return replaced + text.slice(copied)
}
