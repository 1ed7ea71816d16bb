import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operations } from '../src/api/registry.ts'

/** Names of operations: a verb from the list in CONTRIBUTING.md, then a noun. An action has one operation, whoever performs it. */

const rules = readFileSync(join(import.meta.dirname, '../../../CONTRIBUTING.md'), 'utf8')
const [, listed = ''] = /The verbs are: ([^.]*)\./.exec(rules) ?? []
/** As in names: `set up` is `set-up`. */
const verbs = listed
  .replaceAll(/\s*\([^)]*\)/g, '')
  .split(/,\s+|\s+and\s+/)
  .map((verb) => verb.trim().replaceAll(/\s+/g, '-'))

/** Fixed by the agents' API. */
const fixed = new Set([
  'session-start',
  'context-checkpoint',
  'write-memory',
  'cleanup-memories',
  'semantic-search',
  'add-link',
  'remove-link',
  'pending-messages',
  'ack-message',
  'ingest-turn',
  'session-track',
  'info',
])

/** Names that are only a verb, and what they are about. */
const withoutNoun = new Map([
  ['connect', 'an agent: says how each program is connected'],
  ['info', "fixed by the agents' API"],
  ['search-and-read', "fixed by the agents' API"],
  ['log-in', 'the caller'],
  ['log-in-with-passkey', 'the caller'],
  ['log-out', 'the caller'],
  ['set-up', 'the instance'],
])

/** Verbs that return what exists. */
const readingVerbs = new Set(['read', 'get', 'list', 'search', 'find', 'explore'])

/** Operations that read the same noun with different verbs, and how they differ. */
const readTwice = new Map([
  [
    'document',
    [
      'list-documents read-document',
      'agents read the text of one document; people get all documents, with the parts that each is combined from',
    ],
  ],
  [
    'graph',
    [
      'explore-graph read-graph',
      'agents follow links from a node or from what a query finds; people get a picture of a node or a whole vault',
    ],
  ],
  ['memory', ['list-memories read-memories search-memories', 'by filter, by id, and by relevance to a query']],
  ['note', ['list-notes read-note read-notes search-notes', 'by folder, by id, and by the words of a query']],
  ['session', ['list-sessions read-session', 'all sessions of the person, and the session of this call']],
])

/** Words for the same action. Operations on a noun may use only one word of each line. */
const synonyms = [
  ['create', 'add', 'write', 'make', 'new', 'insert', 'save', 'post'],
  ['update', 'edit', 'change', 'rename', 'revise'],
  ['delete', 'discard', 'trash', 'remove'],
  ['erase', 'purge', 'destroy'],
  ['restore', 'recover'],
  ['move', 'relocate', 'place'],
  ['list', 'browse'],
  ['acknowledge', 'ack'],
  ['get', 'show'],
  ['send', 'submit'],
]

/** One action in two operations on purpose. */
const twice = new Set([
  // Agents read one note or several: the interface has both.
  'read-notes',
  // Agents archive one memory, and learn when it was archived. People archive a selection, either all or none, and get an outcome for each
  // id. The input and output for agents are fixed, so one operation for both would have two of each.
  'archive-memories',
  // For the same reason. People change ratings and restore, and texts one at a time.
  'update-memories',
])

const names = operations.map(({ name }) => name)
const verbIn = (name: string) => verbs.find((verb) => `${name}-`.startsWith(`${verb}-`))

const nounIn = (name: string) =>
  name.slice((verbIn(name) ?? name.split('-')[0] ?? '').length + 1).replace(/^(and|as|by|for|from|in|to|with)-.*/, '')

const singular = (noun: string) => noun.replace(/ies$/, 'y').replace(/s$/, '')

/** `archive-memory` and `archive-memories` are one action, and so are `create-note` and `add-note`. */
function actionOf(name: string): string {
  const [verb = name, ...noun] = name.split('-')
  const known = synonyms.find((words) => words.includes(verb))?.[0] ?? verb
  return singular([known, ...noun].join(' '))
}

describe('the name of an operation', () => {
  it('begins with a verb from the list', () => {
    const others = names.filter((name) => verbIn(name) === undefined)
    expect(others.filter((name) => !fixed.has(name))).toEqual([])
    expect([...fixed].filter((name) => !others.includes(name))).toEqual([])
  })

  it('uses each verb of the list', () => {
    const used = new Set(names.map(verbIn))
    expect(verbs.length).toBeGreaterThan(30)
    expect(verbs.filter((verb) => !used.has(verb))).toEqual([])
  })

  it('has a noun, with few exceptions', () => {
    expect(names.filter((name) => nounIn(name) === '').toSorted()).toEqual([...withoutNoun.keys()].toSorted())
  })

  it('reads a noun with one verb, unless the operations differ', () => {
    const reading = names.filter((name) => readingVerbs.has(verbIn(name) ?? '') && nounIn(name) !== '')
    const nouns = [...Map.groupBy(reading, (name) => singular(nounIn(name)))]
    const several = nouns.filter(([, same]) => new Set(same.map(verbIn)).size > 1)
    expect(Object.fromEntries(several.map(([noun, same]) => [noun, same.toSorted().join(' ')]))).toEqual(
      Object.fromEntries([...readTwice].map(([noun, [same]]) => [noun, same])),
    )
  })

  it('belongs to one action only', () => {
    const known = names.filter((name) => !twice.has(name))
    const pairs = [...Map.groupBy(known, actionOf).values()].filter((same) => same.length > 1)
    expect(pairs).toEqual([])
  })

  it.each([
    ['add-note', 'create-note'],
    ['archive-memories', 'archive-memory'],
    ['discard-note', 'delete-note'],
    ['browse-notes', 'list-notes'],
  ])('%s means the same as %s', (one, other) => {
    expect(actionOf(one)).toBe(actionOf(other))
  })
})
