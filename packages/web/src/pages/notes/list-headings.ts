import { isReadable } from '../../components/text/is-readable.ts'
import { noteParser } from '../../components/text/wiki-syntax.ts'

export interface Heading {
  level: number
  text: string
  /** The start of its line. */
  from: number
}

const levels = /^(?:ATX|Setext)Heading([1-6])$/

/** The headings of a text, in order, except lines in code. Texts too long to read as Markdown have none. */
export function listHeadings(text: string): Heading[] {
  const headings: Heading[] = []
  if (!isReadable(text)) return headings
  noteParser.parse(text).iterate({
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

const plainHeading = (source: string) =>
  source
    .replace(/^#{1,6}(?:[ \t]+|$)/, '')
    .trimEnd()
    .replace(/\n[=-]+$|(?<=[ \t])#+$/, '')
    .replace(/\[\[([^[\]|]{1,500})(?:\|([^[\]]{1,500}))?\]\]/g, (_, title: string, shown?: string) => shown ?? title)
    .replace(/[*_`~]{1,3}/g, '')
    .trim()
