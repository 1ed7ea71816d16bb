import { randomFrom, zipfRanks, type Random } from './random.ts'
import { capitalize, createVocabulary, type Vocabulary } from './vocabulary.ts'

/**
 * A synthetic corpus of memories, and questions about it. Runs of 20 memories share a topic, an agent and 15 minutes.
 * Words follow a Zipf distribution. Each memory depends only on the seed and its number, so the corpus of 10,000 is the
 * start of the corpus of 100,000, and nothing needs to be stored.
 */
export interface Corpus {
  /** The body of a write-memory call. */
  memoryAt(number: number): BenchMemory
  /** The n-th question: 3 to 8 words, most of them from one of `size` memories. These begin with `from`, by default with the first. */
  questionAt(number: number, size: number, from?: number): string
}

interface BenchMemory {
  content: string
  memoryType: string
  importance: number
  entities: string[]
  agentId: string
  agentRunId: string
  occurredAt: string
}

const runLength = 20
const topicCount = 500
const topicWords = 120
const yearStartMs = Date.UTC(2025, 0, 1)
const dayMs = 86_400_000
const memoryTypes = ['episodic', 'episodic', 'fact', 'fact', 'fact', 'preference', 'skill', 'constraint'] as const
const months = 'January February March April May June July August September October November December'.split(' ')

// Families of random sequences: a memory, a run, a topic and a question of the same number are unrelated.
const families = { memory: 1, run: 2, topic: 3, question: 4 } as const

// With this shift, about one memory in ten contains the most frequent content word, as in transcripts of conversations.
const contentShift = 25
const functionShift = 3
const topicShift = 20

export function createCorpus(seed: number): Corpus {
  const words = createVocabulary(seed)
  const source = { seed, words, topics: inventTopics(seed, words), draw: createDraw(words) }
  const memoryAt = (number: number) => composeMemory(source, number)
  const questionAt = (number: number, size: number, from = 0) =>
    composeQuestion(source, number, (random) => memoryAt(from + random.below(size)))
  return { memoryAt, questionAt }
}

type Draw = (random: Random, topic: readonly string[]) => string

interface Source {
  seed: number
  words: Vocabulary
  topics: readonly (readonly string[])[]
  draw: Draw
}

function createDraw({ functionWords, contentWords }: Vocabulary): Draw {
  const functionRank = zipfRanks(functionWords.length, functionShift)
  const contentRank = zipfRanks(contentWords.length, contentShift)
  const topicRank = zipfRanks(topicWords, topicShift)
  return (random, topic) => {
    const kind = random.next()
    if (kind < 0.45) return functionWords[functionRank(random.next())] as string
    if (kind < 0.75) return contentWords[contentRank(random.next())] as string
    return topic[topicRank(random.next())] as string
  }
}

const inventTopics = (seed: number, { contentWords }: Vocabulary): string[][] =>
  Array.from({ length: topicCount }, (_, topic) => {
    const random = randomFrom(seed, families.topic, topic)
    return Array.from({ length: topicWords }, () => random.pick(contentWords))
  })

function composeMemory({ seed, words, topics, draw }: Source, number: number): BenchMemory {
  const run = Math.floor(number / runLength)
  const runRandom = randomFrom(seed, families.run, run)
  const agent = runRandom.below(12)
  const topic = runRandom.pick(topics)
  const runStartMs = yearStartMs + runRandom.next() * 365 * dayMs
  const random = randomFrom(seed, families.memory, number)
  const entities = Array.from({ length: random.below(3) }, () => random.pick(words.names))
  return {
    content: composeText(random, 25 + random.below(36), (place) => entities[place / 7] ?? draw(random, topic)),
    memoryType: random.pick(memoryTypes),
    importance: 1 + random.below(5),
    entities: [...new Set(entities)],
    agentId: `agent-${agent}`,
    agentRunId: `run-${run}`,
    occurredAt: new Date(runStartMs + (number % runLength) * 45_000).toISOString(),
  }
}

/** Composes sentences of 6 to 14 words, some with a number. */
function composeText(random: Random, length: number, wordAt: (place: number) => string): string {
  const sentences: string[] = []
  for (let place = 0; place < length;) {
    const end = Math.min(length, place + 6 + random.below(9))
    const sentence: string[] = []
    for (; place < end; place++) sentence.push(random.next() < 0.02 ? String(random.below(2_000)) : wordAt(place))
    sentences.push(`${capitalize(sentence.join(' '))}.`)
  }
  return sentences.join(' ')
}

const openings = ['', '', 'what', 'when did', 'who', 'how', 'where was', 'what did']

function composeQuestion(
  { seed, words: { functionWords, names } }: Source,
  number: number,
  pickMemory: (random: Random) => BenchMemory,
): string {
  const random = randomFrom(seed, families.question, number)
  const { content } = pickMemory(random)
  // The only word of one letter is "I", which is a function word too.
  const contentWords = content.match(/[a-z]{2,}/gi)?.filter((word) => !functionWords.includes(word.toLowerCase())) ?? []
  const words = random
    .pick(openings)
    .split(' ')
    .filter((word) => word !== '')
  // The length leaves room for at least two content words after the opening.
  const length = Math.max(words.length + 2, 3 + random.below(6))
  if (words.length + 3 <= length && random.next() < 0.2) words.push(random.pick(names))
  if (words.length + 4 <= length && random.next() < 0.2) words.push('in', random.pick(months))
  while (words.length + 2 < length)
    words.push(random.next() < 0.2 ? random.pick(functionWords) : random.pick(contentWords))
  return [...words, random.pick(contentWords), random.pick(contentWords)].join(' ')
}
