import { titleKey } from './editor/wiki-target.ts'
import { plainHeading } from './list-headings.ts'
import { readProperties } from './properties.ts'

/**
 * The start of a note's text that the page shows in other ways: its front matter as properties, and a heading that repeats its title
 * not at all. The editor and the reading view contain the rest, the body.
 */

interface Titled {
  title: string
  content: string
}

/** Longer front matter stays in the text. */
const maxFrontLength = 65_536
const frontMatter = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const firstHeading = /^(?:[ \t]*\r?\n)*(#[ \t][^\r\n]*)(?:\r?\n|$)(?:[ \t]*\r?\n)*/

/** The front matter of a text with its lines of `---`, and what is between them. Both are empty if there is none. */
export function frontOf(content: string): { front: string; block: string } {
  const found = frontMatter.exec(content.slice(0, maxFrontLength))
  const [front = '', block = ''] = found ?? []
  return readProperties(block) === undefined ? { front: '', block: '' } : { front, block }
}

export function leadOf({ content, title }: Titled): string {
  const { front } = frontOf(content)
  return front + titleIn(content.slice(front.length), title)
}

/** The heading at the top of a text, with the blank lines around it, if it repeats the title. */
function titleIn(text: string, title: string): string {
  const [lines = '', heading = ''] = firstHeading.exec(text.slice(0, maxHeadLength)) ?? []
  return heading !== '' && titleKey(plainHeading(heading)) === titleKey(title) ? lines : ''
}

/** Enough for the longest title and blank lines around it. */
const maxHeadLength = 2_000

/** The whole text. A lead that doesn't end its line is completed before a body follows it. */
export function joinLead(lead: string, body: string): { lead: string; content: string } {
  const whole = lead === '' || body === '' || lead.endsWith('\n') ? lead : `${lead}\n\n`
  return { lead: whole, content: whole + body }
}

/** The text with the new title in the heading at its top, if the old title was there. */
export function retitle(content: string, oldTitle: string, title: string): string {
  const { front } = frontOf(content)
  const rest = content.slice(front.length)
  const lines = titleIn(rest, oldTitle)
  if (lines === '') return content
  return front + lines.replace(/#[^\r\n]*/, () => `# ${title}`) + rest.slice(lines.length)
}
