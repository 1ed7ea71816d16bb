import { expect, it } from 'vitest'
import { groupsByNode, nameOfGroup, readGroups } from './groups.ts'

it('a node in several groups has the color of the first', () => {
  const [one, other] = [
    { id: '1', color: 0, nodeIds: ['a', 'b'] },
    { id: '2', color: 1, nodeIds: ['b', 'c'] },
  ]
  const byNode = groupsByNode([one, other])
  expect(['a', 'b', 'c', 'd'].map((id) => byNode.get(id))).toEqual([one, one, other, undefined])
})

it('a group whose search text is gone is named by its position', () => {
  expect(nameOfGroup({ id: 'of another visit' }, 1)).toBe('Group 2')
})

it('there are no groups without storage', () => {
  expect(readGroups('a vault')).toEqual([])
})
