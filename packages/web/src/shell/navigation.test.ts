import { expect, it } from 'vitest'
import { navigation } from './navigation.ts'

it('gives each page its own path, title and key', () => {
  for (const field of ['path', 'title', 'goKey'] as const)
    expect(new Set(navigation.map((entry) => entry[field])).size).toBe(navigation.length)
})

it('shows four pages in the bottom bar, next to More', () => {
  expect(navigation.filter(({ inBottomBar }) => inBottomBar).map(({ title }) => title)).toEqual([
    'Home',
    'Inbox',
    'Review',
    'Memories',
  ])
})

it('keeps about ten pages in view, the others under More', () => {
  const inView = navigation.filter(({ isUnderMore }) => isUnderMore === undefined)
  expect(inView.length).toBeLessThanOrEqual(12)
  expect(inView.length).toBeGreaterThanOrEqual(8)
})
