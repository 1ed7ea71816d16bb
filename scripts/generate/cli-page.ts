import type { Command } from 'commander'
import { createProgram } from '../../packages/server/src/cli/program.ts'

const intro = `<!-- Written by \`npm run generate\` from the help of the commands; do not edit. -->

# The command line

In a checkout, run commands as \`npm run -s holdfast -- <command>\`, and from other folders as
\`npm --prefix /path/to/holdfast run -s holdfast -- <command>\`. They act on the folder that you call them from, and their data folder is \`data\` in the checkout. This page shows the \`--help\` of each command.

- **Commands for an instance** (\`setup\`, \`users\`, \`keys\`, \`status\`, \`import\`, \`export\`, \`backup\`) use the server that owns the data folder, or the folder itself if no server runs.
  With \`--url\` or \`HOLDFAST_URL\` they use another server, and need \`HOLDFAST_OPERATOR_TOKEN\` if its data folder is not accessible.
- **Commands for agents** (\`search\`, \`remember\`, \`recall\`, \`tasks\`, \`notes\`, \`context\`, \`mcp\`, \`hook\`) use the key in \`HOLDFAST_KEY\`, the server at \`HOLDFAST_URL\`, and the vault in
  \`.holdfast.json\`, which is searched from the working folder upwards. Flags override the environment, which overrides the file. Without \`HOLDFAST_URL\`, all but \`hook\` look
  for the server of \`HOLDFAST_DATA_DIR\`, then on \`HOLDFAST_PORT\`.
- **Exit codes**: 0 success, 1 failure, 2 wrong usage, 3 denied, 4 not found, 5 unavailable. \`hook\` always exits with 0.
- **\`--json\`** prints the server's answer. Errors are then one line of JSON on stderr: \`{ error, next?, exitCode }\`.
- Output has colors only in a terminal without \`NO_COLOR\`.
`

/** Prints a section per command with its help for a terminal of 80 columns. */
export async function printCliPage(): Promise<string> {
  const [, ...sections] = listHelp(await createProgram(false))
  return `${intro}\n${sections.map(([name, help]) => `## ${name}\n\n\`\`\`text\n${help.trim()}\n\`\`\``).join('\n\n')}\n`
}

function listHelp(command: Command, path = ''): [name: string, help: string][] {
  const name = `${path} ${command.name()}`.trim()
  let help = ''
  command.configureOutput({
    writeOut: (text) => (help += text),
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  const inner = command.commands.flatMap((one) => listHelp(one, path === '' && name === 'holdfast' ? '' : name))
  // The help of a command group adds nothing to the help of its commands.
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0
  return isGroup && path === '' && name !== 'holdfast' ? inner : [[name, help], ...inner]
}
