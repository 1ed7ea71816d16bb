import { expect, it } from 'vitest'
import { navigation } from './navigation.ts'

it('leads to each page by an address and a key of its own', () => {
  for (const of of ['path', 'title', 'goKey'] as const)
    expect(new Set(navigation.map((entry) => entry[of])).size).toBe(navigation.length)
})

it('shows four pages in the bottom bar, beside More', () => {
  expect(navigation.filter(({ inBottomBar }) => inBottomBar).map(({ title }) => title)).toEqual([
    'Home',
    'Notes',
    'Tasks',
    'Search lab',
  ])
})
