import { describe, expect, it } from 'vitest'
import { operations } from '../src/api/registry.ts'

/** Names of operations: a verb from the list in CONTRIBUTING.md, then a noun. An action has one operation, whoever performs it. */

const verbs = new Set(
  `create read list count get search find suggest explore update archive restore delete erase move merge link unlink claim send
  acknowledge rate import export revert preview test verify rotate reset revoke confirm begin end connect trust decide renew redeliver
  check log set`.split(/\s+/),
)

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
  // The interface has agents archive one memory, whose `memoryId` is required, and answers with when it was archived. People archive a
  // selection in one transaction, with an answer for each id. One operation for both would need two inputs and two outputs.
  'archive-memories',
  // With the one-time token, or without one by the operator.
  'set-up-as-operator',
])

const names = operations.map(({ name }) => name)
const verbIn = (name: string) => name.split('-')[0] ?? name

/** `archive-memory` and `archive-memories` are one action, and so are `create-note` and `add-note`. */
function actionOf(name: string): string {
  const [verb = name, ...noun] = name.split('-')
  const known = synonyms.find((words) => words.includes(verb))?.[0] ?? verb
  return [known, ...noun].join(' ').replace(/ies$/, 'y').replace(/s$/, '')
}

describe('the name of an operation', () => {
  it('begins with a verb from the list', () => {
    const others = names.filter((name) => !verbs.has(verbIn(name)) && !fixed.has(name))
    expect(others).toEqual([])
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
