import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeVariables } from '../packages/server/src/config.ts'
import { root } from './checks.ts'

const files = ['Dockerfile', 'compose.yaml', ...globSync('deploy/**/*.{yaml,tpl,service,cfg}', { cwd: root })]

it('what deploys the server uses only settings that exist, since it would not start with others', () => {
  expect(files.length).toBeGreaterThan(8)
  const known = new Set(describeVariables().map(({ name }) => name))
  const unknown = files.flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(/\bHOLDFAST_[A-Z_]+\b/g), ([name]) => name)
      .filter((name) => !known.has(name.replace(/_FILE$/, '')))
      .map((name) => `${file}: ${name}`),
  )
  expect(unknown).toEqual([])
})
