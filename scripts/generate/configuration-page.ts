import type { describeVariables } from '../../packages/server/src/config.ts'
import { printTable } from './markdown-table.ts'

/** docs/configuration.md: every setting of the server and its command line. */
export function printConfigurationPage(variables: ReturnType<typeof describeVariables>): string {
  const rows = variables.map(({ name, default: preset, description }) => [
    `\`${name}\``,
    preset === '' ? '' : `\`${preset}\``,
    description,
  ])
  return `<!-- Written by \`npm run generate\`; do not edit. -->

# Configuration

The server and its command line read their settings from the environment. Each may also be given as \`<NAME>_FILE\`: the
text of the file that it names is then the value, which keeps secrets out of the environment. An unknown \`HOLDFAST_\`
name, a wrong value or an unsafe mix stops the start and is named; an empty value counts as unset.

${printTable(['Setting', 'Default', 'Meaning'], rows)}
`
}
