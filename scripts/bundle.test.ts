import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { root } from './checks.ts'
import { writePlainTexts } from './pack/bundle.ts'

// As in a regular expression with other languages, with signs that a usual template reads, and with values.
it.each([
  String.raw`^(?:não|请)\b.{2,} [\\^$.*+?()] \u{200c}`,
  `${String.raw`\$& and $1 and \${x} and `}\\\``,
  String.raw`one VALUE \d VALUE é`.replaceAll('VALUE', () => '$'.concat('{x + 1}')),
])('a bundle has the same text for String.raw`%s`', (text) => {
  const code = `String.raw\`${text}\``
  const plain = writePlainTexts(code)
  expect(plain).not.toContain('String.raw')
  expect(runInNewContext(plain, { x: 7 })).toBe(runInNewContext(code, { x: 7 }))
})

it('no template of the sources keeps characters that could not be escaped', () => {
  const paths = globSync('packages/{server,mcp,hosts,transfer,client}/src/**/*.ts', { cwd: root })
  const left = paths.filter((path) =>
    /String\.raw`[^`]*[\u0080-\uffff][^`]*`/.test(writePlainTexts(readFileSync(join(root, path), 'utf8'))),
  )
  expect(left.filter((path) => !path.includes('/testing/') && !path.endsWith('.test.ts'))).toEqual([])
})

// See core/node-http.ts.
it('no source of the server imports node:http as a module', () => {
  const paths = globSync('packages/{server,mcp,hosts,transfer,client}/src/**/*.ts', { cwd: root })
  const importing = paths.filter((path) =>
    /^import (?!type )[^']*? from '(?:node:)?http'$/m.test(readFileSync(join(root, path), 'utf8')),
  )
  expect(importing.filter((path) => !path.includes('/testing/') && !path.endsWith('.test.ts'))).toEqual([])
})
