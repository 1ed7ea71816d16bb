import { contextText, type SessionStartInput, type SessionStartOutput } from '@holdfast/client'
import { closestTo } from '../closest.ts'
import { operationTools } from '../generated/operation-tools.ts'
import { counted, nameOf } from '../render/one-line.ts'
import { defaultMaxChars, largestMaxChars } from '../render/compose.ts'
import { schemaOf, type ArgumentsOf } from '../schema.ts'
import { common, tool, type ToolCall } from '../tool.ts'
import { memoryFields, wireMemory } from './memory-fields.ts'

const ownChars = 1_200

const spec = {
  name: 'session_start',
  title: 'Begin a session',
  description:
    'Load what matters from memory: constraints, open tasks, facts, earlier sessions, messages. Call it first in a session, unless a hook has already injected this.',
  inputSchema: schemaOf({
    query: { type: 'string', description: 'What the session is about; facts that fit come first.' },
    mode: {
      type: 'string',
      enum: ['default', 'planning', 'incident', 'handoff', 'deep', 'minimal', 'none'],
      description: 'Kind of session.',
    },
    maxChars: { type: 'integer', minimum: 3_200, maximum: largestMaxChars, description: 'Longest answer; 16000.' },
    ...common,
  }),
  effect: 'read',
  scopes: ['read'],
} as const

export const sessionStart = tool({ ...spec, run: (args, call) => tellSession(args, call, { peek: false }) })

/** The same for those who only look, in the run that there is: resources and prompts. In no list. */
export const sessionContext = tool({
  ...spec,
  name: 'session_context',
  inputSchema: schemaOf({
    ...spec.inputSchema.properties,
    maxEpisodic: { type: 'integer' },
    maxFacts: { type: 'integer' },
    maxTasks: { type: 'integer' },
    maxConstraints: { type: 'integer' },
  }),
  run: ({ maxEpisodic, maxFacts, maxTasks, maxConstraints, ...args }, call) =>
    tellSession(args, call, { peek: true, maxEpisodic, maxFacts, maxTasks, maxConstraints }),
})

async function tellSession(
  args: ArgumentsOf<typeof spec.inputSchema>,
  { call, run, isStructured }: ToolCall,
  more: Pick<SessionStartInput, 'peek' | 'maxEpisodic' | 'maxFacts' | 'maxTasks' | 'maxConstraints'>,
) {
  const { query, mode, maxChars = defaultMaxChars } = args
  const room = maxChars - ownChars
  // As JSON the same takes up to three times as much as in words; where both are answered, both must fit.
  const maxResponseChars = isStructured ? room : Math.min(3 * room, largestMaxChars)
  const answer = await call('session-start', { query, mode, maxResponseChars, agentRunId: run, ...more })
  const { agentRunId } = answer
  return {
    head: [
      `mode: ${answer.sessionContext.mode}${agentRunId === null ? '' : ` · run: ${nameOf(agentRunId, 200)}`}`,
      ...changesOf(answer),
    ],
    block: contextText(answer, { maxChars: room, hasTools: true }),
    maxChars,
    data: { ...answer },
  }
}

function changesOf({ changesSinceLastSession: changes }: SessionStartOutput): string[] {
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
    'Save a summary of the session and what was learned, in one call. Use it at the end of a session, before compaction, and before handing over.',
  inputSchema: schemaOf(
    {
      sessionSummary: { type: 'string', description: 'What was done, what was decided, what comes next.' },
      memories: {
        type: 'array',
        maxItems: 50,
        description: 'What is worth keeping by itself, as in write_memory.',
        items: { type: 'object', properties: memoryFields, required: ['content'] },
      },
      ...common,
    },
    ['sessionSummary'],
  ),
  effect: 'write',
  isIdempotent: true,
  scopes: ['write'],
  // One bad memory fails alone.
  leavesValues: true,
  async run({ sessionSummary, memories = [] }, { call, run }) {
    const answer = await call('context-checkpoint', {
      sessionSummary,
      memories: memories.map(lenientMemory),
      agentRunId: run,
    })
    const { results, created, skipped, failed, summaryMemoryId, idempotent, pendingMessages = [] } = answer
    const known = results.filter(({ status }) => status === 'skipped')
    const failures = results.filter(({ status }) => status === 'failed')
    return {
      head: [
        `${idempotent ? 'saved before' : 'saved'}: summary m:${summaryMemoryId}; memories: ${created} created, ${skipped} known already, ${failed} failed`,
        ...results.flatMap(({ status, memoryId }) => (status === 'created' ? [`- created m:${memoryId ?? '?'}`] : [])),
        ...known.map(({ index, memoryId }) => `- memories.${index} was there: m:${memoryId ?? '?'}`),
        ...failures.map(({ index, error }) => `- memories.${index} FAILED: ${nameOf(inToolWords(error ?? ''), 300)}`),
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

/** The service knows the field by another name. */
const inToolWords = (problem: string) => problem.replace(/^(Validation failed: )supersededById(?=:)/, '$1supersedes')

type Item = Parameters<typeof wireMemory>[0]

/** As the service takes it; what is no memory, or no id, is left for the service to refuse by itself. */
function lenientMemory<Given extends Item>(memory: Given): ReturnType<typeof wireMemory<Given>> {
  try {
    return isRecord(memory) ? wireMemory(memory) : memory
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

/** What was not understood of a memory, which was stored without it. */
function unknownFields(memory: object, index: number): string[] {
  const names = isRecord(memory) ? Object.keys(memory).filter((name) => !knownFields.includes(name)) : []
  return names.slice(0, 3).map((name) => {
    const closest = closestTo(name, knownFields)
    return `- memories.${index}: ${nameOf(name)} is no field and was left out${closest === undefined ? '' : `; did you mean ${closest}?`}`
  })
}
