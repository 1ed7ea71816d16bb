interface Measured {
  section: string
  chars: number
  /** Entries that the section has, if each has its own line or its own marks. */
  entries: number
}

/** The headings that the text has for the sections of the context. */
const headings: readonly (readonly [start: string, section: string])[] = [
  ['## Constraints', 'constraints'],
  ['## Tasks', 'tasks'],
  ['## Messages to acknowledge', 'pendingMessages'],
  ['## Other vaults', 'vaults'],
  ['## Recently active agents', 'recentAgents'],
  ['## Earlier sessions', 'episodic'],
  ['## Facts', 'facts'],
  ['## Not available', 'degraded'],
]

/** What belongs to no section: the first lines, the marks around the text, and the line that counts what was left out. */
export const frameSection = 'frame'

const documentStart = '<holdfast-document-'
const documentEnd = '</holdfast-document-'
const frameStarts = ['</holdfast-recall-', 'Left out for lack of room: ']

/** How many characters each section has in the text that a model gets. Together they have the length of the text. */
export function measureText(text: string): Measured[] {
  const measured = new Map<string, Measured>()
  let section = frameSection
  let isInDocument = false
  for (const line of text.split(/(?<=\n)/)) {
    if (!isInDocument) section = sectionFrom(line) ?? section
    // Documents have headings of their own.
    if (line.startsWith(documentStart)) isInDocument = true
    if (line.startsWith(documentEnd)) isInDocument = false
    const { chars, entries } = measured.get(section) ?? { chars: 0, entries: 0 }
    const isEntry = line.startsWith(section === 'documents' ? documentStart : '- [')
    measured.set(section, { section, chars: chars + line.length, entries: entries + (isEntry ? 1 : 0) })
  }
  return [...measured.values()]
}

function sectionFrom(line: string): string | undefined {
  if (line.startsWith(documentStart)) return 'documents'
  if (frameStarts.some((start) => line.startsWith(start))) return frameSection
  return headings.find(([start]) => line.startsWith(start))?.[1]
}
