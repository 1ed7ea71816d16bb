import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendJson } from '../core/testing/json-server.ts'
import { startFakeEndpoint, type Respond } from '../embeddings/testing/fake-endpoint.ts'
import { questionPairs } from './embeddings/question-pairs.ts'
import { makeMachine } from './testing/run-command.ts'

/** Tries the model `m` of an endpoint. */
const tryEndpoint = async (url: string) =>
  (await makeMachine()).run(['embeddings', 'test', '--provider', 'openai', '--endpoint', url, '--model', 'm'])

async function startEndpoint(respond?: Respond) {
  const endpoint = await startFakeEndpoint()
  if (respond !== undefined) endpoint.respond = respond
  onTestFinished(() => endpoint.close())
  return endpoint
}

describe('holdfast embeddings test', () => {
  it('shows how a model of an endpoint is used and what it does, without a store', async () => {
    const { url, seen } = await startEndpoint()
    const machine = await makeMachine()
    const settings = {
      HOLDFAST_EMBEDDINGS: 'openai',
      HOLDFAST_EMBEDDINGS_URL: url,
      HOLDFAST_EMBEDDINGS_MODEL: 'nomic-embed-text',
      HOLDFAST_DATA_DIR: join(machine.folder, 'data'),
    }
    const { code, stdout, stderr } = await machine.run(['embeddings', 'test'], settings)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/Model +openai-compatible\/nomic-embed-text\+prefixes-[\da-f]{8}\n/)
    expect(stdout).toMatch(/Questions +"search_query: " \(the model card of nomic-ai\/nomic-embed-text-v1\.5\)\n/)
    expect(stdout).toMatch(/Stored texts +"search_document: "/)
    expect(stdout).toMatch(/Dimensions +256\n/)
    expect(stdout).toMatch(/Speed +\d+ texts per second, [\d.]+ ms per question\n/)
    expect(stdout).toMatch(/Nearest +\d+ of 20 questions/)
    const [first] = questionPairs
    const inputs = seen.flatMap(({ body }) => body.input)
    expect(inputs).toEqual(expect.arrayContaining([`search_query: ${first?.[0]}`, `search_document: ${first?.[1]}`]))
    expect(await readdir(machine.folder)).toEqual([])
  })

  it('prints the same as JSON, with options in place of settings', async () => {
    const { url } = await startEndpoint()
    const machine = await makeMachine()
    const options = [
      '--provider',
      'openai',
      '--endpoint',
      url,
      '--model',
      'm',
      '--dims',
      '64',
      '--query-prefix',
      'ask: ',
    ]
    const settings = { HOLDFAST_EMBEDDINGS: 'static', HOLDFAST_EMBEDDINGS_QUERY_PREFIX: '' }
    const { code, stdout } = await machine.run(['embeddings', 'test', '--json', ...options], settings)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      model: expect.stringMatching(/^openai-compatible\/m\+prefixes-[\da-f]{8}\+64d$/),
      use: { prefixes: { query: 'ask: ', document: '' }, sources: { query: 'setting' }, dims: 64 },
      dims: 64,
      pairs: 20,
    })
  })

  it('ignores settings that the given provider does not use', async () => {
    const machine = await makeMachine()
    const settings = {
      HOLDFAST_EMBEDDINGS: 'openai',
      HOLDFAST_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1',
      HOLDFAST_EMBEDDINGS_MODEL: 'm',
      HOLDFAST_EMBEDDINGS_DIMS: '64',
    }
    const { code, stdout } = await machine.run(['embeddings', 'test', '--provider', 'static'], settings)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('static/holdfast-256-1') })
  })

  it.each<[string, string[], RegExp]>([
    [
      'an endpoint that does not run',
      ['--provider', 'openai', '--endpoint', 'http://127.0.0.1:2/v1', '--model', 'm'],
      /^openai-compatible\/m cannot be used \(ECONNREFUSED\)\.\nHOLDFAST_EMBEDDINGS_URL must end before/,
    ],
    [
      'a folder without a model',
      ['--provider', 'transformers', '--model', 'nowhere'],
      /^transformers\/nowhere cannot be used \(model_folder\)\.\nHOLDFAST_EMBEDDINGS_MODEL must name a folder/,
    ],
    [
      'a missing setting',
      ['--provider', 'openai', '--model', 'm'],
      /^Invalid settings:\nHOLDFAST_EMBEDDINGS_URL: needed/,
    ],
    ['no provider', [], /^HOLDFAST_EMBEDDINGS is none, so there is no model to test\.\nSet it/],
  ])('exits with 1 and says what to do about %s', async (_, options, message) => {
    const machine = await makeMachine({ HOLDFAST_EMBEDDINGS: 'none' })
    const { code, stdout, stderr } = await machine.run(['embeddings', 'test', ...options])
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(message) })
  })

  it('does not blame the address of an endpoint that asks to wait', async () => {
    const { url } = await startEndpoint((_, response) => sendJson(response, {}, 429))
    const { stderr } = await tryEndpoint(url)
    expect(stderr).toMatch(/\(http_429\)\.\nThe endpoint limits how much it answers: wait/)
  })

  it('says what is wrong with vectors of several lengths, without speaking of a server', async () => {
    const { url } = await startEndpoint(({ body }, response) =>
      sendJson(response, { data: body.input.map((text) => ({ embedding: Array(text.length).fill(1) })) }),
    )
    const { stderr } = await tryEndpoint(url)
    expect(stderr).toMatch(/\(mixed_dims\)\.\nIts vectors are empty, or differ in length from text to text/)
  })

  it('refuses a number of dims that no model can have', async () => {
    const machine = await makeMachine()
    const { code, stderr } = await machine.run(['embeddings', 'test', '--dims', '0'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Give a number from 1 to 4096.') })
  })
})
