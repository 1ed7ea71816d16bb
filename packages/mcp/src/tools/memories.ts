import { schemaOf } from '../schema.ts'
import { common, tool } from '../tool.ts'
import { parseId } from './ids.ts'
import { memoryFields, memoryTypes, wireMemory } from './memory-fields.ts'

export const writeMemory = tool({
  name: 'write_memory',
  title: 'Remember',
  description:
    'Store one memory; one that says the same is not stored twice. Use it unasked for preferences, rules, decisions with their reason, fixes and corrections. No secrets.',
  inputSchema: schemaOf(
    {
      ...memoryFields,
      expiresAt: { type: 'string', format: 'date-time', description: 'From when on it no longer counts.' },
      ...common,
    },
    ['content'],
  ),
  effect: 'write',
  scopes: ['write'],
  async run({ vault: _vault, run: _run, ...fields }, { call }) {
    const answer = await call('write-memory', { ...wireMemory(fields), dedup: true })
    const { memoryId, created, memoryType, dedupAction, supersededMemoryId } = answer
    const replaced = supersededMemoryId === undefined ? '' : `, in place of m:${supersededMemoryId}`
    return {
      head: [
        created
          ? `stored: m:${memoryId} (${memoryType})${replaced}`
          : `known already (${dedupAction ?? 'same write'}): m:${memoryId}. Nothing was stored; update_memory changes it.`,
      ],
      data: { ...answer },
    }
  },
})

export const updateMemory = tool({
  name: 'update_memory',
  title: 'Change a memory',
  description:
    'Change fields of a memory in place, or restore an archived one. For a fact that is now another, use write_memory with supersedes.',
  inputSchema: schemaOf(
    {
      id: { type: 'string' },
      content: { type: 'string' },
      summary: { type: 'string' },
      memoryType: { type: 'string', enum: memoryTypes },
      importance: memoryFields.importance,
      confidence: { type: 'integer', minimum: 1, maximum: 5 },
      entities: memoryFields.entities,
      expiresAt: { type: 'string', description: 'A time; empty: it never expires.' },
      restore: { type: 'boolean', description: 'Bring it back from the archive.' },
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
    return {
      head: [
        answer.updated
          ? `changed: m:${memoryId} (${answer.memoryType}, version ${answer.version})`
          : `unchanged: m:${memoryId} is like this already`,
      ],
      data: { ...answer },
    }
  },
})

export const archiveMemory = tool({
  name: 'archive_memory',
  title: 'Archive a memory',
  description: 'Take a memory that is wrong or of no use out of search. update_memory with restore brings it back.',
  inputSchema: schemaOf({ id: { type: 'string' }, reason: { type: 'string' }, ...common }, ['id']),
  effect: 'destructive',
  isIdempotent: true,
  scopes: ['write'],
  async run({ id, reason }, { call }) {
    const { id: memoryId, letter = 'm' } = parseId(id)
    const answer = await call('archive-memory', { memoryId, reason })
    return {
      head: [`${answer.alreadyArchived ? 'archived before' : 'archived'}: ${letter}:${memoryId}`],
      data: { ...answer },
    }
  },
})
