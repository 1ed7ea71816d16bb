import { describe, expect, it } from 'vitest'
import { withBreaker } from '../src/embeddings/breaker.ts'
import { verifyRefusals } from '../src/embeddings/refused-texts.ts'
import { embedOnce, meterEmbeddings, type EmbeddingProvider } from '../src/embeddings/provider.ts'
import { describeProvider } from '../src/embeddings/provider.suite.ts'
import { createStaticProvider } from '../src/embeddings/static-model.ts'
import { startTestApp } from './app.ts'
import { startAgent } from './scenarios.ts'

/** The layers between an operation and its model must not change what the model says about itself. */

const wrappers: [name: string, wrap: (provider: EmbeddingProvider) => EmbeddingProvider][] = [
  ['a breaker', (provider) => withBreaker(provider, { now: () => 0 })],
  ['doubts', (provider) => verifyRefusals(provider, { now: () => 0 })],
  ['a meter', (provider) => meterEmbeddings(provider, () => {})],
  ['what embeds a text once', embedOnce],
]
wrappers.push(['all of them', (provider) => wrappers.slice(0, 4).reduce((inner, [, wrap]) => wrap(inner), provider)])

describe.each(wrappers)('behind %s', (name, wrap) => {
  describeProvider(`the built-in model behind ${name}`, () => wrap(createStaticProvider()), { knows: 'english' })

  it('a provider keeps all its properties, including those that it learns from its first answer', async () => {
    const inner: EmbeddingProvider = { ...createStaticProvider(), dims: undefined, stop: async () => {} }
    const learning = Object.assign(inner, { failure: undefined })
    const wrapped = wrap(inner)
    const fields = Object.keys(learning).filter((field) => field !== 'embed') as (keyof EmbeddingProvider)[]
    expect(fields).toEqual(expect.arrayContaining(['id', 'calibration', 'isMeanOfWords', 'maxTokens', 'stop']))
    const told = (provider: EmbeddingProvider) => fields.map((field) => [field, provider[field]])
    expect(told(wrapped)).toEqual(told(inner))
    Object.assign(inner, { dims: 256, maxTokens: 512 })
    expect(told(wrapped)).toEqual(told(inner))
  })
})

it('the running server knows that the built-in model only averages words, which proves no two texts equal', async () => {
  const test = await startTestApp({ config: { embeddings: { provider: 'static' } } })
  const agent = await startAgent(test)
  const contents = [
    'Ann needs Krankenversicherungsgesellschaft soon',
    'Ann got Krankenversicherungsgesellschaft already',
  ]
  for (const content of contents) {
    const { body } = await agent.call('write-memory', { content, dedup: true })
    expect(body).toMatchObject({ created: true, dedupAction: 'none' })
  }
})
