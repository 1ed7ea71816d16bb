import type { InputOf } from '../../api/call.ts'

type Input = InputOf<'preview-search'>

/** The input of the same search by an agent. Agents search only memories, so `kinds` is omitted. */
function agentInput({ kinds: _kinds, ...input }: Input): object {
  return JSON.parse(JSON.stringify({ ...input, explain: true })) as object
}

export function printCurl(input: Input, origin: string): string {
  const body = JSON.stringify(agentInput(input)).replaceAll("'", String.raw`'\''`)
  return [
    `curl -s ${origin}/api/agent/search-memories \\`,
    `  -H "Authorization: Bearer $HOLDFAST_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n')
}

export function printTypeScript(input: Input, origin: string): string {
  return [
    "import { createClient } from '@holdfast/client'",
    '',
    `const client = createClient({ url: ${JSON.stringify(origin)} })`,
    `const answer = await client.memories.search(${JSON.stringify(agentInput(input), undefined, 2)})`,
  ].join('\n')
}
