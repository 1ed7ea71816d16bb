import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((path) => !path.endsWith('.test.ts'))

/** Each package and built-in module that a file imports, with the file. */
const imports = files.flatMap((path) =>
  [...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, from = '']) => ({
    path,
    from,
  })),
)

it('the package needs the client, the protocol, and nothing of the server', () => {
  expect(imports.length).toBeGreaterThan(50)
  const known = /^(@holdfast\/client|@modelcontextprotocol\/server(\/stdio)?|node:(crypto|stream)|\.\.?\/[^.]*\.ts)$/
  expect(imports.filter(({ from }) => !known.test(from))).toEqual([])
  expect(imports.filter(({ path, from }) => from.startsWith('../') && !path.includes('/'))).toEqual([])
})

it('what answers look like knows nothing of tools', () => {
  expect(
    imports.filter(({ path, from }) => path.startsWith('render/') && /^\.\.\/(tools|tool|call-tool|server)/.test(from)),
  ).toEqual([])
})
