import { expect, it } from 'vitest'
import { messageTemplates, openPlaces } from './message-templates.ts'

it('names what of a template is still to be filled in, each once', () => {
  const handOver = messageTemplates.find(({ name }) => name === 'Hand over')
  expect(openPlaces(handOver?.content ?? '')).toEqual(['[agent]'])
  expect(openPlaces((handOver?.content ?? '').replaceAll('[agent]', 'codex'))).toEqual([])
})

it('takes no other brackets for places: links, indexes and notes are text', () => {
  expect(openPlaces('See [the log](https://example.org), rows[0] and [[Runbook]]')).toEqual([])
})
