import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { findProblems } from './docs/check-site.ts'
import { rewriteLinks } from './docs/rewrite-links.ts'
import { splitOperations } from './docs/split-operations.ts'

function makeFolder(files: readonly (readonly [path: string, text: string])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-site-'))
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

describe('the links of a page', () => {
  const files = ['docs/adr/README.md', 'docs/tasks.md', 'SECURITY.md', 'docs/api/operations.md', 'docs/images/a.png']
  const root = makeFolder([...files, 'src/main.ts'].map((path) => [path, '']))
  afterAll(() => rmSync(root, { recursive: true }))
  const pages = new Map([
    ['docs/adr/README.md', 'adr/index.md'],
    ['docs/tasks.md', 'tasks.md'],
    ['SECURITY.md', 'security.md'],
  ])
  const rewrite = (text: string) =>
    rewriteLinks(text, { root, source: 'docs/adr/README.md', target: 'adr/index.md', pages })

  it.each([
    ['[Tasks](../tasks.md#claim)', '[Tasks](../tasks.md#claim)'],
    ['[Security](../../SECURITY.md)', '[Security](../security.md)'],
    ['![A](../images/a.png)', '![A](../images/a.png)'],
    ['[write](../api/operations.md#write-memory)', '[write](../api/write-memory.md)'],
    ['[a record](../api/operations.md#record-memory)', '[a record](../api/records.md#record-memory)'],
    ['see [the `main` program](../../src/main.ts)', 'see the `main` program'],
    ['[`claim`](../tasks.md)', '[`claim`](../tasks.md)'],
    [
      '`[x](none.md)` and [web](https://example.org) and [here](#b)',
      '`[x](none.md)` and [web](https://example.org) and [here](#b)',
    ],
  ])('lead to the same place in the site: %s', (text, rewritten) => {
    expect(rewrite(text)).toBe(rewritten)
  })

  it('must not lead to a missing file', () => {
    expect(() => rewrite('[x](none.md)')).toThrow('docs/adr/README.md links to none.md, which does not exist')
  })
})

it('each operation gets a page, one for agents and one for people if both call it', () => {
  const pages = splitOperations(`# Operations

- For agents
  - [write-memory](#write-memory): Store.
- For people
  - [write-memory](#write-memory): Store.

## Errors

None.

## For agents

With a key.

### write-memory

Returns a [Memory](#record-memory).

## For people

With a token.

### write-memory

Store.

## Records

### Record: Memory

Text.
`)
  expect([...pages.keys()]).toEqual([
    'api/write-memory.md',
    'api/person-write-memory.md',
    'api/operations.md',
    'api/records.md',
  ])
  expect(pages.get('api/write-memory.md')).toContain('# write-memory\n\nFor agents: With a key.')
  expect(pages.get('api/write-memory.md')).toContain('[Memory](./records.md#record-memory)')
  expect(pages.get('api/operations.md')?.match(/\(\.\/[^)]+\)/g)).toEqual([
    '(./write-memory.md)',
    '(./person-write-memory.md)',
  ])
  expect(pages.get('api/records.md')).toContain('## Record: Memory')
})

it('a site with a dead link or anchor, or with a script in a page, is not accepted', () => {
  const site = makeFolder([
    ['index.html', '<h1 id="a"></h1><a href="/docs/use/">x</a><a href="#a">x</a><a href="use/#b">x</a>'],
    ['use/index.html', '<a href="../index.html#a">x</a><a href="none.html">x</a><a href="https://example.org">x</a>'],
    ['bad.html', '<script>run()</script><p style="color:red">x</p><img src="/elsewhere.png">'],
  ])
  onTestFinished(() => rmSync(site, { recursive: true }))
  expect(findProblems(site).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'bad.html links to /elsewhere.png, which does not exist',
    'bad.html: the policy blocks <p style="color:red">',
    'bad.html: the policy blocks <script>',
    'index.html links to use/#b, which does not exist',
    'use/index.html links to none.html, which does not exist',
  ])
})
