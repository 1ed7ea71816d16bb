import type { Command } from 'commander'
import { createProgram } from '../../packages/server/src/cli/program.ts'

const intro = `<!-- Written by \`npm run generate\` from the help of the commands; do not edit. -->

# The command line

In a checkout each command is called as \`npm run -s holdfast -- <command>\`. What follows is what \`--help\` says.

- **About an instance** (\`setup\`, \`users\`, \`keys\`, \`status\`, \`import\`, \`export\`, \`backup\`): through the server that owns the data folder, or directly on the folder where none
  runs; with \`--url\` or \`HOLDFAST_URL\` through another server, for which \`HOLDFAST_OPERATOR_TOKEN\` is needed where its folder is out of reach.
- **As an agent** (\`search\`, \`remember\`, \`recall\`, \`tasks\`, \`notes\`, \`context\`, \`mcp\`, \`hook\`): with the key in \`HOLDFAST_KEY\`, at \`HOLDFAST_URL\`, in the vault that
  \`.holdfast.json\` names, looked for from the working folder upwards. Flags go before the environment, that before the file.
- **Exit codes**: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 not found, 5 unavailable. \`hook\` always ends with 0.
- **\`--json\`** prints what the service answered; what went wrong is then one line of JSON on stderr, \`{ error, next?, exitCode }\`.
- Colours are for terminals: none in a pipe or with \`NO_COLOR\`.
`

/** A section for each command, as a terminal of 80 columns shows its help. */
export function printCliPage(): string {
  const [, ...sections] = helpOf(createProgram(false))
  return `${intro}\n${sections.map(([name, help]) => `## ${name}\n\n\`\`\`text\n${help.trim()}\n\`\`\``).join('\n\n')}\n`
}

function helpOf(command: Command, path = ''): [name: string, help: string][] {
  const name = `${path} ${command.name()}`.trim()
  let help = ''
  command.configureOutput({
    writeOut: (text) => (help += text),
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  const inner = command.commands.flatMap((one) => helpOf(one, path === '' && name === 'holdfast' ? '' : name))
  // What only gathers others says no more than they do.
  const gathers = command.commands.length > 0 && command.registeredArguments.length === 0
  return gathers && path === '' && name !== 'holdfast' ? inner : [[name, help], ...inner]
}
