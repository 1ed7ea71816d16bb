import { isBlank } from '@holdfast/transfer/text/hidden-characters'
import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { memoryTypes } from '../memories/memory.ts'
import type { ChatModel, PersonVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { ModelError } from '../turns/chat-endpoint.ts'
import { buildPrompt, citedIn, notFound } from './build-prompt.ts'
import { degradedLegs } from '../search/search-vault.ts'
import { chooseSources, type Source, type Sources } from './choose-sources.ts'

const outcomes = ['answered', 'unknown', 'no_records', 'no_model', 'model_failed'] as const

const source = z.looseObject({
  number: z.int().describe('The answer cites the record by this number, as in [1].'),
  id: z.uuid(),
  type: z.enum(['memory', 'note']),
  memoryType: z.enum(memoryTypes).nullable().describe('Null for notes.'),
  title: z.string(),
  date: fields.timestamp.describe("When a memory's subject took place; when a note was last changed."),
  isCited: z.boolean(),
})

const output = z.looseObject({
  outcome: z
    .enum(outcomes)
    .describe(
      '`unknown`: the records do not say it. `no_records`: the search found nothing close, so the model was not asked. `no_model`: the operator has not configured one.',
    ),
  answer: z.string().nullable().describe('Plain text that a language model wrote. Null unless `answered`.'),
  sources: z.array(source).describe('The records that the model was given, best first.'),
  problem: z.string().nullable().describe('Why the model failed, such as `timeout` or `http_500`.'),
  degraded: degradedLegs,
})

type Answer = z.input<typeof output>

const exampleId = '0198c5f0-0000-7000-8000-000000000101'

export const askVault = operation({
  name: 'ask-vault',
  for: { person: 'POST /api/ask' },
  vault: 'required',
  summary:
    "Answer a question from a vault's memories and notes, with the language model that the operator has configured. The model receives the question and up to 10 records. Nothing is stored, and it does not count as a recall.",
  effect: 'read',
  isStreamed: true,
  input: z.object({
    ...fields.ownVault,
    question: z
      .string()
      .min(1)
      .max(2_000)
      .refine((text) => !isBlank(text), 'must not be blank')
      .describe('The question, 1 to 2,000 characters.'),
  }),
  output,
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', question: 'Does the user want tabs or spaces?' },
    output: {
      outcome: 'answered',
      answer: 'Tabs, in Go code [1].',
      sources: [
        {
          number: 1,
          id: exampleId,
          type: 'memory',
          memoryType: 'preference',
          title: 'The user prefers tabs over spaces in Go code.',
          date: '2026-11-21T09:00:00.000Z',
          isCited: true,
        },
      ],
      problem: null,
      degraded: [],
    },
  },
  async run({ question }, ctx) {
    const { chat, actor } = ctx
    if (chat === undefined) return withoutAnswer('no_model')
    return chat.alone(actor.userId, async () => {
      const found = await chooseSources(ctx, question)
      return found.sources.length === 0
        ? withoutAnswer('no_records', found)
        : answerFrom({ ...ctx, chat }, question, found)
    })
  },
})

const withoutAnswer = (
  outcome: Answer['outcome'],
  { sources, degraded }: Sources = { sources: [], degraded: [] },
): Answer => ({
  outcome,
  degraded,
  answer: null,
  problem: null,
  sources: sources.map((one) => describe(one, new Set())),
})

async function answerFrom(
  { chat, parts, now, log }: Pick<PersonVaultContext, 'parts' | 'now' | 'log'> & { chat: ChatModel },
  question: string,
  found: Sources,
): Promise<Answer> {
  const { sources } = found
  const nothing = withoutAnswer('unknown', found)
  parts.send({ sources: nothing.sources })
  try {
    const { signal } = parts
    const onText = holdBack((text) => parts.send({ text }))
    const answer = (await chat.answer(buildPrompt(question, sources, now()), { signal, onText })).trim()
    if (answer.startsWith(notFound)) return nothing
    const cited = citedIn(answer, sources.length)
    return { ...nothing, outcome: 'answered', answer, sources: sources.map((one) => describe(one, cited)) }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    // Without what was asked or answered.
    if (error.code !== 'aborted') log.warn('the language model did not answer a question', { code: error.code })
    return { ...nothing, outcome: 'model_failed', problem: error.code }
  }
}

/** Sends nothing while the text may still become the sign that nothing was found. */
function holdBack(send: (text: string) => void): (text: string) => void {
  let held = ''
  let isOpen = false
  return (text) => {
    if (isOpen) return send(text)
    held += text
    const begun = held.trimStart()
    if (notFound.startsWith(begun) || begun.startsWith(notFound)) return
    isOpen = true
    send(held)
  }
}

const describe = ({ number, id, type, memoryType, title, at }: Source, cited: ReadonlySet<number>) => ({
  number,
  id,
  type,
  title,
  memoryType,
  date: isoTime(at),
  isCited: cited.has(number),
})
