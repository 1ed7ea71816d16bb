import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { operationTools } from './generated/operation-tools.ts'
import { coreTools } from './list-tools.ts'
import { prompts } from './prompts.ts'
import { resourceTemplates } from './resources.ts'
import { toolsetNames } from './toolsets.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8')

it('the page lists the tools correctly', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (reads|writes|destroys) +\| (.*?) +\|$/gm)]
  const classes = { read: 'reads', write: 'writes', destructive: 'destroys' }
  expect(rows.map(([, name, does]) => [name, does])).toEqual(
    coreTools.map(({ name, effect }) => [name, classes[effect]]),
  )
  const operations = new Set<string>(operationTools.map(({ operation }) => operation))
  const named = rows.flatMap(([, , , calls = '']) => calls.replace(/, with.*/, '').split(', '))
  expect(named.filter((operation) => !operations.has(operation))).toEqual([])
})

it('the page names every toolset, prompt and resource', () => {
  for (const name of [...toolsetNames, ...prompts.map((prompt) => prompt.name)]) expect(page).toContain(`\`${name}\``)
  for (const { name } of resourceTemplates) expect(page).toContain(`holdfast://${name}/`)
})
