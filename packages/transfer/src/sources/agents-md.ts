import type { RecordOf } from '../record.ts'
import { readText } from '../source.ts'
import { listFences } from '../text/code-regions.ts'
import { splitFrontMatter } from './front-matter.ts'
import { isNote } from './obsidian.ts'
import { makeWriteId, maxContentChars, type Notices, type Reader } from './reading.ts'

/** A project's instructions for agents. Each section becomes a memory: a skill if its heading describes a procedure, otherwise a constraint. */

export const agentsMd: Reader = {
  name: 'agents-md',
  shape: '`CLAUDE.md`, `AGENTS.md`, `GEMINI.md`, `.cursorrules`, `.cursor/rules/*.mdc`, `copilot-instructions.md`',
  async claim({ files }) {
    const isOnlyRules = files.every(({ path }) => isRules(path) || !isNote(path))
    // Among notes, such a Markdown file is one of them.
    return files.filter(({ path }) => isRules(path) && (isOnlyRules || !isNote(path)))
  },
  async *read({ files }, notices) {
    for (const file of files) if (isRules(file.path)) yield* toMemories(file.path, await readText(file), notices)
  },
  async *readAsDocument({ files }, notices) {
    const texts = new Map<string, string>()
    for (const file of files) {
      if (!isRules(file.path)) continue
      const text = splitFrontMatter(await readText(file)).body.trim()
      if (text !== '' && !texts.has(text)) texts.set(text, file.path)
    }
    const [first, ...others] = texts.keys()
    if (first === undefined) return
    // If there are several files, each part names its file.
    const parts = [...texts].map(([text, path]) => `<!-- ${path.replaceAll('-->', '')} -->\n\n${text}`)
    const content = others.length === 0 ? first : parts.join('\n\n')
    if (content.length <= maxContentChars) yield { kind: 'document', documentType: 'instructions', content }
    else notices.refuse('document', 'instructions', `is longer than ${maxContentChars} characters`)
  },
}

const isRules = (path: string) =>
  !/(^|\/)(node_modules|\.git)\//.test(path) &&
  /(^|\/)((claude(\.local)?|agents(\.override)?|gemini|copilot-instructions)\.md|\.cursorrules|\.windsurfrules|\.cursor\/rules\/.+\.mdc)$/i.test(
    path,
  )

/** Identifies a section by its text and not by its position, so a moved section stays the same memory. */
function* toMemories(path: string, text: string, notices: Notices): Generator<RecordOf<'memory'>> {
  for (const { headings, body } of listSections(splitFrontMatter(text).body)) {
    const heading = headings.join(' > ')
    const content = heading === '' ? body : `${heading}: ${body}`
    if (content.length > maxContentChars) {
      notices.add(`sections of more than ${maxContentChars} characters, not imported`, `${path}: ${heading}`)
      continue
    }
    yield {
      kind: 'memory',
      externalWriteId: makeWriteId('agents-md', `${path}\n${content}`),
      content,
      memoryType: isHowTo(headings.at(-1) ?? '') ? 'skill' : 'constraint',
      importance: 4,
      metadata: { file: path, ...(heading !== '' && { heading }) },
    }
  }
}

const isHowTo = (heading: string) =>
  /\b(how|build\w*|commands?|set-?up|install\w*|run\w*|usage|workflows?|deploy\w*|debug\w*|develop\w*|scripts?|steps?|getting started)\b/i.test(
    heading,
  )

interface Section {
  headings: string[]
  body: string
}

function listSections(text: string): Section[] {
  const fences = listFences(text)
  const sections: Section[] = []
  let headings: string[] = []
  let bodyFrom = 0
  const end = (at: number) => {
    const body = text.slice(bodyFrom, at).trim()
    if (body !== '') sections.push({ headings: headings.filter((one) => one !== ''), body })
  }
  let fence = 0
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const next = newline < 0 ? text.length : newline + 1
    while ((fences[fence]?.[1] ?? Infinity) <= at) fence++
    const heading = (fences[fence]?.[0] ?? Infinity) <= at ? undefined : parseHeading(text.slice(at, next))
    if (heading !== undefined) {
      end(at)
      headings = [...Array.from({ length: heading.level - 1 }, (_, above) => headings[above] ?? ''), heading.text]
      bodyFrom = next
    }
    at = next
  }
  end(text.length)
  return sections
}

/** Parsed by hand, because a pattern for both ends of a line takes more than linear time. */
function parseHeading(line: string): { level: number; text: string } | undefined {
  const level = /^(#{1,6})[ \t]/.exec(line)?.[1]?.length
  if (level === undefined) return undefined
  const text = line.slice(level).trim()
  let end = text.length
  while (text[end - 1] === '#') end--
  // Closing marks are separated from the heading by a space.
  const isClosed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t'
  const shown = isClosed ? text.slice(0, end).trimEnd() : text
  return shown === '' ? undefined : { level, text: shown }
}
