import { agentClients, agentsBlock, shownKey, type AgentClient } from '../../packages/hosts/src/clients.ts'
import { snippetOf } from '../../packages/server/src/cli/settings-file.ts'

const to = {
  url: 'http://127.0.0.1:8420',
  vault: 'app',
  key: shownKey,
  command: ['node', '/path/to/holdfast/packages/server/src/main.ts'] as const,
}

const intro = `<!-- Written by \`npm run generate\` from packages/hosts/src/clients.ts; do not edit. -->

# Connect an agent

Create a key for each agent, so you can tell agents apart and revoke each one. Run this in the Holdfast checkout:

\`\`\`sh
npm run -s holdfast -- keys create --label "Cursor"
export HOLDFAST_KEY=svc_...
\`\`\`

Then connect your project. Run this in the project's folder, with the path of your checkout:

\`\`\`sh
alias holdfast='node /path/to/holdfast/scripts/bootstrap.mjs holdfast'
holdfast link app --create                    # creates the vault if needed, and writes .holdfast.json: { "vault": "app" }
holdfast connect cursor --write --agents-md   # writes Cursor's settings and AGENTS.md
holdfast doctor                               # says what is wrong and how to fix it
\`\`\`

\`connect <client>\` prints the settings below, filled in for your machine. Its options:

- \`--write\` adds them to the client's settings file. Comments, order, other servers and your own additions stay. It saves a copy of the old file in \`~/.local/state/holdfast/copies\`
  (or under \`XDG_STATE_HOME\`) and prints where.
- \`--dry-run\` shows only what would change, not the rest of the file.
- \`--agents-md\` adds a section to the project's AGENTS.md, or updates it.

The dashboard's **Connect** page shows the same settings with a new key filled in. For Cursor, VS Code, LM Studio and Goose, it also has a button that adds the server. Its link
never contains a key: Cursor reads \`HOLDFAST_KEY\`, VS Code asks for the key, LM Studio has a place to paste it, and Goose asks for access in the dashboard.

\`disconnect\` removes the settings again. Holdfast leaves a file alone and says why if the name already belongs to another server, if it can't change the file safely, if the file is
read-only, or if a link in the project points elsewhere. It writes a key only into files in your home folder, and only for clients that accept it no other way. A project's file may be
committed, so there the client takes the key from the environment or asks for it.

Holdfast looks for \`.holdfast.json\` in the working folder and its parents, up to the root of the repository (\`.git\`), your home folder, or the last folder that only you can write to. The file
must belong to you. Holdfast sends your key to the server in this file only if that is \`http://127.0.0.1:8420\` (or \`localhost\`). For another server, set \`HOLDFAST_URL\`.

This is the section in AGENTS.md:

\`\`\`markdown
${agentsBlock(to.vault)}
\`\`\`

## Hooks

Agents forget to call tools. Hooks run automatically: at each event, the client calls \`holdfast hook <event>\` and passes JSON on stdin.

| Event           | When                   | Does                                                                                                                                                        | Time limit |
| --------------- | ---------------------- | ----------------------------------------------------------------------------------------------------------------------------------------------------------- | ---------- |
| \`session-start\` | a session starts       | prints the context from \`session-start\`, up to 9,000 characters; after compaction, the last checkpoint and the tasks in progress, up to 2,000; for a resumed session, nothing | 2 s        |
| \`prompt\`        | you send a prompt      | prints up to three matching memories that the agent hasn't seen, up to 1,200 characters; they need a similarity of 0.55, or matching words if there are no vectors; ignores prompts under 20 characters | 0.8 s      |
| \`turn\`          | the agent has answered | records the last prompt and answer with \`ingest-turn\`                                                                                                       | 4 s        |
| \`checkpoint\`    | before compaction      | saves a summary in the session's own words: what was asked, decided and written, and the current state; nothing if the agent has said less than 200 characters | 10 s       |
| \`end\`           | the session ends       | saves a checkpoint if there is none since the last turn, and ends the run                                                                                    | 5 s        |

- A hook always exits with 0, at most half a second after its time limit. If the server is down, you get one warning per session, and the hooks for prompts, turns and ends
  pause for 30 seconds.
- Anything that looks like a secret (keys, passwords, tokens, private keys) is removed from prompts, turns and summaries before they leave your machine. This works by patterns and can't find everything:
  a password in the middle of a sentence, without the word "password", looks like any other word.
- Between calls, a hook stores only ids, in a file in the temporary folder that only you can read.
- \`HOLDFAST_HOOKS=0\` turns off all hooks. \`.holdfast.json\` turns off some or all: \`{ "vault": "app", "hooks": { "prompt": false } }\`, with the names \`sessionStart\`, \`prompt\`, \`turn\`,
  \`checkpoint\`, \`end\`. \`"mode"\` in this file sets the mode of \`session-start\`.
- Hooks act as the agent whose key they use, like its tools: [one key is one agent](mcp.md#options).
- They are made for Claude Code and Codex, whose plugins include them. Gemini CLI has other event names and needs its own entries in its settings; we tested only against its
  documentation. Cursor's hooks can't add to a prompt, so Cursor is not supported.

## Plugins

The plugins contain the hooks as one file that needs only Node 20 or newer, four skills (\`memory-setup\`, \`memory-recall\`, \`memory-checkpoint\`, \`memory-status\`), and the MCP server settings.

\`\`\`sh
claude plugin marketplace add /path/to/holdfast && claude plugin install holdfast@holdfast
codex plugin marketplace add /path/to/holdfast && codex plugin add holdfast@holdfast
\`\`\`

- **Claude Code** asks for the server's URL and the key, and stores the key with its other secrets.
- **Codex** takes the key from \`HOLDFAST_KEY\`, for hooks and tools. Its plugin expects the server at \`http://127.0.0.1:8420\`; for another server, use the settings below and turn off the plugin's MCP
  server. Codex has no event for the end of a session, and asks once whether to trust the hooks.

Tools over HTTP can't see \`.holdfast.json\`, so the hooks tell the agent which vault to use.
`

/** Prints docs/connect.md: the introduction, then the settings of each client. */
export const printConnectPage = () => `${intro}\n## Clients\n\n${agentClients.map(printClient).join('\n\n')}\n`

const languages = { json: 'json', yaml: 'yaml', toml: 'toml' } as const

function printClient(client: AgentClient): string {
  const files = Object.values(client.files).flatMap((file) =>
    typeof file === 'string' ? [file] : [file.darwin, file.linux, file.win32],
  )
  const where = files.length === 0 ? '' : `In ${[...new Set(files)].map((file) => `\`${file}\``).join(' or ')}:\n\n`
  const shell = client.shell === undefined ? '' : `\n\nFor all projects:\n\n\`\`\`sh\n${client.shell(to)}\n\`\`\``
  const plugin =
    client.plugin === undefined
      ? ''
      : `\n\nFor hooks and skills, install [the plugin](#plugins):\n\n\`\`\`sh\n${client.plugin('/path/to/holdfast')}\n\`\`\``
  const snippet = snippetOf(client, client.entry(to)).trim()
  const notes = client.notes.map((note) => `- ${note}`).join('\n')
  return `### ${client.title}\n\n${where}\`\`\`${languages[client.format]}\n${snippet}\n\`\`\`${shell}${plugin}\n\n${notes}`
}
