import { proposalHead } from '../render/proposal.ts'
import { objectSchema } from '../schema.ts'
import { common, tool } from '../tool.ts'
import { parseId } from './ids.ts'
import { memoryFields, memoryTypes, toServerFields } from './memory-fields.ts'

export const writeMemory = tool({
  name: 'write_memory',
  title: 'Remember',
  description:
    'Store one memory. Duplicates are not stored twice. Use it without being asked for preferences, rules, decisions with their reason, fixes and corrections. No secrets.',
  inputSchema: objectSchema(
    {
      ...memoryFields,
      expiresAt: { type: 'string', format: 'date-time', description: 'When it expires.' },
      ...common,
    },
    ['content'],
  ),
  effect: 'write',
  scopes: ['write'],
  async run({ vault: _vault, run: _run, ...fields }, { call }) {
    const answer = await call('write-memory', { ...toServerFields(fields), dedup: true })
    const { memoryId, created, memoryType, dedupAction, supersededMemoryId, proposal } = answer
    if (proposal !== undefined) return { head: [proposalHead(`m:${memoryId}`, proposal)], data: { ...answer } }
    const replaced = supersededMemoryId === undefined ? '' : `, replaces m:${supersededMemoryId}`
    return {
      head: [
        created
          ? `stored: m:${memoryId} (${memoryType})${replaced}`
          : `already stored (${dedupAction ?? 'same write'}): m:${memoryId}. Nothing changed; use update_memory to change it.`,
      ],
      data: { ...answer },
    }
  },
})

export const updateMemory = tool({
  name: 'update_memory',
  title: 'Update a memory',
  description:
    'Update fields of a memory, or restore an archived one. If a fact has changed, use write_memory with supersedes.',
  inputSchema: objectSchema(
    {
      id: { type: 'string' },
      content: { type: 'string' },
      summary: { type: 'string' },
      memoryType: { type: 'string', enum: memoryTypes },
      importance: memoryFields.importance,
      confidence: { type: 'integer', minimum: 1, maximum: 5 },
      entities: memoryFields.entities,
      expiresAt: { type: 'string', description: 'A time. Empty: never.' },
      restore: { type: 'boolean', description: 'Restore it from the archive.' },
      ...common,
    },
    ['id'],
  ),
  effect: 'write',
  isIdempotent: true,
  scopes: ['write'],
  async run({ id, restore, vault: _vault, run: _run, ...fields }, { call }) {
    const { id: memoryId } = parseId(id)
    const answer = await call('update-memory', {
      memoryId,
      ...fields,
      ...(fields.expiresAt === '' && { expiresAt: null }),
      ...(restore === true && { archived: false }),
    })
    const { proposal } = answer
    if (proposal !== undefined) return { head: [proposalHead(`m:${memoryId}`, proposal)], data: { ...answer } }
    return {
      head: [
        answer.updated
          ? `updated: m:${memoryId} (${answer.memoryType}, version ${answer.version})`
          : `unchanged: m:${memoryId} already has these values`,
      ],
      data: { ...answer },
    }
  },
})

export const archiveMemory = tool({
  name: 'archive_memory',
  title: 'Archive a memory',
  description: 'Hide a wrong or useless memory from search. update_memory with restore undoes this.',
  inputSchema: objectSchema({ id: { type: 'string' }, reason: { type: 'string' }, ...common }, ['id']),
  effect: 'destructive',
  isIdempotent: true,
  scopes: ['write'],
  async run({ id, reason }, { call }) {
    const { id: memoryId, letter = 'm' } = parseId(id)
    const answer = await call('archive-memory', { memoryId, reason })
    const { proposal } = answer
    if (proposal !== undefined) return { head: [proposalHead(`${letter}:${memoryId}`, proposal)], data: { ...answer } }
    return {
      head: [`${answer.alreadyArchived ? 'already archived' : 'archived'}: ${letter}:${memoryId}`],
      data: { ...answer },
    }
  },
})
