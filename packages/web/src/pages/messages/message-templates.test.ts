import { expect, it } from 'vitest'
import { messageTemplates, findPlaceholders } from './message-templates.ts'

it('finds each placeholder of a template once', () => {
  const handOver = messageTemplates.find(({ name }) => name === 'Hand over')
  expect(findPlaceholders(handOver?.content ?? '')).toEqual(['[agent]'])
  expect(findPlaceholders((handOver?.content ?? '').replaceAll('[agent]', 'codex'))).toEqual([])
})

it('ignores other brackets, such as links, indexes and note links', () => {
  expect(findPlaceholders('See [the log](https://example.org), rows[0] and [[Runbook]]')).toEqual([])
})
