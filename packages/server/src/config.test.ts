import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError, describeVariables, readConfig, readRemote } from './config.ts'
import { loadRootKeys, parseRootKeys } from './instance/root-key-source.ts'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-config-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function problemsOf(env: Record<string, string>, overrides = {}): string[] {
  try {
    readConfig(env, overrides)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
}

function fileWith(text: string): string {
  const file = join(dir, `value-${Math.random()}`)
  writeFileSync(file, text)
  return file
}

const rootKey = Buffer.alloc(32, 7).toString('hex')
const given = parseRootKeys(rootKey, 'test')

describe('readConfig', () => {
  it('returns the documented defaults in an empty environment', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8420,
      dataDir: resolve('data'),
      databaseUrl: undefined,
      publicUrl: undefined,
      allowedHosts: [],
      trustedProxies: [],
      connections: { total: 4096, perClient: 512 },
      drainSeconds: 0,
      rootKey: { given: undefined, command: undefined, dir: join(homedir(), '.config', 'holdfast') },
      embeddings: { provider: 'static', calibration: undefined },
      indexMemoryBytes: 512 * 1024 * 1024,
      rateLimits: { read: 1200, write: 600, search: 600, ingest: 600 },
      dashboardRateLimit: 3000,
      quotas: { read: 0, write: 0, search: 0, ingest: 0 },
      webhookAllow: [],
      backups: { folder: resolve('data', 'backups'), everyHours: 0, keep: 7, s3: undefined },
      metricsToken: undefined,
      telemetry: undefined,
      logLevel: 'info',
    })
  })

  it('reads every setting from the environment', () => {
    const config = readConfig({
      HOLDFAST_HOST: '0.0.0.0',
      HOLDFAST_PORT: '0',
      HOLDFAST_DATA_DIR: '/srv/data',
      HOLDFAST_DATABASE_URL: 'postgres://db/holdfast',
      HOLDFAST_PUBLIC_URL: 'https://memory.example',
      HOLDFAST_ALLOWED_HOSTS: 'Holdfast.lan, memory.internal',
      HOLDFAST_TRUSTED_PROXY: '127.0.0.1, fd00::/8',
      HOLDFAST_MAX_CONNECTIONS: '9',
      HOLDFAST_MAX_CONNECTIONS_PER_CLIENT: '8',
      HOLDFAST_DRAIN_SECONDS: '7',
      HOLDFAST_ROOT_KEY: rootKey,
      HOLDFAST_KEY_DIR: '/srv/keys',
      HOLDFAST_EMBEDDINGS: 'openai',
      HOLDFAST_EMBEDDINGS_URL: 'http://localhost:11434/v1',
      HOLDFAST_EMBEDDINGS_KEY: 'bearer',
      HOLDFAST_EMBEDDINGS_MODEL: 'm',
      HOLDFAST_EMBEDDINGS_QUERY_PREFIX: 'Instruct: find it\\nQuery: ',
      HOLDFAST_EMBEDDINGS_DOCUMENT_PREFIX: '',
      HOLDFAST_EMBEDDINGS_DIMS: '256',
      HOLDFAST_EMBEDDINGS_CALIBRATION: '0.3:0.4, 0.9:0.95',
      HOLDFAST_RERANKER_URL: 'http://localhost:8080/rerank',
      HOLDFAST_RERANKER_KEY: 'other',
      HOLDFAST_RERANKER_MODEL: 'r',
      HOLDFAST_RERANKER_BUDGET_MS: '300',
      HOLDFAST_INDEX_MEMORY_MB: '1',
      HOLDFAST_RATE_LIMIT_READ: '0',
      HOLDFAST_RATE_LIMIT_WRITE: '1',
      HOLDFAST_RATE_LIMIT_SEARCH: '2',
      HOLDFAST_RATE_LIMIT_INGEST: '3',
      HOLDFAST_RATE_LIMIT_DASHBOARD: '4',
      HOLDFAST_QUOTA_READ: '4',
      HOLDFAST_QUOTA_WRITE: '5',
      HOLDFAST_QUOTA_SEARCH: '6',
      HOLDFAST_QUOTA_INGEST: '7',
      HOLDFAST_WEBHOOK_ALLOW: 'n8n.internal:5678',
      HOLDFAST_BACKUP_DIR: '/srv/backups',
      HOLDFAST_BACKUP_EVERY: '0',
      HOLDFAST_BACKUP_KEEP: '3',
      HOLDFAST_METRICS_TOKEN: 'sixteen-chars-ok',
      HOLDFAST_LOG_LEVEL: 'silent',
    })
    expect(config).toEqual({
      host: '0.0.0.0',
      port: 0,
      dataDir: '/srv/data',
      databaseUrl: 'postgres://db/holdfast',
      publicUrl: 'https://memory.example',
      allowedHosts: ['holdfast.lan', 'memory.internal'],
      trustedProxies: [expect.any(BlockList), expect.any(BlockList)],
      connections: { total: 9, perClient: 8 },
      drainSeconds: 7,
      rootKey: { given, givenIn: 'HOLDFAST_ROOT_KEY', command: undefined, dir: '/srv/keys' },
      embeddings: {
        provider: 'openai',
        url: 'http://localhost:11434/v1',
        key: 'bearer',
        model: 'm',
        calibration: [
          [0.3, 0.4],
          [0.9, 0.95],
        ],
        prefixes: { query: 'Instruct: find it\nQuery: ', document: '' },
        dims: 256,
      },
      reranker: { url: 'http://localhost:8080/rerank', key: 'other', model: 'r', budgetMs: 300 },
      indexMemoryBytes: 1024 * 1024,
      rateLimits: { read: 0, write: 1, search: 2, ingest: 3 },
      dashboardRateLimit: 4,
      quotas: { read: 4, write: 5, search: 6, ingest: 7 },
      webhookAllow: [{ host: 'n8n.internal', network: undefined, port: 5678 }],
      backups: { folder: '/srv/backups', everyHours: 0, keep: 3, s3: undefined },
      metricsToken: 'sixteen-chars-ok',
      telemetry: undefined,
      logLevel: 'silent',
    })
  })

  it('lets command-line flags override the environment', () => {
    expect(readConfig({ HOLDFAST_PORT: '1' }, { HOLDFAST_PORT: '2' }).port).toBe(2)
  })

  it('treats an empty variable as unset', () => {
    expect(readConfig({ HOLDFAST_PORT: '', HOLDFAST_DATABASE_URL: '', HOLDFAST_HOST_FILE: '' }).port).toBe(8420)
  })

  it('looks for the key folder where the user keeps configuration', () => {
    expect(readConfig({ XDG_CONFIG_HOME: '/xdg' }).rootKey.dir).toBe('/xdg/holdfast')
    expect(readConfig({ APPDATA: '/app' }).rootKey.dir).toBe('/app/holdfast')
    expect(readConfig({ XDG_CONFIG_HOME: '', APPDATA: '' }).rootKey.dir).toBe(join(homedir(), '.config', 'holdfast'))
  })
})

