import { expect, it } from 'vitest'
import { foundGroup, rankActions, searchGroup } from './rank-actions.ts'

const groups = [
  { group: 'Pages', actions: [action('Home'), action('Trash'), action('Settlements of the month')] },
  { group: 'Commands', actions: [action('Switch between light and dark', 'theme appearance')] },
  { group: foundGroup, actions: [action('Money arrives late'), action('The settlement takes two days')] },
  { group: searchGroup, actions: [action('Search memories for “…”')] },
]

function action(label: string, keywords = '') {
  return { id: label, label, keywords }
}

const labelsFor = (query: string) =>
  rankActions(query, groups).flatMap(({ actions }) => actions.map(({ label }) => label))

it.each([
  ['trash', 'Trash'],
  ['theme', 'Switch between light and dark'],
  ['settlement', 'Settlements of the month'],
  ['two days', 'The settlement takes two days'],
  ['arrival of funds', 'Money arrives late'],
])('the best result for “%s” is first', (query, best) => {
  expect(labelsFor(query)[0]).toBe(best)
})

it('searching on another page comes last, and is all that is left without a match', () => {
  expect(labelsFor('trash').at(-1)).toBe('Search memories for “…”')
  expect(
    rankActions(
      'zeppelin',
      groups.filter(({ group }) => group !== foundGroup),
    ),
  ).toEqual([groups[3]])
})

it('without a query, all actions keep their order', () => {
  expect(rankActions(' ', groups)).toEqual(groups)
})
