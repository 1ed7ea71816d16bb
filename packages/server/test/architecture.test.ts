import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

/** What ARCHITECTURE.md says about files and imports, checked by reading them. */

const root = join(import.meta.dirname, '../src')

interface Source {
  path: string
  text: string
  imports: Import[]
}

interface Import {
  from: string
  /** What it imports, as written between `import` and `from`. */
  names: string
  isType: boolean
}

const sources: Source[] = globSync('**/*.ts', { cwd: root })
  .filter((path) => !/\.(test|suite)\.ts$|\/testing\//.test(path))
  .toSorted()
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, imports: importsOf(text) }
  })

function importsOf(text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s+'([^']+)'/gm)
  const plain = [...statements].map(([, type, names = '', from = '']) => ({ from, names, isType: type !== undefined }))
  const others = text.matchAll(/\bimport\s*\(?\s*'([^']+)'/g)
  return [...plain, ...[...others].map(([, from = '']) => ({ from, names: '*', isType: false }))]
}

/** Violations of a rule, as `path: what`, so a failure reads as a list of things to fix. */
const breaches = (find: (source: Source) => string[], files = sources) =>
  files.flatMap((source) => find(source).map((what) => `${source.path}: ${what}`))

const codeOf = (text: string) => text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '')

/** Each imports only itself and those before it. */
const order = [
  'core',
  'crypto',
  'db',
  'instance',
  'auth',
  'embeddings',
  'rerank',
  'text',
  'claims',
  'vault-index',
  'links',
  'calls',
  'operation',
  'backups',
  'webhooks',
  'vaults',
  'proposals',
  'documents',
  'memories',
  'tasks',
  'notes',
  'search',
  'graph',
  'messages',
  'accounts',
  'sign-in',
  'integrations',
  'runs',
  'turns',
  'sessions',
  'review',
  'ask',
  'rotation',
  'integrity',
  'machine',
  'activity',
  'usage',
  'transfer',
  'jobs',
  'dashboard',
  'metrics',
  'api',
  'telemetry',
  'config.ts',
  'app.ts',
  'cli',
  'main.ts',
  'mcp.ts',
]

const partOf = (path: string) => path.split('/')[0] ?? path

describe('the source tree', () => {
  it('can be read, with its imports', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.find(({ path }) => path === 'app.ts')?.imports.length).toBeGreaterThan(15)
  })

  it('has no folder that is missing in the order', () => {
    expect([...new Set(sources.map(({ path }) => partOf(path)))].filter((part) => !order.includes(part))).toEqual([])
  })

  it('imports in one direction', () => {
    const rightward = breaches(({ path, imports }) =>
      imports
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => normalize(join(dirname(path), from)))
        .filter((target) => order.indexOf(partOf(target)) > order.indexOf(partOf(path))),
    )
    expect(rightward).toEqual([])
  })

  it('reads the configuration only in the entry points', () => {
    const readers = breaches(({ path, imports }) =>
      ['app.ts', 'main.ts', 'cli'].includes(partOf(path))
        ? []
        : imports.filter(({ from, isType }) => from.endsWith('/config.ts') && !isType).map(({ from }) => from),
    )
    expect(readers).toEqual([])
  })

  it('reads the environment in one place', () => {
    const readers = breaches(({ path, text }) =>
      path === 'config.ts' ? [] : [...codeOf(text).matchAll(/process\.env|process\[/g)].map(([found]) => found),
    )
    expect(readers).toEqual([])
  })

  it('uses ciphers, hashes and keys of the platform only in crypto/', () => {
    const kept = /create(Hmac|Hash|Cipheriv|Decipheriv|SecretKey)|\bhash\b|hkdf|pbkdf2|scrypt|webcrypto|subtle|\*/i
    const users = breaches(({ path, imports }) =>
      partOf(path) === 'crypto'
        ? []
        : imports
            .filter(({ from, isType, names }) => /^(node:)?crypto$/.test(from) && !isType && kept.test(names))
            .map(({ names }) => names),
    )
    expect(users).toEqual([])
    expect(
      breaches(({ path, text }) => (partOf(path) === 'crypto' ? [] : (codeOf(text).match(/\bcrypto\.subtle/g) ?? []))),
    ).toEqual([])
  })
})

describe('contexts', () => {
  const declared = readFileSync(join(root, 'operation/context.ts'), 'utf8')
  const contexts = [...declared.matchAll(/^export (?:interface|type) (\w*Context|Services)\b/gm)].map(
    ([, name]) => name,
  )

  // These declare the contexts, make them, and pass them to operations.
  const ownsContexts = (path: string) => ['operation', 'api', 'app.ts'].includes(partOf(path))

  // Most services are for one job or another.
  const startsAllJobs = ['jobs/list-jobs.ts: listJobs']

  it('are taken whole only by operations', () => {
    expect(contexts).toContain('VaultContext')
    const whole = new RegExp(`(?:[:&=]|\\bextends)\\s*(?:${contexts.join('|')})\\b(?!\\[)`, 'g')
    const declaration = /^(?:export )?(?:(?:async )?function|const|interface|type) (\w+)/gm
    const takers = breaches(({ path, text }) => {
      if (ownsContexts(path)) return []
      const code = codeOf(text)
      const nameAt = (index: number) => [...code.slice(0, index).matchAll(declaration)].at(-1)?.[1] ?? ''
      return [...code.matchAll(whole)].map(({ index }) => nameAt(index))
    })
    expect(takers.toSorted()).toEqual(startsAllJobs)
  })
})

describe('stores', () => {
  // These encrypt or query data that has no store.
  const storelike = (path: string) =>
    partOf(path) === 'db' || /(^|-)store\.ts$/.test(basename(path)) || ['instance/instance.ts'].includes(path)

  it('contain every query', () => {
    const query = /\.(selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\bsql(<[^`]*>)?`/g
    expect(breaches(({ path, text }) => (storelike(path) ? [] : (codeOf(text).match(query) ?? [])))).toEqual([])
  })

  it('are the only files that encrypt and decrypt', () => {
    const seal = /\b(seal|open)(Cell|Text|Json)\w*\(/g
    const sealers = breaches(({ path, text }) =>
      storelike(path) || partOf(path) === 'crypto' ? [] : (codeOf(text).match(seal) ?? []),
    )
    expect(sealers).toEqual([])
  })
})

describe('files', () => {
  it('are named after what they do', () => {
    const vague = /^(utils?|helpers?|types?|index|common|misc|shared|lib)\.ts$/
    expect(sources.map(({ path }) => path).filter((path) => vague.test(basename(path)))).toEqual([])
    expect(sources.map(({ path }) => path).filter((path) => !/^[a-z0-9/-]+(\.d)?\.ts$/.test(path))).toEqual([])
  })

  it('export by name and never re-export a whole file', () => {
    const found = breaches(({ text }) => codeOf(text).match(/^export (default\b|\*).*/gm) ?? [])
    expect(found).toEqual([])
  })

  it('never disable type checking', () => {
    const off = /(:|<|\bas|,|\|)\s*any\b(?!\s*\()|@ts-(ignore|nocheck|expect-error)/g
    expect(breaches(({ text }) => [...codeOf(text).matchAll(off)].map(([found]) => found))).toEqual([])
  })

  it('have at most 400 lines', () => {
    expect(breaches(({ text }) => (text.split('\n').length > 400 ? [`${text.split('\n').length} lines`] : []))).toEqual(
      [],
    )
  })
})