describe('a root key in the environment', () => {
  it('is removed from the environment of the process when it is read, and not from another', () => {
    process.env['HOLDFAST_ROOT_KEY'] = rootKey
    onTestFinished(() => void delete process.env['HOLDFAST_ROOT_KEY'])
    const other = { HOLDFAST_ROOT_KEY: rootKey }
    expect(readConfig(other).rootKey.given).toEqual(given)
    expect(readConfig().rootKey.given).toEqual(given)
    expect([process.env['HOLDFAST_ROOT_KEY'], other.HOLDFAST_ROOT_KEY]).toEqual([undefined, rootKey])
  })

  it('is rejected if it is none, with the other problems', () => {
    expect(problemsOf({ HOLDFAST_ROOT_KEY: 'words', HOLDFAST_PORT: 'x' })).toEqual([
      expect.stringMatching(/^HOLDFAST_ROOT_KEY does not contain valid root keys/),
      expect.stringMatching(/^HOLDFAST_PORT/),
    ])
  })

  it('leaves no copy of its text in the memory of the process', () => {
    const text = randomBytes(32).toString('base64')
    const script = `
      const { readConfig } = await import(${JSON.stringify(new URL('./config.ts', import.meta.url).href)})
      const { loadRootKeys } = await import(${JSON.stringify(new URL('./instance/root-key-source.ts', import.meta.url).href)})
      globalThis.keys = loadRootKeys(readConfig().rootKey, '').keys
      gc()
      const { writeHeapSnapshot } = await import('node:v8')
      writeHeapSnapshot(${JSON.stringify(join(dir, 'heap'))})`
    const args = ['--expose-gc', '--input-type=module', '--eval', script]
    const { PATH } = process.env
    execFileSync(process.execPath, args, { env: { PATH, HOLDFAST_ROOT_KEY: text, XDG_CONFIG_HOME: dir } })
    const heap = readFileSync(join(dir, 'heap'))
    expect([heap.includes('XDG_CONFIG_HOME'), heap.includes(text.slice(4, 40))]).toEqual([true, false])
  })
})

