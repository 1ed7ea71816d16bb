import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const importsOf = (path: string) =>
  [...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(/^import[^']*'([^']+)'/gm)].map(
    ([, from = '']) => from,
  )

it('the hooks need Node and the client alone, so that they start at once and fit into one file', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((path) => !path.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(10)
  const others = files.flatMap((path) => importsOf(path).filter((from) => !/^(node:|\.|@holdfast\/client$)/.test(from)))
  expect(others).toEqual([])
})

it('the table of clients needs nothing, so that a browser can read it too', () => {
  expect(importsOf('clients.ts')).toEqual([])
})
