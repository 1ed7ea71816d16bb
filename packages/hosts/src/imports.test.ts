import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const readImports = (path: string) =>
  [...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(/^import[^']*'([^']+)'/gm)].map(
    ([, from = '']) => from,
  )

it('the hooks import only Node and the client, so they start fast and fit into one file', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((path) => !path.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(10)
  const others = files.flatMap((path) =>
    readImports(path).filter((from) => !/^(node:|\.|@holdfast\/client$)/.test(from)),
  )
  expect(others).toEqual([])
})

it('the table of clients imports nothing, so browsers can use it', () => {
  expect(readImports('clients.ts')).toEqual([])
})
