import type { CreateNoteInput, UpdateNoteInput } from '@holdfast/client'
import { explainError } from '../explain-error.ts'
import { counted, displayName, oneLine } from '../render/one-line.ts'
import { defused } from '../render/recall-fence.ts'
import { proposalHead } from '../render/proposal.ts'
import { objectSchema } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { common, tool, type ToolCall } from '../tool.ts'
import type { Answer } from '../render/compose.ts'
import { parseId } from './ids.ts'

export const saveNote = tool({
  name: 'save_note',
  title: 'Save a note',
  description:
    'Create a note (long text for people, Markdown, [[Title]] links), or update or move one with id. Prefer edits to sending the whole text again.',
  inputSchema: objectSchema({
    id: { type: 'string', description: 'The note to update. Without it, a new one is created.' },
    title: { type: 'string' },
    content: { type: 'string' },
    mode: { type: 'string', enum: ['replace', 'append', 'prepend'], description: 'How to apply content.' },
    edits: {
      type: 'array',
      description: 'Instead of content: passages that occur exactly once, and their replacements.',
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
    const folderPath = folder === undefined ? undefined : folder.replaceAll(/^\/+|\/+$/g, '')
    if (id === undefined) return createNote(fields, folderPath, call)
    const { id: noteId } = parseId(id)
    const hasChange = Object.keys(fields).length > 0
    if (!hasChange && folderPath === undefined)
      throw new ToolProblem('VALIDATION', 'nothing to change: pass title, content, edits, tags or folder.')
    const changed = hasChange ? await updateNote({ noteId, ...onOwnLine(fields) }, call) : undefined
    const moved = folderPath === undefined ? undefined : await moveNote(noteId, folderPath, call, changed !== undefined)
    return {
      head: [...(changed?.head ?? []), ...(moved?.head ?? [])],
      recalled: changed?.recalled ?? [],
      data: { ...changed?.data, ...moved?.data },
    }
  },
})

/** Puts appended and prepended text on its own line. */
function onOwnLine<Fields extends { content?: string; mode?: UpdateNoteInput['mode'] }>(fields: Fields): Fields {
  const { content, mode } = fields
  if (content === undefined || content === '') return fields
  if (mode === 'append' && !content.startsWith('\n')) return { ...fields, content: `\n${content}` }
  return mode === 'prepend' && !content.endsWith('\n') ? { ...fields, content: `${content}\n` } : fields
}

async function createNote(
  { title, mode: _mode, edits, ...fields }: Partial<CreateNoteInput> & Pick<UpdateNoteInput, 'mode' | 'edits'>,
  folderPath: string | undefined,
  { call }: ToolCall,
): Promise<Answer> {
  if (title === undefined)
    throw new ToolProblem('VALIDATION', 'title: required to create a note. Pass id to update one.')
  if (edits !== undefined) throw new ToolProblem('VALIDATION', 'edits: only with the id of a note to update.')
  const folder = folderPath === undefined || folderPath === '' ? {} : { folderPath }
  const answer = await call('create-note', { ...fields, title, ...folder })
  return {
    head: [`created: n:${answer.noteId}${linksText(answer)}`],
    recalled: missingTitles(answer),
    data: { note: answer },
  }
}

async function updateNote(change: UpdateNoteInput, { call }: ToolCall): Promise<Answer> {
  const answer = await call('update-note', change)
  const { proposal } = answer
  if (proposal !== undefined) return { head: [proposalHead(`n:${change.noteId}`, proposal)], data: { note: answer } }
  const verb = answer.updated ? 'updated' : 'unchanged, already has these values'
  return {
    head: [`${verb}: n:${change.noteId} (version ${answer.version})${linksText(answer)}`],
    recalled: missingTitles(answer),
    data: { note: answer },
  }
}

async function moveNote(noteId: string, folderPath: string, { call }: ToolCall, isChanged: boolean): Promise<Answer> {
  try {
    const answer = await call('move-note', {
      noteId,
      ...(folderPath === '' ? { folderId: null } : { folderPath }),
    })
    return {
      head: [
        `${answer.moved ? 'moved' : 'already there'}: n:${noteId} in /${displayName(answer.folderPath ?? '', 200)} (version ${answer.version})`,
      ],
      data: { move: answer },
    }
  } catch (error) {
    // The update has succeeded: an error alone would look as if nothing was done.
    if (!isChanged) throw error
    return { head: [`but the note was not moved. ${explainError(error, saveNote)}`] }
  }
}

interface Linked {
  links: readonly unknown[]
  unresolvedLinks: readonly string[]
}

const linksText = ({ links, unresolvedLinks }: Linked) =>
  `${links.length === 0 ? '' : `; links to ${links.length}`}${unresolvedLinks.length === 0 ? '' : `; no note yet for ${counted(unresolvedLinks.length, 'title')}`}`

const missingTitles = ({ unresolvedLinks }: Linked) =>
  unresolvedLinks.slice(0, 5).map((title) => defused(`- no note yet: [[${oneLine(title, 80)}]]`))
