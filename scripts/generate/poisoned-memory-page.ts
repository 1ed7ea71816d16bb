import { attacks } from '../../packages/server/test/poisoned-memory/all-attacks.ts'
import { families, type Attack } from '../../packages/server/test/poisoned-memory/attack.ts'
import { readResults, type AttackResult } from '../../packages/server/test/poisoned-memory/results.ts'
import { printTable } from './markdown-table.ts'

/** Prints docs/poisoned-memory.md: each attack of the suite, and what became of it on each surface. */
export function printPoisonedMemoryPage(): string {
  const results = readResults()
  return `<!-- Written by \`npm run generate\`; do not edit. -->

# Poisoned memory

A hostile agent with a valid key can write whatever it wants. This page lists ${attacks.length} ways in which it could try to make another agent believe that a text is
from the person, from Holdfast or from someone else, to destroy what the person wrote, or to get at what isn't its own. A test runs each of them over REST and
over MCP against a server, and then looks at everything that another agent reads. ${countOutcomes(results)}

- **rejected**: the server refused the call, and nothing of the attack is seen.
- **shown as its own words**: readers see the text as data between the marks, under the name of the hostile agent.
- **shown as data**: readers see the text as the name of a folder or vault, or the label of a link, on one line.
- **not shown**: the call was accepted, and nothing of the attack is seen.
- **the person's text is kept**: what the person wrote is unchanged, or kept next to a change that names the hostile agent.

An attack that works only because a reader follows the words of another agent isn't prevented here: [SECURITY.md](../SECURITY.md) says what Holdfast doesn't
protect against. \`npm test\` runs a part of the attacks, \`npm run test:long\` all of them, a third also on PostgreSQL. The source is
\`packages/server/test/poisoned-memory\`.

${families.map((family) => printFamily(family, results)).join('\n\n')}
`
}

function countOutcomes(results: readonly AttackResult[]): string {
  const of = (surface: string, store: string) =>
    results.filter((result) => result.surface === surface && result.store === store).length
  return `In the last recorded runs, none of them succeeded: ${of('REST', 'sqlite')} over REST and ${of('MCP', 'sqlite')} over MCP on SQLite, ${of('REST', 'postgres')} over REST on PostgreSQL.`
}

function printFamily(family: Attack['family'], results: readonly AttackResult[]): string {
  const rows = attacks
    .filter((attack) => attack.family === family)
    .map((attack) => [
      escapeMarks(attack.attack),
      ...(['REST', 'MCP'] as const).map((surface) => outcomeOf(attack, surface, results)),
    ])
  return `## ${family[0]?.toUpperCase()}${family.slice(1)}\n\n${printTable(['A hostile agent …', 'REST', 'MCP'], rows)}`
}

function outcomeOf(
  { attack, only }: Attack,
  surface: AttackResult['surface'],
  results: readonly AttackResult[],
): string {
  if (only !== undefined && only !== surface) return ''
  const known = results.find(
    (result) => result.attack === attack && result.surface === surface && result.store === 'sqlite',
  )
  return known?.outcome ?? 'not recorded yet'
}

/** Marks are code, because Markdown reads them as HTML. */
const escapeMarks = (text: string) =>
  text.replaceAll(/[<＜][^>＞]*[>＞](?:[<＜][^>＞]*[>＞])*/g, (mark) => `\`${mark}\``)
