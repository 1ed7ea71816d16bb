import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { z } from 'zod'
import { commandLineHere } from '../core/program.ts'
import { checkedData, checkStoredData } from '../integrity/check-stored-data.ts'
import type { Problem } from '../integrity/problem.ts'
import { withCaller, type Caller } from './caller.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'
import { print, sameInstance, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'

interface Options extends CommonOptions {
  repair?: true
  vault?: string
  from?: string | undefined
}

export function addCheckCommand(program: Command): void {
  const command = program
    .command('check')
    .description('find damaged and missing records, while the server keeps running')
    .option('--repair', 'also repair what can be repaired')
    .option('--vault <id>', 'only this vault (default: everything of all users)')
    .option('--from <position>', 'continue where an interrupted check stopped')
  withCommonOptions(command)
    .addHelpText(
      'after',
      `
Reads everything that is stored: opens each encrypted value, and compares
plain columns, index entries, links, tags and the state of tasks with the
encrypted records.

--repair builds index entries again, and corrects what encrypted records say
otherwise. Records that don't open stay unchanged and are named: restore a
backup, or delete them permanently. Make a backup first:
  ${commandLineHere} backup

It also remembers, encrypted, which records it has seen in which version, and
names those that are gone, rolled back or changed although nobody did that.
--repair accepts them, so that the next check doesn't name them again.

The exit code is 1 if something is damaged or was repaired. Once everything
is repaired, the next check ends with 0. Texts are never printed.`,
    )
    .action(async (options: Options) => {
      const target = targetOf(options, { mayCreate: false })
      const found = await withCaller(target, (caller) => checkAll(caller, options))
      print(options, found, describe(found, options))
      refuseProblems(found)
    })
  withExamples(command, 'check', 'check --repair')
}

export interface Checked {
  rows: number
  problems: Problem[]
}

const retryMs = 2_000

/** A repair can show what another row needs. So many passes are more than any of 500 seeded damages took. */
const maxPasses = 4

/** Reads everything, and after repairs once more, until there is nothing left to repair. */
export async function checkAll(caller: Pick<Caller, 'call'>, options: Options, pace = { pauseMs: retryMs }) {
  const checked = await checkOnce(caller, options, pace)
  let last = checked.problems
  for (let pass = 2; pass <= maxPasses && last.some(({ state }) => state === 'repaired'); pass++) {
    const again = await checkOnce(caller, { ...options, from: undefined }, pace)
    last = again.problems.filter(({ state }) => state === 'repaired')
    checked.problems.push(...last)
  }
  return checked
}

/** Calls the server until it has read everything. If it is away for a minute, the error says how to continue. */
async function checkOnce(
  { call }: Pick<Caller, 'call'>,
  options: Options,
  { pauseMs }: { pauseMs: number },
): Promise<Checked> {
  const { repair, vault: vaultId, json } = options
  const isShown = json !== true && process.stderr.isTTY
  const checked: Checked = { rows: 0, problems: [] }
  let total = 0
  for (let from = options.from; ;) {
    const answer = await callPatiently(call, { dryRun: repair !== true, vaultId, from }, { options, pauseMs })
    checked.rows += answer.rows
    checked.problems.push(...answer.problems)
    total = answer.total ?? total
    if (isShown) process.stderr.write(`${checked.rows}${total > 0 ? ` of ${total}` : ''} rows read ...\n`)
    if (answer.next === null) return checked
    from = answer.next
  }
}

const attempts = 30

async function callPatiently(
  call: Caller['call'],
  input: { dryRun: boolean; vaultId: string | undefined; from: string | undefined },
  { options, pauseMs }: { options: Options; pauseMs: number },
): Promise<z.output<typeof checkedData>> {
  for (let attempt = 1; ; attempt++)
    try {
      return readAnswer(checkedData, await call(checkStoredData, input))
    } catch (error) {
      if (!(error instanceof CommandError) || error.exitCode !== exitCodes.unavailable) throw error
      if (attempt === attempts)
        throw new CommandError(error.exitCode, error.message, `To continue later: ${commandOf(options, input.from)}`)
      await sleep(pauseMs)
    }
}

const commandOf = (options: Options, from: string | undefined): string =>
  [
    `${commandLineHere} check${sameInstance(options)}`,
    ...(options.repair === true ? ['--repair'] : []),
    ...(options.vault === undefined ? [] : [`--vault ${options.vault}`]),
    ...(from === undefined ? [] : [`--from ${from}`]),
  ].join(' ')

export function describe({ rows, problems }: Checked, options: Options): string[] {
  if (problems.length === 0) return [`Everything stored is intact: ${rows} rows read.`]
  const count = (state: Problem['state']) => problems.filter((problem) => problem.state === state).length
  return [
    ...[
      ...Map.groupBy(problems, ({ vaultId, userId }) => (vaultId === null ? `User ${userId}` : `Vault ${vaultId}`)),
    ].flatMap(([place, found]) => ['', `${place}:`, ...found.map(describeProblem)]),
    '',
    `${rows} rows read. Repaired: ${count('repaired')}, to repair: ${count('repairable')}, lost: ${count('lost')}.`,
    ...(count('repairable') > 0 ? [`To repair them: ${commandOf({ ...options, repair: true }, undefined)}`] : []),
    ...(count('lost') > 0
      ? ['What is lost stays unchanged. Restore a backup, or delete these records permanently.']
      : []),
  ]
}

function describeProblem({ table, recordId, column, problem, state, detail }: Problem): string {
  const what = `${table}${column === null ? '' : `.${column}`}`
  return `  ${state.padEnd(10)}  ${problem.padEnd(11)}  ${what}  ${recordId}${detail === null ? '' : `: ${detail}`}`
}

/** Throws if anything was damaged, so that scripts notice. */
function refuseProblems({ problems }: Checked): void {
  if (problems.length === 0) return
  const left = problems.filter(({ state }) => state !== 'repaired').length
  throw new CommandError(
    exitCodes.failure,
    left === 0 ? `Repaired: ${problems.length}.` : `Damaged: ${left} of ${problems.length} problems are left.`,
  )
}
