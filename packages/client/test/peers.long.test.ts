import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildClient } from '../../../scripts/build-client.ts'
import { startAnsweringServer } from './answering-server.ts'
import { agentModel, aiModel, claudeAnswers } from './example-models.ts'
import { install, npm } from './installed.ts'
import { useService } from './service.ts'
import { typeCheck } from './type-check.ts'

/** The packed client with the oldest version of each framework that its manifest allows, one in between, and the newest that was tested. */

const source = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
  peerDependencies: Record<string, string>
}

interface Framework {
  /** Files in `examples/`. */
  examples: readonly string[]
  /** The peer dependency, and its versions from the lowest to the newest, with what they need beside them. */
  peer: string
  versions: readonly (readonly [version: string, ...others: string[]])[]
  model?: string
  /** A program in `compare/` that makes the same calls to the own storage of the newest version. */
  comparison?: string
  rewrite?: (code: string, version: string) => string
}

const frameworks: readonly Framework[] = [
  {
    examples: ['ai-sdk'],
    peer: 'ai',
    versions: [
      ['5.0.0', 'zod@4'],
      ['6.0.0', 'zod@4'],
      ['7.0.173', 'zod@4'],
    ],
    model: aiModel,
    rewrite: rewriteForAi,
  },
  {
    examples: ['langchain'],
    peer: '@langchain/core',
    versions: [['0.3.58'], ['1.0.1'], ['1.4.0']],
  },
  {
    examples: ['langgraph-store', 'langgraph-checkpointer'],
    peer: '@langchain/langgraph-checkpoint',
    versions: [
      ['0.1.0', '@langchain/core@0.3.58', '@langchain/langgraph@0.4.0', 'zod@3'],
      ['1.0.0', '@langchain/core@1.0.1', '@langchain/langgraph@1.0.0', 'zod@4'],
      ['1.2.2', '@langchain/core@1.4.0', '@langchain/langgraph@1.7.3', 'zod@4'],
    ],
  },
  {
    examples: ['openai-agents'],
    peer: '@openai/agents-core',
    versions: [
      ['0.3.0', 'zod@4'],
      ['0.11.0', 'zod@4'],
      ['0.20.0', 'zod@4'],
    ],
    model: agentModel,
  },
  {
    examples: ['claude-memory'],
    peer: '@anthropic-ai/sdk',
    versions: [['0.65.0'], ['0.100.0'], ['1.14.0']],
  },
  {
    examples: ['mastra'],
    comparison: 'mastra',
    peer: '@mastra/core',
    versions: [
      ['1.0.4', '@mastra/memory@1.1.0', 'ai@5.0.277', 'zod@4'],
      ['1.71.0', '@mastra/memory@1.31.0', 'ai@6.0.326', 'zod@4'],
    ],
    model: aiModel,
  },
  {
    examples: ['voltagent'],
    comparison: 'voltagent',
    peer: '@voltagent/core',
    versions: [
      ['2.0.2', 'ai@6.0.326', 'zod@4'],
      ['2.10.0', 'ai@6.0.326', 'zod@4'],
    ],
    model: aiModel,
  },
]

/** `onEnd` is `onFinish` in version 6. In version 5, only streamText has it. */
function rewriteForAi(code: string, version: string): string {
  if (version.startsWith('7')) return code
  return version.startsWith('6') ? code.replace('onEnd:', 'onFinish:') : code.replace(/^ *onEnd: .*\n/m, '')
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-peers-'))
let tarball: string
beforeAll(async () => {
  buildClient(join(folder, 'client'))
  await npm(join(folder, 'client'), 'pack', '--pack-destination', folder)
  tarball = join(folder, 'holdfast-client-0.1.0.tgz')
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const service = useService()

const cases = frameworks.flatMap(({ comparison, ...framework }) =>
  framework.versions.map((versions, at) => ({
    ...framework,
    versions,
    comparison: at === framework.versions.length - 1 ? comparison : undefined,
  })),
)

describe.each(cases)('$peer $versions.0', ({ peer, versions, examples, comparison, model, rewrite }) => {
  const [version, ...others] = versions
  const place = join(folder, `${peer.replaceAll(/\W/g, '-')}-${version}`)

  /** Runs a program beside the installed packages, as another user. */
  async function run(file: string, text: string): Promise<string> {
    writeFileSync(join(place, file), text)
    await using anthropic = await startAnsweringServer(...claudeAnswers)
    const env = {
      ...process.env,
      HOLDFAST_URL: service().url,
      HOLDFAST_KEY: await service().makeKey(),
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: anthropic.url,
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
    }
    // Some versions of VoltAgent keep a timer that never ends.
    const program = `await import('./${file}'); process.exit()`
    const args = ['--input-type=module', '-e', program]
    return (await promisify(execFile)(process.execPath, args, { cwd: place, env })).stdout
  }

  it('installs beside the client', async () => {
    await install(place, tarball, `${peer}@${version}`, ...others)
    const installed = JSON.parse(readFileSync(join(place, 'node_modules', peer, 'package.json'), 'utf8')) as object
    expect(installed).toMatchObject({ version })
    writeFileSync(join(place, 'model.ts'), model ?? 'export {}')
  }, 600_000)

  it.each(examples)(
    'has an example %s that compiles and prints what it says',
    async (name) => {
      const text = readFileSync(join(source, 'examples', `${name}.ts`), 'utf8')
      const [code = '', printed = ''] = text.split('\n// Prints:\n')
      const printing = await run(`${name}.ts`, rewrite?.(code, version) ?? code)
      expect(printing).toBe(printed.replaceAll(/^\/\/ /gm, ''))
      expect(typeCheck(place, [`${name}.ts`], '')).toBe('')
    },
    120_000,
  )

  it.runIf(comparison !== undefined)(
    "answers as the framework's own storage in memory",
    async () => {
      const program = readFileSync(join(source, 'test/compare', `${comparison}.mjs`), 'utf8')
      expect(await run(`compare-${comparison}.mjs`, program)).toMatch(/^[3-9]\d calls\n$/)
    },
    120_000,
  )
})

it('the manifest allows what was tested', () => {
  for (const { peer, versions } of frameworks) {
    const [lowest = ''] = versions.at(0) ?? []
    expect(manifest.peerDependencies[peer]).toMatch(new RegExp(`^>=${lowest.replaceAll('.', String.raw`\.`)} <`))
  }
})
