import { baseName } from '../paths.ts'
import type { RecordOf } from '../record.ts'
import { readText } from '../source.ts'
import { listFences } from '../text/code-regions.ts'
import { splitFrontMatter } from './front-matter.ts'
import { indexNotes } from './note-index.ts'
import { isNote, toNote, readOutlines, readNoteText } from './obsidian.ts'
import { makeWriteId, type Reader } from './reading.ts'

/**
 * A basic-memory project: notes as in Obsidian, each with a permalink. Every observation (`- [category] text #tag (context)`)
 * also becomes a memory derived from its note, and every relation (`- relation [[Target]]`) a link with that label.
 */

export const basicMemory: Reader = {
  name: 'basic-memory',
  shape: 'markdown files with `permalink` in front matter',
  async claim({ files }) {
    const notes = files.filter(({ path }) => isNote(path))
    // That program gives every note a permalink. In other folders, some notes have one for other reasons.
    const [first] = notes
    return first !== undefined && 'permalink' in splitFrontMatter(await readText(first)).fields ? notes : []
  },
  async *read({ name, files }, notices) {
    const notes = files.filter(({ path }) => isNote(path))
    const index = indexNotes(await readOutlines(notes, ''))
    const keys = new Map<string, string>()
    const statements = new Map<string, Statements>()
    for (const file of notes) {
      const text = await readNoteText(file, notices)
      const note = toNote({ ...file, text }, index, notices)
      if (note === undefined) continue
      const { fields, body } = splitFrontMatter(text)
      const permalink = typeof fields.permalink === 'string' ? fields.permalink : file.path
      const key = makeWriteId('basic-memory', `${name}\n${permalink}`)
      keys.set(file.path, key)
      statements.set(file.path, { project: name, permalink, title: note.title, ...parseStatements(body) })
      yield { ...note, externalWriteId: key }
    }
    for (const [path, { observations, ...note }] of statements)
      for (const observation of observations) yield toMemory(observation, note, keys.get(path) ?? path)
    for (const [path, { observations, ...note }] of statements)
      for (const observation of observations) yield derivation(observation, note, keys.get(path) ?? path)
    for (const [path, { relations }] of statements)
      for (const { label, target } of relations) {
        const to = keys.get(index.find(target, path) ?? '')
        if (to === undefined) notices.add('relations to missing notes', `${baseName(path)}: ${target}`)
        else if (to !== keys.get(path)) yield toRelation(keys.get(path) ?? path, to, label)
      }
  },
}

interface Observation {
  category: string
  text: string
  tags: string[]
  context: string | undefined
}

interface Statements {
  project: string
  permalink: string
  title: string
  observations: Observation[]
  relations: { label: string; target: string }[]
}

/** Parses observations and relations outside code blocks. */
function parseStatements(body: string): Pick<Statements, 'observations' | 'relations'> {
  const fences = listFences(body)
  const outside = fences.reduceRight((text, [from, to]) => text.slice(0, from) + text.slice(to), body)
  const observations = [...outside.matchAll(/^[-*] \[([^[\]()\n]{2,100})\] (.+)$/gm)].map(
    ([, category = '', rest = '']) => parseObservation(category, rest),
  )
  const relations = [
    ...outside.matchAll(/^[-*] ([^[\]\n]{1,200}?)? ?\[\[([^[\]\n|#]{1,1000})(?:[|#][^[\]\n]{0,1000})?\]\]/gm),
  ].map(([, label = '', target = '']) => ({ label: label.trim() || 'relates_to', target: target.trim() }))
  return { observations, relations }
}

function parseObservation(category: string, rest: string): Observation {
  const { text, context } = splitContext(rest.trimEnd())
  const tags = [...text.matchAll(/(?<!\S)#([\p{L}\p{N}_/-]+)/gu)].map(([, tag = '']) => tag)
  return { category, text: text.trim(), tags, context }
}

/** Splits off text in brackets at the end, after white space. */
function splitContext(text: string): { text: string; context: string | undefined } {
  const from = text.endsWith(')') ? text.lastIndexOf('(') : -1
  const context = text.slice(from + 1, -1)
  if (from < 1 || context.includes(')') || !/\s/.test(text[from - 1] ?? '')) return { text, context: undefined }
  return { text: text.slice(0, from), context }
}

const memoryTypeFor = (category: string): RecordOf<'memory'>['memoryType'] => {
  if (/^(preference|like)s?$/i.test(category)) return 'preference'
  if (/^(constraint|rule|requirement|policy|limit)s?$/i.test(category)) return 'constraint'
  return /^(skill|technique|tip|method|how-?to|procedure)s?$/i.test(category) ? 'skill' : 'fact'
}

type NoteInfo = Pick<Statements, 'project' | 'permalink' | 'title'>

const memoryKey = ({ category, text }: Observation, { project, permalink }: NoteInfo) =>
  makeWriteId('basic-memory', `${project}\n${permalink}\n${category}\n${text}`)

const maxEntityChars = 200

const toMemory = (observation: Observation, note: NoteInfo, noteKey: string): RecordOf<'memory'> => ({
  kind: 'memory',
  externalWriteId: memoryKey(observation, note),
  content: observation.text,
  memoryType: memoryTypeFor(observation.category),
  entities: [note.title.slice(0, maxEntityChars)],
  metadata: {
    category: observation.category,
    permalink: note.permalink,
    ...(observation.tags.length > 0 && { tags: observation.tags }),
    ...(observation.context !== undefined && { context: observation.context }),
  },
  sourceNoteIds: [noteKey],
})

const derivation = (observation: Observation, note: NoteInfo, noteKey: string): RecordOf<'link'> => ({
  kind: 'link',
  sourceType: 'memory',
  source: memoryKey(observation, note),
  targetType: 'note',
  target: noteKey,
  relationType: 'derived_from',
  origin: 'write',
})

const toRelation = (source: string, target: string, label: string): RecordOf<'link'> => ({
  kind: 'link',
  sourceType: 'note',
  source,
  targetType: 'note',
  target,
  relationType: 'references',
  label,
})
