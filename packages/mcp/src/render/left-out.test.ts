import { expect, it } from 'vitest'
import { leftOutLines } from './left-out.ts'

it('says which records are damaged, and nothing about a search without vectors or a reranker', () => {
  const degraded = [
    { leg: 'semantic', reason: 'no embedding provider is configured' },
    { leg: 'reranker', reason: 'the reranker did not answer within 800 ms' },
  ]
  expect(leftOutLines({ degraded })).toEqual([])
  const damaged = { leg: 'blind', reason: 'records that are left out, because they are damaged: a' }
  expect(leftOutLines({ degraded: [...degraded, damaged] })).toEqual([
    'incomplete: records that are left out, because they are damaged: a. Ask the user to run: holdfast doctor',
  ])
})
