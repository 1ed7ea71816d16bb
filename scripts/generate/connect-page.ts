import { agentClients, agentsBlock, type AgentClient } from '../../packages/hosts/src/clients.ts'
import { snippetOf } from '../../packages/server/src/cli/settings-file.ts'

const to = {
  url: 'http://127.0.0.1:8420',
  vault: 'app',
  key: 'svc_...',
  command: ['node', '/path/to/holdfast/packages/server/src/main.ts'] as const,
}

const intro = `<!-- Written by \`npm run generate\` from packages/hosts/src/clients.ts; do not edit. -->

# Connect an agent

A key of its own for each agent, so that each can be told apart and revoked, and a vault for the project:

\`\`\`sh
npm run -s holdfast -- keys create --label "Cursor"
export HOLDFAST_KEY=svc_...
npm run -s holdfast -- link app --create     # makes the vault where there is none, and writes .holdfast.json: { "vault": "app" }
npm run -s holdfast -- connect cursor --write --agents-md
npm run -s holdfast -- doctor                # names what is wrong, and the fix
\`\`\`

\`connect <client>\` prints the settings below, filled in for this machine; \`--write\` puts them beside what else is in the file, whose comments, order and other servers stay,
and keeps a copy of the file as it was in a folder of your own (it says where: \`~/.local/state/holdfast/copies\`, or beneath \`XDG_STATE_HOME\`); \`--dry-run\` shows what of
Holdfast's would change, and nothing else of the file; \`disconnect\` takes it out again. What you added to the entry stays. An entry of another server under the same name is left,
and so is a file that cannot be changed without a risk to what else it says, that is read-only, or that a project links to elsewhere: you are told why. A key is written only into files of your home folder, for
clients that take it in no other way. For a project's file, which may be committed, the key comes from the environment or is asked for.

\`.holdfast.json\` is looked for from the working folder up to the root of the repository (\`.git\`), the home folder, or the last folder that its user alone may write to; it must
belong to the user. A key is sent to no server that it names but \`http://127.0.0.1:8420\` (or \`localhost\`): for another one set \`HOLDFAST_URL\`.

\`--agents-md\` adds this to the project's AGENTS.md, or brings it up to date:

\`\`\`markdown
${agentsBlock(to.vault)}
\`\`\`

## Hooks

An agent that has tools does not call them by itself at the right moments. Hooks do: its program calls \`holdfast hook <event>\`, which reads the program's JSON on stdin.

| Event           | When                      | Does                                                                                                | Time   |
| --------------- | ------------------------- | --------------------------------------------------------------------------------------------------- | ------ |
| \`session-start\` | a session begins          | prints what \`session-start\` tells, at most 9,000 characters; after compaction the last checkpoint and the tasks in progress, at most 2,000; at a resumed session nothing | 2 s    |
| \`prompt\`        | a prompt is sent          | prints up to three memories that fit and were not shown yet, at most 1,200 characters; similarity 0.55 or more, or by words where there are no vectors; nothing below 20 characters | 0.8 s  |
| \`turn\`          | the agent has answered    | hands in the last prompt and answer with \`ingest-turn\`                                              | 4 s    |
| \`checkpoint\`    | before compaction         | keeps a summary made of the session's own words: what was asked, settled, written, and where it stood; nothing where the agent has said less than 200 characters | 10 s   |
| \`end\`           | the session ends          | a checkpoint if none was made since the last turn, and the end of the run                           | 5 s    |

- A hook ends with 0 whatever happens, at the latest half a second after its time, which runs from its start on. A server that is away costs one line on stderr a session, and for 30 seconds prompts, turns and ends ask nobody.
- What looks like a secret (keys, passwords, tokens, private keys) is taken out of prompts, turns and summaries before anything is sent. That goes by how secrets are
  written, and cannot find all: a password in the middle of a sentence, without the word, looks like any other.
- Between calls a hook keeps ids alone, in a file of the temporary folder that only its user may read.
- \`HOLDFAST_HOOKS=0\` switches all of them off; \`.holdfast.json\` all or some: \`{ "vault": "app", "hooks": { "prompt": false } }\`, with the names \`sessionStart\`, \`prompt\`,
  \`turn\`, \`checkpoint\`, \`end\`. \`"mode"\` there is the mode of \`session-start\`.
- They write as the agent whose key they have, as its tools do: [one key is one agent](mcp.md#what-is-chosen-where).
- They are made for Claude Code and Codex, whose plugins bring them. Gemini CLI's events are named otherwise and want an entry each in its settings;
  that was tried with its documented input alone. Cursor's hooks cannot add to a prompt, and are not supported.

## The plugins

They hold the hooks as one file that needs Node 20 or newer and nothing else, four skills (\`memory-setup\`, \`memory-recall\`, \`memory-checkpoint\`, \`memory-status\`) and the server of tools.

\`\`\`sh
claude plugin marketplace add /path/to/holdfast && claude plugin install holdfast@holdfast
codex plugin marketplace add /path/to/holdfast && codex plugin add holdfast@holdfast
\`\`\`

Claude Code asks for the server's address and the key, and keeps the key where it keeps secrets. Codex takes the key from \`HOLDFAST_KEY\`, for hooks and tools alike; its
plugin expects the tools on \`http://127.0.0.1:8420\` (for another server, connect it below and leave the plugin's server of tools off), has no event for a session's end, and asks
once whether the hooks are to be trusted. Tools that are reached by HTTP cannot see \`.holdfast.json\`: the hooks tell the agent which vault to name.
`

/** The clients as `holdfast connect` knows them. */
export const printConnectPage = () => `${intro}\n## Clients\n\n${agentClients.map(printClient).join('\n\n')}\n`

const languages = { json: 'json', yaml: 'yaml', toml: 'toml' } as const

function printClient(client: AgentClient): string {
  const files = Object.values(client.files).flatMap((file) =>
    typeof file === 'string' ? [file] : [file.darwin, file.linux, file.win32],
  )
  const where = files.length === 0 ? '' : `In ${[...new Set(files)].map((file) => `\`${file}\``).join(' or ')}:\n\n`
  const shell = client.shell === undefined ? '' : `\n\nFor all projects:\n\n\`\`\`sh\n${client.shell(to)}\n\`\`\``
  const snippet = snippetOf(client, client.entry(to)).trim()
  const notes = client.notes.map((note) => `- ${note}`).join('\n')
  return `### ${client.title}\n\n${where}\`\`\`${languages[client.format]}\n${snippet}\n\`\`\`${shell}\n\n${notes}`
}
