import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Item, LabelledSet } from '../../packages/server/test/search-quality/labelled-set.ts'
import { runBm25 } from '../../packages/server/test/search-quality/plain-bm25.ts'
import { scoreRun, type Answer } from '../../packages/server/test/search-quality/score.ts'
import type { Peer } from './peer.ts'
import { writeAll } from './work.ts'

export interface QualityFigures {
  recall10: number
  ndcg10: number
  refused: number
}

const results = 10

/**
 * The set as every server gets it. Not all have fields for titles, speakers and dates, so they are part of the text.
 */
export function asPlainTexts({ name, items, questions }: LabelledSet): LabelledSet {
  return {
    name,
    items: items.map(({ id, group, parent, ...item }) => ({
      id,
      group,
      text: describeItem(item),
      ...(parent !== undefined && { parent }),
    })),
    questions: questions.map((question) => ({ ...question, searches: 'memories' })),
  }
}

function describeItem({ title, speaker, timestamp, text }: Omit<Item, 'id' | 'group'>): string {
  const date =
    timestamp &&
    new Date(timestamp).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  const head = [title, speaker, date].filter((part) => part !== undefined && part !== '').join(', ')
  return head === '' ? text : `${head}: ${text}`
}

/** A new store for each group. */
export async function measureQuality(
  peer: Peer,
  installed: string,
  folder: string,
  set: LabelledSet,
): Promise<QualityFigures> {
  const answers: Answer[] = []
  let refused = 0
  for (const [number, group] of [...new Set(set.items.map((item) => item.group))].entries()) {
    const store = join(folder, String(number))
    mkdirSync(store, { recursive: true })
    const part = await askGroup(peer, installed, store, {
      name: group,
      items: set.items.filter((item) => item.group === group && item.text.trim() !== ''),
      questions: set.questions.filter((question) => question.group === group),
    })
    answers.push(...part.answers)
    refused += part.refused
  }
  return { ...score(set, answers), refused }
}

export const measureBm25 = (set: LabelledSet): QualityFigures => ({ ...score(set, runBm25(set, results)), refused: 0 })

function score(set: LabelledSet, answers: readonly Answer[]) {
  const { metrics } = scoreRun(set, answers).overall
  return { recall10: metrics['recall@10'], ndcg10: metrics['ndcg@10'] }
}

async function askGroup(peer: Peer, installed: string, store: string, { items, questions }: LabelledSet) {
  const server = await peer.open(installed, store)
  try {
    const connection = await server.connect()
    const { written, refusals } = await writeAll(
      connection,
      items.map(({ text }) => text),
    )
    const ids = Map.groupBy(items, ({ text }) => text)
    const itemIds = new Map(written.map(({ id, text }) => [id, (ids.get(text) ?? []).map((item) => item.id)]))
    const answers: Answer[] = []
    for (const { id, query } of questions) {
      const found = await connection.search(query, results)
      answers.push({ query_id: id, ids: found.flatMap((one) => itemIds.get(one) ?? []) })
    }
    return { answers, refused: refusals.length }
  } finally {
    await server.stop()
  }
}
