import { contextText, type SessionStartInput, type SessionStartOutput } from '@holdfast/client'
import { closestTo } from '../closest.ts'
import { operationTools } from '../generated/operation-tools.ts'
import { proposalHead } from '../render/proposal.ts'
import { counted, displayName } from '../render/one-line.ts'
import { defaultMaxChars, largestMaxChars } from '../render/compose.ts'
import { objectSchema, type ArgumentsOf } from '../schema.ts'
import { common, tool, type ToolCall } from '../tool.ts'
import { memoryFields, toServerFields } from './memory-fields.ts'

const ownChars = 1_200

const spec = {
  name: 'session_start',
  title: 'Start a session',
  description:
    'Load what matters from memory: constraints, open tasks, facts, earlier sessions, messages. Call it first in a session, unless a hook has already injected this.',
  inputSchema: objectSchema({
    query: { type: 'string', description: 'What the session is about. Matching facts come first.' },
    mode: {
      type: 'string',
      enum: ['default', 'planning', 'incident', 'handoff', 'deep', 'minimal', 'none'],
      description: 'Kind of session.',
    },
    maxChars: {
      type: 'integer',
      minimum: 3_200,
      maximum: largestMaxChars,
      description: 'Maximum length. Default 16000.',
    },
    ...common,
  }),
  effect: 'read',
  scopes: ['read'],
} as const

export const sessionStart = tool({ ...spec, run: (args, call) => printSession(args, call, { peek: false }) })

/** The same without starting a session, for resources and prompts. Never listed. */
export const sessionContext = tool({
  ...spec,
  name: 'session_context',
  inputSchema: objectSchema({
    ...spec.inputSchema.properties,
    maxEpisodic: { type: 'integer' },
    maxFacts: { type: 'integer' },
    maxTasks: { type: 'integer' },
    maxConstraints: { type: 'integer' },
  }),
  run: ({ maxEpisodic, maxFacts, maxTasks, maxConstraints, ...args }, call) =>
    printSession(args, call, { peek: true, maxEpisodic, maxFacts, maxTasks, maxConstraints }),
})

async function printSession(
  args: ArgumentsOf<typeof spec.inputSchema>,
  { call, run, isStructured }: ToolCall,
  more: Pick<SessionStartInput, 'peek' | 'maxEpisodic' | 'maxFacts' | 'maxTasks' | 'maxConstraints'>,
) {
  const { query, mode, maxChars = defaultMaxChars } = args
  const room = maxChars - ownChars
  // As JSON, the same content is up to three times as long. If both are returned, both must fit.
  const maxResponseChars = isStructured ? room : Math.min(3 * room, largestMaxChars)
  const answer = await call('session-start', { query, mode, maxResponseChars, agentRunId: run, ...more })
  const { agentRunId } = answer
  return {
    head: [
      `mode: ${answer.sessionContext.mode}${agentRunId === null ? '' : ` · run: ${displayName(agentRunId, 200)}`}`,
      ...printChanges(answer),
    ],
    block: contextText(answer, { maxChars: room, hasTools: true }),
    maxChars,
    data: { ...answer },
  }
}

function printChanges({ changesSinceLastSession: changes }: SessionStartOutput): string[] {
  if (changes === null) return []
  const { since, created, updated, archived, tasksChanged, notesChanged, messages } = changes
  const parts = [
    `${created} new`,
    `${updated} changed`,
    `${archived} archived`,
    `${counted(tasksChanged, 'task')} and ${counted(notesChanged, 'note')} changed`,
    counted(messages, 'message'),
  ]
  return [`since your last session (${since.slice(0, 16)}Z): ${parts.join(', ')}`]
}

export const contextCheckpoint = tool({
  name: 'context_checkpoint',
  title: 'Save the session',
  description:
    'Save a summary of the session and what you learned, in one call. Use it at the end of a session, before compaction, and before handing over.',
  inputSchema: objectSchema(
    {
      sessionSummary: { type: 'string', description: 'What was done, what was decided, what is next.' },
      memories: {
        type: 'array',
        maxItems: 50,
        description: 'What is worth keeping, as in write_memory.',
        items: { type: 'object', properties: memoryFields, required: ['content'] },
      },
      ...common,
    },
    ['sessionSummary'],
  ),
  effect: 'write',
  isIdempotent: true,
  scopes: ['write'],
  // An invalid memory fails alone.
  leavesValues: true,
  async run({ sessionSummary, memories = [] }, { call, run }) {
    const answer = await call('context-checkpoint', {
      sessionSummary,
      memories: memories.map(lenientMemory),
      agentRunId: run,
    })
    const { results, created, skipped, failed, summaryMemoryId, idempotent, pendingMessages = [] } = answer
    const known = results.filter(({ status, proposal }) => status === 'skipped' && proposal === undefined)
    const proposed = results.filter(({ proposal }) => proposal !== undefined)
    const failures = results.filter(({ status }) => status === 'failed')
    return {
      head: [
        `${idempotent ? 'already saved' : 'saved'}: summary m:${summaryMemoryId}; memories: ${created} created, ${skipped - proposed.length} already stored, ${failed} failed${proposed.length === 0 ? '' : `, ${proposed.length} proposed`}`,
        ...results.flatMap(({ status, memoryId }) => (status === 'created' ? [`- created m:${memoryId ?? '?'}`] : [])),
        ...known.map(({ index, memoryId }) => `- memories.${index} already stored: m:${memoryId ?? '?'}`),
        ...results.flatMap(({ index, memoryId, proposal }) =>
          proposal === undefined ? [] : [`- memories.${index} ${proposalHead(`m:${memoryId ?? '?'}`, proposal)}`],
        ),
        ...failures.map(
          ({ index, error }) => `- memories.${index} FAILED: ${displayName(useToolNames(error ?? ''), 300)}`,
        ),
        ...memories.flatMap(unknownFields).slice(0, 10),
      ],
      tail:
        pendingMessages.length === 0
          ? []
          : [`${counted(pendingMessages.length, 'message')} to acknowledge: read_messages()`],
      data: { ...answer },
    }
  },
})

/** Replaces a field name of the server with the one of the tool. */
const useToolNames = (problem: string) => problem.replace(/^(Validation failed: )supersededById(?=:)/, '$1supersedes')

type Item = Parameters<typeof toServerFields>[0]

/** Converts a memory for the server. Passes invalid ones unchanged, so the server rejects them one by one. */
function lenientMemory<Given extends Item>(memory: Given): ReturnType<typeof toServerFields<Given>> {
  try {
    return isRecord(memory) ? toServerFields(memory) : memory
  } catch {
    const { supersedes, ...fields } = memory
    return { ...fields, ...(supersedes !== undefined && { supersededById: supersedes }) }
  }
}

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const knownFields = [
  ...Object.keys(memoryFields),
  ...Object.keys(
    operationTools.find(({ operation }) => operation === 'context-checkpoint')?.inputSchema.properties['memories']
      ?.items?.properties ?? {},
  ),
]

/** Lists unknown fields of a memory, which was stored without them. */
function unknownFields(memory: object, index: number): string[] {
  const names = isRecord(memory) ? Object.keys(memory).filter((name) => !knownFields.includes(name)) : []
  return names.slice(0, 3).map((name) => {
    const closest = closestTo(name, knownFields)
    return `- memories.${index}: unknown field ${displayName(name)} was ignored${closest === undefined ? '' : `; did you mean ${closest}?`}`
  })
}
