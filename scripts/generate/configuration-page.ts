import type { describeVariables } from '../../packages/server/src/config.ts'
import { printTable } from './markdown-table.ts'

/** Prints docs/configuration.md: every setting of the server and the command line. */
export function printConfigurationPage(variables: ReturnType<typeof describeVariables>): string {
  const rows = variables.map(({ name, default: preset, description }) => [
    `\`${name}\``,
    preset === '' ? '' : `\`${preset}\``,
    description,
  ])
  return `<!-- Written by \`npm run generate\`; do not edit. -->

# Configuration

The server and the command line read their settings from environment variables. To keep a secret out of the environment, set
\`<NAME>_FILE\` to the path of a file that contains the value. The server doesn't start if a \`HOLDFAST_\` name is unknown, a value is invalid or
a combination is unsafe; it names the problem. Empty values count as unset, except those of prefixes. [Monitoring](monitoring.md#opentelemetry) has the variables of
OpenTelemetry (\`OTEL_…\`).

${printTable(['Setting', 'Default', 'Meaning'], rows)}
`
}
