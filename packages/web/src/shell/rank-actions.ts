import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'

/** Results of the vault may match by meaning, so they stay even if their titles don't contain the query. */
export const foundGroup = 'In this vault'
/** Passes the query on to another page, so it comes last. */
export const searchGroup = 'Search'

const points = { start: 4, wordStart: 3, found: 2, within: 1, search: 0 } as const

/** The actions that match, the best first: Enter runs the first one. A group is as good as its best action. */
export function rankActions(query: string, groups: readonly SpotlightActionGroupData[]): SpotlightActionGroupData[] {
  const asked = query.trim().toLowerCase()
  if (asked === '') return groups.filter(({ actions }) => actions.length > 0)
  return groups
    .map(({ group, actions }) => {
      const rated = actions
        .map((action) => ({ action, rating: rate(asked, group, action) }))
        .filter(({ rating }) => rating >= 0)
        .toSorted((a, b) => b.rating - a.rating)
      return { group, actions: rated.map(({ action }) => action), rating: rated[0]?.rating ?? -1 }
    })
    .filter(({ actions }) => actions.length > 0)
    .toSorted((a, b) => b.rating - a.rating)
    .map(({ group, actions }) => ({ group, actions }))
}

function rate(asked: string, group: string, { label = '', keywords = '' }: SpotlightActionData): number {
  if (group === searchGroup) return points.search
  const least = group === foundGroup ? points.found : -1
  const title = label.toLowerCase()
  const words = [title, ...[keywords].flat().map((word) => word.toLowerCase())].join(' ')
  if (title.startsWith(asked)) return points.start
  if (` ${words}`.includes(` ${asked}`)) return points.wordStart
  return Math.max(least, words.includes(asked) ? points.within : -1)
}
