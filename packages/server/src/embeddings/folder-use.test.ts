import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readFolderUse } from './folder-use.ts'
import type { Prefixes } from './model-families.ts'
import { writeTinyModel } from './testing/tiny-model.ts'

/** A model's folder of this name with more files, as JSON. */
function makeFolder(name: string, files: Record<string, unknown> = {}, { pools = false } = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-use-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, name)
  writeTinyModel(folder, { pools })
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const withPrompts = (name: string, prompts: unknown, preset: unknown = null) =>
  makeFolder(name, { 'config_sentence_transformers.json': { prompts, default_prompt_name: preset } })

const prefixesIn = (folder: string) => readFolderUse(folder, {}).prefixes

describe('the prefixes of a model in a folder', () => {
  it.each<[prompts: Record<string, string>, preset: string | null, prefixes: Prefixes]>([
    [{ query: 'q: ', document: 'd: ', clustering: 'c: ' }, null, { query: 'q: ', document: 'd: ' }],
    [{ query: 'q: ', passage: 'p: ' }, null, { query: 'q: ', document: 'p: ' }],
    [{ search_query: 'q: ', search_document: 'd: ' }, null, { query: 'q: ', document: 'd: ' }],
    [{ web_search_query: 'q: ', sts_query: 's: ' }, null, { query: 'q: ', document: '' }],
    [{ all: 'x: ' }, 'all', { query: 'x: ', document: 'x: ' }],
    [{ query: 'q: ', all: 'x: ' }, 'all', { query: 'q: ', document: 'x: ' }],
    // A default for questions isn't for stored texts, and the other way round.
    [{ query: 'q: ' }, 'query', { query: 'q: ', document: '' }],
    [{ passage: 'p: ' }, 'passage', { query: '', document: 'p: ' }],
  ])('are those of its prompts: %j, default %j', (prompts, preset, expected) => {
    const { prefixes, sources } = readFolderUse(withPrompts('e5-base', prompts, preset), {})
    expect(prefixes).toEqual(expected)
    expect(sources).toEqual({ query: 'folder', document: 'folder' })
  })

  it.each<[string, unknown]>([
    ['empty', { query: '', document: '' }],
    ['missing', undefined],
    ['for other tasks', { clustering: 'c: ' }],
    ['not texts', { query: 1, document: ['d'] }],
    ['not prompts', 'query: '],
  ])('are those of its family if its prompts are %s', (_, prompts) => {
    const { prefixes, sources } = readFolderUse(withPrompts('e5-base', prompts), {})
    expect(prefixes).toEqual({ query: 'query: ', document: 'passage: ' })
    expect(sources.query).toEqual({ card: 'intfloat/e5-small-v2' })
  })

  it('are those of its family if the file with the prompts cannot be read', () => {
    const folder = makeFolder('e5-base', { 'config_sentence_transformers.json': '{"prompts": {' })
    expect(prefixesIn(folder)).toEqual({ query: 'query: ', document: 'passage: ' })
  })

  it('are found by the name that the model was saved with, if the folder has another', () => {
    const folder = makeFolder('model')
    expect(prefixesIn(folder)).toEqual({ query: '', document: '' })
    const path = join(folder, 'config.json')
    const config = JSON.parse(readFileSync(path, 'utf8')) as object
    writeFileSync(path, JSON.stringify({ ...config, _name_or_path: 'intfloat/e5-base-v2' }))
    expect(prefixesIn(folder)).toEqual({ query: 'query: ', document: 'passage: ' })
  })

  it('are those of the settings, one by one, before all others', () => {
    const folder = withPrompts('e5-base', { query: 'q: ', document: 'd: ' })
    const use = readFolderUse(folder, { prefixes: { query: '' } })
    expect(use.prefixes).toEqual({ query: '', document: 'd: ' })
    expect(use.sources).toEqual({ query: 'setting', document: 'folder' })
  })

  it('are empty for an unknown model', () => {
    expect(readFolderUse(makeFolder('model'), {})).toEqual({
      prefixes: { query: '', document: '' },
      sources: { query: undefined, document: undefined },
      pooling: { way: 'mean', source: undefined },
      dims: undefined,
    })
  })
})

describe('the pooling of a model in a folder', () => {
  const poolingIn = (...given: Parameters<typeof makeFolder>) => readFolderUse(makeFolder(...given), {}).pooling

  it.each<[object, string]>([
    [{ pooling_mode_cls_token: false, pooling_mode_mean_tokens: true }, 'mean'],
    [{ pooling_mode: 'mean' }, 'mean'],
    [{ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, 'first'],
    [{ pooling_mode: 'cls' }, 'first'],
    [{ pooling_mode_lasttoken: true, pooling_mode_mean_tokens: false, include_prompt: true }, 'last'],
    [{ pooling_mode: 'lasttoken' }, 'last'],
  ])('is the one in its file: %j', (config, way) => {
    expect(poolingIn('gte-small', { '1_Pooling/config.json': config })).toEqual({ way, source: 'folder' })
  })

  it.each([
    [{ pooling_mode_max_tokens: true }],
    [{ pooling_mode_weightedmean_tokens: true }],
    [{ pooling_mode_cls_token: true, pooling_mode_mean_tokens: true }],
    [{ pooling_mode: 'toString' }],
    ['no JSON'],
  ])('is unknown for %j', (config) => {
    expect(poolingIn('gte-small', { '1_Pooling/config.json': config })).toBeUndefined()
  })

  it('is that of its family without the file', () => {
    expect(poolingIn('bge-small-en-v1.5')).toEqual({ way: 'first', source: { card: 'BAAI/bge-small-en-v1.5' } })
  })

  it('is the model’s own if it has such an output', () => {
    const cls = { '1_Pooling/config.json': { pooling_mode: 'cls' } }
    expect(poolingIn('bge-small-en-v1.5', cls, { pools: true })).toEqual({ way: 'model', source: 'folder' })
  })
})
