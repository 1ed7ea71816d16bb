import type { Command } from 'commander'
import { defaultUrl } from '@holdfast/client'
import { readAgent, type Config } from '../config.ts'
import { failed, type Finding } from '../core/finding.ts'
import { commandLineHere, version } from '../core/program.ts'
import { readAgentSettings, type AgentSettings } from './agent-client.ts'
import { examine, examineSettings } from './doctor/examine.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { paint, wrap } from './human.ts'
import { print, printable, withExamples } from './options.ts'

interface DoctorOptions {
  dataDir?: string
  url?: string
  json?: true
}

export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description('find problems and show how to fix them')
    .option('--data-dir <folder>', 'data folder (default: HOLDFAST_DATA_DIR, ./data)')
    .option('--url <url>', 'URL that agents use (default: HOLDFAST_URL)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
The last check is a round trip: it stores, finds and archives a memory in a
temporary vault. The exit code is 1 if a check fails. A store of an older
version is not upgraded: the schema check fails and the remaining checks are
skipped.`,
    )
    .action(async (options: DoctorOptions) => {
      const { config, settings } = examineSettings(options.dataDir)
      const url = options.url ?? readUrl()
      const found = config === undefined ? [] : await examineFrom(config, options, url)
      const findings = [...settings, ...found]
      const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
      const result = {
        version,
        ok: count('failed') === 0,
        failed: count('failed'),
        warnings: count('warning'),
        findings,
      }
      print(options, result, [
        `Holdfast ${version}${config === undefined ? '' : `, data folder ${config.dataDir}`}`,
        '',
        ...findings.flatMap(describe),
        '',
        `OK: ${count('ok')}, warnings: ${count('warning')}, failed: ${count('failed')}`,
      ])
      if (!result.ok) throw new CommandError(exitCodes.failure, `Failed checks: ${count('failed')}.`)
    })
  withExamples(command, 'doctor')
}

/** Uses the settings that an agent started here would use. A broken `.holdfast.json` is one finding and doesn't stop the others. */
async function examineFrom(config: Config, options: DoctorOptions, url: string | undefined): Promise<Finding[]> {
  const hasUrl = url !== undefined
  let agent: AgentSettings
  try {
    agent = readAgentSettings(options)
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode === exitCodes.usage) throw error
    const project = failed(
      'project file',
      error.message,
      error.next ?? `Write it again: ${commandLineHere} link <vault>`,
    )
    const { key } = readAgent()
    return [project, ...(await examine(config, { url: url ?? defaultUrl, key, vault: undefined }, hasUrl))]
  }
  return examine(config, agent, hasUrl)
}

// A wrong value is reported with the settings.
function readUrl(): string | undefined {
  try {
    return readAgent().url
  } catch {
    return undefined
  }
}

const labels = { ok: ['green', 'ok  '], warning: ['yellow', 'warn'], failed: ['red', 'FAIL'] } as const

function describe({ check, status, text, fix }: Finding): string[] {
  const [color, label] = labels[status]
  const [first = '', ...rest] = wrap(printable(text), ' '.repeat(8), `        ${check}: `)
  const lines = [`  ${paint(color, label)}  ${first.trimStart()}`, ...rest]
  return fix === undefined ? lines : [...lines, ...wrap(printable(fix), ' '.repeat(13), '        fix: ')]
}