describe('a value in a file', () => {
  it('replaces the variable, without the line break at its end', () => {
    const file = fileWith('postgres://db/holdfast\n')
    expect(readConfig({ HOLDFAST_DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://db/holdfast')
  })

  it('is rejected if the variable is also set, unless it is empty', () => {
    const file = fileWith(rootKey)
    expect(problemsOf({ HOLDFAST_ROOT_KEY: rootKey, HOLDFAST_ROOT_KEY_FILE: file })).toEqual([
      'HOLDFAST_ROOT_KEY_FILE: HOLDFAST_ROOT_KEY is set as well; set only one of them',
    ])
    expect(readConfig({ HOLDFAST_ROOT_KEY: '', HOLDFAST_ROOT_KEY_FILE: file }).rootKey.given).toEqual(given)
  })

  it('is named as the origin of the root key', () => {
    const file = fileWith(rootKey)
    const originOf = (env: Record<string, string>) => loadRootKeys(readConfig(env).rootKey, '').origin
    expect(originOf({ HOLDFAST_ROOT_KEY_FILE: file })).toBe('HOLDFAST_ROOT_KEY_FILE')
    expect(originOf({ HOLDFAST_ROOT_KEY: rootKey })).toBe('HOLDFAST_ROOT_KEY')
    expect(problemsOf({ HOLDFAST_ROOT_KEY_FILE: fileWith('words') })).toEqual([
      expect.stringMatching(/^HOLDFAST_ROOT_KEY_FILE does not contain valid root keys/),
    ])
  })

  it('is reported by its variable if it cannot be read', () => {
    expect(problemsOf({ HOLDFAST_ROOT_KEY_FILE: join(dir, 'missing') })).toEqual([
      'HOLDFAST_ROOT_KEY_FILE: the file it names cannot be read',
    ])
  })

  it('is reported by its variable if it is empty', () => {
    expect(problemsOf({ HOLDFAST_ROOT_KEY_FILE: fileWith('\n') })).toEqual([
      'HOLDFAST_ROOT_KEY_FILE: the file it names is empty',
    ])
  })
})

describe('a wrong environment', () => {
  it.each([
    ['HOLDFAST_PORT', 'abc'],
    ['HOLDFAST_PORT', '65536'],
    ['HOLDFAST_PORT', '-1'],
    ['HOLDFAST_PORT', '1.5'],
    ['HOLDFAST_DATABASE_URL', 'mysql://db'],
    ['HOLDFAST_PUBLIC_URL', 'ftp://x'],
    ['HOLDFAST_PUBLIC_URL', 'nothing'],
    ['HOLDFAST_EMBEDDINGS', 'cohere'],
    ['HOLDFAST_EMBEDDINGS_CALIBRATION', '0.3'],
    ['HOLDFAST_EMBEDDINGS_CALIBRATION', '0.3:0.4:0.5'],
    ['HOLDFAST_EMBEDDINGS_CALIBRATION', '0.3:0.4,0.2:0.5'],
    ['HOLDFAST_EMBEDDINGS_CALIBRATION', ':'],
    ['HOLDFAST_INDEX_MEMORY_MB', '0'],
    ['HOLDFAST_LOG_LEVEL', 'loud'],
    ['HOLDFAST_URL', 'nothing'],
  ])('with %s=%s is rejected by that name', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))])
  })

  it.each([
    ['HOLDFAST_PORT', 'abc', 'must be a number'],
    ['HOLDFAST_PORT', '1.5', 'must be a whole number'],
    ['HOLDFAST_INDEX_MEMORY_MB', '0', 'must be at least 1'],
    ['HOLDFAST_PUBLIC_URL', 'ftp://x', 'must be a URL that begins with http:// or https://'],
    ['HOLDFAST_LOG_LEVEL', 'loud', 'must be one of debug, info, warn, error, silent'],
  ])('with %s=%s says what the value must be', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name}: ${problem}`])
  })

  it('is rejected for an unknown setting, and suggests a similar name', () => {
    expect(problemsOf({ HOLDFAST_DATADIR: 'x' })).toEqual([
      'HOLDFAST_DATADIR: unknown setting (did you mean HOLDFAST_DATA_DIR?)',
    ])
    expect(problemsOf({ HOLDFAST_DATABASE_URI: 'x' })).toEqual([
      'HOLDFAST_DATABASE_URI: unknown setting (did you mean HOLDFAST_DATABASE_URL?)',
    ])
    expect(problemsOf({ HOLDFAST_PROT: '1' })).toEqual(['HOLDFAST_PROT: unknown setting (did you mean HOLDFAST_PORT?)'])
    expect(problemsOf({ HOLDFAST_XYZ: 'x' })).toEqual(['HOLDFAST_XYZ: unknown setting'])
    expect(problemsOf({ HOLDFAST_XYZ_FILE: 'x' })).toEqual(['HOLDFAST_XYZ_FILE: unknown setting'])
  })

  it('is not rejected for variables of agents and other programs', () => {
    expect(problemsOf({ HOLDFAST_KEY: 'y', HOLDFAST_TOKEN: 'y', PORT: 'z', NODE_ENV: 'test' })).toEqual([])
  })

  it('is rejected if the root key would be in the data folder', () => {
    for (const keyDir of ['/srv/data', '/srv/data/keys', '/srv/data/../data/keys/', '/srv/x/../data'])
      expect(problemsOf({ HOLDFAST_DATA_DIR: '/srv/data', HOLDFAST_KEY_DIR: keyDir })).toEqual([
        expect.stringMatching(/^HOLDFAST_KEY_DIR: must be outside the data folder/),
      ])
    for (const keyDir of ['/srv', '/srv/data-keys', '/srv/data/../keys'])
      expect(problemsOf({ HOLDFAST_DATA_DIR: '/srv/data', HOLDFAST_KEY_DIR: keyDir })).toEqual([])
  })

  it('is rejected if the root key would be with the backups', () => {
    const folders = { HOLDFAST_BACKUP_DIR: '/srv/backups', HOLDFAST_KEY_DIR: '/srv/backups/keys' }
    expect(problemsOf(folders)).toEqual([expect.stringMatching(/^HOLDFAST_KEY_DIR: must be outside the backup folder/)])
  })

  it('is rejected if the server would have to back up PostgreSQL', () => {
    const settings = { HOLDFAST_DATABASE_URL: 'postgres://db/holdfast', HOLDFAST_BACKUP_EVERY: '24' }
    expect(problemsOf(settings)).toEqual([expect.stringMatching(/^HOLDFAST_BACKUP_EVERY: .*pg_dump/)])
  })

  it('is rejected if the default key folder is in the data folder', () => {
    expect(problemsOf({ XDG_CONFIG_HOME: '/srv/data', HOLDFAST_DATA_DIR: '/srv' })).toHaveLength(1)
  })

  it('is rejected with proxies that are not addresses, and hosts that are not names', () => {
    expect(problemsOf({ HOLDFAST_TRUSTED_PROXY: '10.0.0.0/8, proxy.internal' })).toEqual([
      'HOLDFAST_TRUSTED_PROXY: "proxy.internal" is not an address or network',
    ])
    expect(problemsOf({ HOLDFAST_ALLOWED_HOSTS: 'http://holdfast.lan' })).toEqual([
      expect.stringMatching(/^HOLDFAST_ALLOWED_HOSTS: must be host names/),
    ])
  })

  it('is rejected with two sources of root keys', () => {
    expect(problemsOf({ HOLDFAST_ROOT_KEY: rootKey, HOLDFAST_ROOT_KEY_COMMAND: 'cat' })).toEqual([
      'HOLDFAST_ROOT_KEY and HOLDFAST_ROOT_KEY_COMMAND: set only one of them',
    ])
  })

  it('is rejected if an embedding service is only partly configured', () => {
    expect(problemsOf({ HOLDFAST_EMBEDDINGS: 'openai' })).toEqual([
      expect.stringMatching(/^HOLDFAST_EMBEDDINGS_URL: needed/),
      expect.stringMatching(/^HOLDFAST_EMBEDDINGS_MODEL: needed/),
    ])
    expect(problemsOf({ HOLDFAST_EMBEDDINGS: 'transformers' })).toEqual([
      expect.stringMatching(/^HOLDFAST_EMBEDDINGS_MODEL: needed/),
    ])
  })

  it.each([
    ['none', 'CALIBRATION', '0.3:0.4'],
    ['', 'URL', 'http://localhost/v1'],
    ['static', 'MODEL', 'm'],
    ['static', 'QUERY_PREFIX', 'query: '],
    ['static', 'DIMS', '64'],
    ['transformers', 'KEY', 'bearer'],
  ])('is rejected if the provider %s does not use the setting %s', (provider, setting, value) => {
    const model = provider === 'transformers' ? { HOLDFAST_EMBEDDINGS_MODEL: 'models/minilm' } : {}
    expect(problemsOf({ HOLDFAST_EMBEDDINGS: provider, ...model, [`HOLDFAST_EMBEDDINGS_${setting}`]: value })).toEqual([
      expect.stringMatching(new RegExp(`^HOLDFAST_EMBEDDINGS_${setting} is set, but`)),
    ])
  })

  it('is rejected if it is about a reranker that has no address', () => {
    expect(problemsOf({ HOLDFAST_RERANKER_KEY: 'bearer', HOLDFAST_RERANKER_MODEL: 'r' })).toEqual([
      'HOLDFAST_RERANKER_KEY is set, but HOLDFAST_RERANKER_URL is not',
      'HOLDFAST_RERANKER_MODEL is set, but HOLDFAST_RERANKER_URL is not',
    ])
    expect(problemsOf({ HOLDFAST_RERANKER_URL: 'https://me:secret@rerank.example/rerank' })).toEqual([
      'HOLDFAST_RERANKER_URL: must not contain a user name or password',
    ])
  })

  it('keeps the spaces of a prefix, also of one in a file, and an empty one', () => {
    const env = { HOLDFAST_EMBEDDINGS: 'transformers', HOLDFAST_EMBEDDINGS_MODEL: '/m' }
    const prefixesIn = (more: Record<string, string>) => {
      const { embeddings } = readConfig({ ...env, ...more })
      return 'prefixes' in embeddings ? embeddings.prefixes : undefined
    }
    expect(prefixesIn({})).toBeUndefined()
    expect(prefixesIn({ HOLDFAST_EMBEDDINGS_QUERY_PREFIX: '' })).toEqual({ query: '' })
    const inFile = (text: string) => prefixesIn({ HOLDFAST_EMBEDDINGS_DOCUMENT_PREFIX_FILE: fileWith(text) })
    expect(inFile('passage: \n')).toEqual({ document: 'passage: ' })
    expect(inFile('\n')).toEqual({ document: '' })
    expect(inFile('')).toEqual({ document: '' })
    expect(problemsOf({ HOLDFAST_EMBEDDINGS_QUERY_PREFIX: '' })).toEqual([])
  })

  it.each(['0', '4097', '1.5'])('is rejected if vectors are cut to %s numbers', (dims) => {
    const service = { HOLDFAST_EMBEDDINGS: 'transformers', HOLDFAST_EMBEDDINGS_MODEL: '/m' }
    expect(problemsOf({ ...service, HOLDFAST_EMBEDDINGS_DIMS: dims })).toEqual([
      expect.stringMatching(/^HOLDFAST_EMBEDDINGS_DIMS: /),
    ])
  })

  it('resolves a model folder against the folder that the server is started in', () => {
    const env = { HOLDFAST_EMBEDDINGS: 'transformers', HOLDFAST_EMBEDDINGS_MODEL: 'models/minilm' }
    expect(readConfig(env).embeddings).toEqual({ provider: 'transformers', folder: resolve('models/minilm') })
  })

  it.each(['zwölf', 'two words'])(
    'is rejected if the key of an embedding service is %s, which a header cannot contain',
    (key) => {
      const service = {
        HOLDFAST_EMBEDDINGS: 'openai',
        HOLDFAST_EMBEDDINGS_MODEL: 'm',
        HOLDFAST_EMBEDDINGS_URL: 'http://h/v1',
      }
      expect(problemsOf({ ...service, HOLDFAST_EMBEDDINGS_KEY: key })).toEqual([
        'HOLDFAST_EMBEDDINGS_KEY: contains characters that are not allowed in a header',
      ])
    },
  )

  it('is rejected if the URL of an embedding service contains a password, which is not repeated', () => {
    const service = { HOLDFAST_EMBEDDINGS: 'openai', HOLDFAST_EMBEDDINGS_MODEL: 'm' }
    for (const url of ['http://user:pass@localhost/v1', 'http://user@localhost/v1'])
      expect(problemsOf({ ...service, HOLDFAST_EMBEDDINGS_URL: url })).toEqual([
        'HOLDFAST_EMBEDDINGS_URL: must not contain a user name or password',
      ])
    expect(problemsOf({ ...service, HOLDFAST_EMBEDDINGS_URL: 'nothing' })).toHaveLength(1)
  })

  it('is reported with all problems at once', () => {
    const problems = problemsOf({
      HOLDFAST_PORT: 'abc',
      HOLDFAST_LOG_LEVEL: 'loud',
      HOLDFAST_NOTHING: 'x',
      HOLDFAST_EMBEDDINGS_URL_FILE: join(dir, 'missing'),
      HOLDFAST_DATA_DIR: '/srv/data',
      HOLDFAST_KEY_DIR: '/srv/data/keys',
      HOLDFAST_ROOT_KEY: rootKey,
      HOLDFAST_ROOT_KEY_COMMAND: 'cat',
      HOLDFAST_EMBEDDINGS: 'openai',
    })
    const names = problems.map((problem) => /^HOLDFAST_\w+/.exec(problem)?.[0])
    expect(names.map(String).toSorted()).toEqual([
      'HOLDFAST_EMBEDDINGS_MODEL',
      'HOLDFAST_EMBEDDINGS_URL',
      'HOLDFAST_EMBEDDINGS_URL_FILE',
      'HOLDFAST_KEY_DIR',
      'HOLDFAST_LOG_LEVEL',
      'HOLDFAST_NOTHING',
      'HOLDFAST_PORT',
      'HOLDFAST_ROOT_KEY',
    ])
  })

  it('is rejected with a metrics token that is short or no header could carry', () => {
    for (const token of ['fifteen-letters', 'two words are not a token'])
      expect(problemsOf({ HOLDFAST_METRICS_TOKEN: token })).toEqual([
        'HOLDFAST_METRICS_TOKEN: must have at least 16 characters, without spaces, all of them allowed in a header',
      ])
  })

  it('never repeats a secret', () => {
    const secret = 'c2VjcmV0LXNlY3JldA'
    const problems = problemsOf({ HOLDFAST_ROOT_KEY: secret, HOLDFAST_EMBEDDINGS_KEY: secret, HOLDFAST_PORT: 'x' })
    expect(problemsOf({ HOLDFAST_METRICS_TOKEN: `${secret}\t` }).join()).not.toContain(secret)
    expect(problems.join()).not.toContain(secret)
    expect(problemsOf({ HOLDFAST_DATABASE_URL: `mysql://user:${secret}@db` }).join()).not.toContain(secret)
  })
})

describe('readRemote', () => {
  it('reads the server for the command line and its token, also from a file', () => {
    expect(readRemote({})).toEqual({ url: undefined, operatorToken: undefined })
    expect(readRemote({ HOLDFAST_URL: 'http://x', HOLDFAST_OPERATOR_TOKEN_FILE: fileWith('hfo_x\n') })).toEqual({
      url: 'http://x',
      operatorToken: 'hfo_x',
    })
  })
})

describe('describeVariables', () => {
  it('describes every setting, with the default of an empty environment', () => {
    const described = describeVariables()
    expect(described.every(({ description }) => description.length > 10)).toBe(true)
    expect(described.find(({ name }) => name === 'HOLDFAST_PORT')?.default).toBe('8420')
  })
})
