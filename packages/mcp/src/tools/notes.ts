import type { CreateNoteInput, UpdateNoteInput } from '@holdfast/client'
import { explainError } from '../explain-error.ts'
import { counted, nameOf, oneLine } from '../render/one-line.ts'
import { defused } from '../render/recall-fence.ts'
import { schemaOf } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { common, tool, type ToolCall } from '../tool.ts'
import type { Answer } from '../render/compose.ts'
import { parseId } from './ids.ts'

export const saveNote = tool({
  name: 'save_note',
  title: 'Save a note',
  description:
    'Write a note (long text for people, Markdown, [[Title]] links), or with id change or move one. Prefer edits to sending the whole text again.',
  inputSchema: schemaOf({
    id: { type: 'string', description: 'The note to change; none makes one.' },
    title: { type: 'string' },
    content: { type: 'string' },
    mode: { type: 'string', enum: ['replace', 'append', 'prepend'], description: 'What content does to the text.' },
    edits: {
      type: 'array',
      description: 'In place of content: passages that occur exactly once, and what takes their place.',
      items: {
        type: 'object',
        properties: { find: { type: 'string' }, replace: { type: 'string' } },
        required: ['find', 'replace'],
      },
    },
    tags: { type: 'array', items: { type: 'string' }, description: 'All its tags.' },
    folder: { type: 'string', description: 'Path such as Projects/Holdfast; / is the root.' },
    ...common,
  }),
  effect: 'write',
  scopes: ['write'],
  async run({ id, folder, vault: _vault, run: _run, ...fields }, call) {
    const place = folder === undefined ? undefined : folder.replaceAll(/^\/+|\/+$/g, '')
    if (id === undefined) return makeNote(fields, place, call)
    const { id: noteId } = parseId(id)
    const hasChange = Object.keys(fields).length > 0
    if (!hasChange && place === undefined)
      throw new ToolProblem('VALIDATION', 'nothing to change: give title, content, edits, tags or folder.')
    const changed = hasChange ? await changeNote({ noteId, ...onOwnLine(fields) }, call) : undefined
    const moved = place === undefined ? undefined : await moveNote(noteId, place, call, changed !== undefined)
    return {
      head: [...(changed?.head ?? []), ...(moved?.head ?? [])],
      recalled: changed?.recalled ?? [],
      data: { ...changed?.data, ...moved?.data },
    }
  },
})

/** What is put before or behind a text begins on a line of its own. */
function onOwnLine<Fields extends { content?: string; mode?: UpdateNoteInput['mode'] }>(fields: Fields): Fields {
  const { content, mode } = fields
  if (content === undefined || content === '') return fields
  if (mode === 'append' && !content.startsWith('\n')) return { ...fields, content: `\n${content}` }
  return mode === 'prepend' && !content.endsWith('\n') ? { ...fields, content: `${content}\n` } : fields
}

async function makeNote(
  { title, mode: _mode, edits, ...fields }: Partial<CreateNoteInput> & Pick<UpdateNoteInput, 'mode' | 'edits'>,
  place: string | undefined,
  { call }: ToolCall,
): Promise<Answer> {
  if (title === undefined) throw new ToolProblem('VALIDATION', 'title: required to make a note; give id to change one.')
  if (edits !== undefined) throw new ToolProblem('VALIDATION', 'edits: only with the id of a note to change.')
  const folder = place === undefined || place === '' ? {} : { folderPath: place }
  const answer = await call('create-note', { ...fields, title, ...folder })
  return {
    head: [`made: n:${answer.noteId}${linksText(answer)}`],
    recalled: missingTitles(answer),
    data: { note: answer },
  }
}

async function changeNote(change: UpdateNoteInput, { call }: ToolCall): Promise<Answer> {
  const answer = await call('update-note', change)
  const verb = answer.updated ? 'changed' : 'unchanged, it is like this already'
  return {
    head: [`${verb}: n:${change.noteId} (version ${answer.version})${linksText(answer)}`],
    recalled: missingTitles(answer),
    data: { note: answer },
  }
}

async function moveNote(noteId: string, place: string, { call }: ToolCall, isChanged: boolean): Promise<Answer> {
  try {
    const answer = await call('move-note', { noteId, ...(place === '' ? { folderId: null } : { folderPath: place }) })
    return {
      head: [
        `${answer.moved ? 'moved' : 'already there'}: n:${noteId} in /${nameOf(answer.folderPath ?? '', 200)} (version ${answer.version})`,
      ],
      data: { move: answer },
    }
  } catch (error) {
    // The change stands: an error alone would read as if nothing had been done.
    if (!isChanged) throw error
    return { head: [`but it was not moved. ${explainError(error, saveNote)}`] }
  }
}

interface Linked {
  links: readonly unknown[]
  unresolvedLinks: readonly string[]
}

const linksText = ({ links, unresolvedLinks }: Linked) =>
  `${links.length === 0 ? '' : `; links to ${links.length}`}${unresolvedLinks.length === 0 ? '' : `; no note yet of ${counted(unresolvedLinks.length, 'title')}`}`

const missingTitles = ({ unresolvedLinks }: Linked) =>
  unresolvedLinks.slice(0, 5).map((title) => defused(`- no note yet: [[${oneLine(title, 80)}]]`))
