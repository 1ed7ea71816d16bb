import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((path) => !path.endsWith('.test.ts'))

/** Lists the packages and built-in modules that files import, with the file. */
const imports = files.flatMap((path) =>
  [...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, from = '']) => ({
    path,
    from,
  })),
)

it('the package imports the client, the protocol and edit distances, but nothing from the server', () => {
  expect(imports.length).toBeGreaterThan(50)
  const known =
    /^(@holdfast\/client|@modelcontextprotocol\/server(\/stdio)?|fastest-levenshtein|node:(crypto|stream)|\.\.?\/[^.]*\.ts)$/
  expect(imports.filter(({ from }) => !known.test(from))).toEqual([])
  expect(imports.filter(({ path, from }) => from.startsWith('../') && !path.includes('/'))).toEqual([])
})

it('rendering does not import tools', () => {
  expect(
    imports.filter(({ path, from }) => path.startsWith('render/') && /^\.\.\/(tools|tool|call-tool|server)/.test(from)),
  ).toEqual([])
})
