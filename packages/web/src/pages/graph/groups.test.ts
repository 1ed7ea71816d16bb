import { expect, it } from 'vitest'
import { groupsByNode, nameOfGroup, readGroups } from './groups.ts'

it('a node has the colour of the first of its groups', () => {
  const [one, other] = [
    { id: '1', color: 0, nodeIds: ['a', 'b'] },
    { id: '2', color: 1, nodeIds: ['b', 'c'] },
  ]
  const byNode = groupsByNode([one, other])
  expect(['a', 'b', 'c', 'd'].map((id) => byNode.get(id))).toEqual([one, one, other, undefined])
})

it('a group whose words nobody knows any more is called by its place', () => {
  expect(nameOfGroup({ id: 'of another visit' }, 1)).toBe('Group 2')
})

it('there are none where nothing can be kept', () => {
  expect(readGroups('a vault')).toEqual([])
})
