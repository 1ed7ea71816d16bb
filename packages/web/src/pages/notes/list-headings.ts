import type { Tree } from '@lezer/common'
import { isReadable } from '../../components/text/is-readable.ts'
import { parseInSteps } from '../../components/text/parse-in-steps.ts'
import { noteParser } from '../../components/text/wiki-syntax.ts'

export interface Heading {
  level: number
  text: string
  /** The start of its line. */
  from: number
}

const levels = /^(?:ATX|Setext)Heading([1-6])$/

/** The headings of a text, in order, except lines in code. Texts too long to read as Markdown have none. */
export const listHeadings = (text: string): Heading[] =>
  isReadable(text) ? headingsIn(text, noteParser.parse(text)) : []

/** The same without blocking the page. Undefined once `signal` aborts. */
export async function findHeadings(text: string, signal: AbortSignal): Promise<Heading[] | undefined> {
  if (!isReadable(text)) return []
  const tree = await parseInSteps(noteParser, text, signal)
  return tree && headingsIn(text, tree)
}

function headingsIn(text: string, tree: Tree): Heading[] {
  const headings: Heading[] = []
  tree.iterate({
    enter({ name, from, to }) {
      const level = levels.exec(name)?.[1]
      if (level !== undefined) {
        const shown = plainHeading(text.slice(from, to))
        if (shown !== '') headings.push({ level: Number(level), text: shown, from })
        return false
      }
      return name === 'Document'
    },
  })
  return headings
}

export const plainHeading = (source: string) =>
  source
    .replace(/^#{1,6}(?:[ \t]+|$)/, '')
    .trimEnd()
    .replace(/\n[=-]+$|(?<=[ \t])#+$/, '')
    .replace(/\[\[([^[\]|]{1,500})(?:\|([^[\]]{1,500}))?\]\]/g, (_, title: string, shown?: string) => shown ?? title)
    .replace(/[*_`~]{1,3}/g, '')
    .trim()
