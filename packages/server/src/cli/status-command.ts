import type { Command } from 'commander'
import type { z } from 'zod'
import { readStatus, statusRecord } from '../machine/read-status.ts'
import { withCaller } from './caller.ts'
import { ageOf } from './human.ts'
import { print, table, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'
import { readAnswer } from './exit-codes.ts'

export function addStatusCommand(program: Command): void {
  const command = program.command('status').description('show what runs here and how much it stores')
  withCommonOptions(command).action(async (options: CommonOptions) => {
    const target = targetOf(options, { mayCreate: false })
    const found = await withCaller(target, ({ call }) => call(readStatus, {}))
    const status = readAnswer(statusRecord, found)
    print(options, found, [
      `Holdfast ${status.version}${status.isSetUp ? '' : ', not set up yet'}`,
      '',
      ...table([
        ['Instance', status.instanceId],
        ['Store', `${status.dialect}, data folder ${status.dataDir}`],
        ['Root key', `${status.rootKeyOrigin}, ${keyText(status)}`],
        ['Users', String(status.users)],
        ['Vaults', String(status.vaults)],
        ['This month', usageText(status.usage)],
        ['Memories', String(status.memories)],
        ['Embeddings', embeddingText(status)],
        ['Backup', backupText(status)],
      ]),
    ])
  })
  withExamples(command, 'status --json')
}

type Status = z.output<typeof statusRecord>

function embeddingText({ embeddings, embeddingsFailure, records, vectorsMissing }: Status): string {
  if (embeddings === null) return 'not configured: searches use words and links'
  const progress = `${embeddings}, ${records - vectorsMissing} of ${records} records embedded`
  if (embeddingsFailure === null) return progress
  const { code, advice } = embeddingsFailure
  return `${progress}; provider does not answer (${code})${advice === '' ? '' : `: ${advice}`}`
}

const keyStates = {
  settled: '',
  prepared: '; a new one is prepared: run rotate-keys',
  unfinished: '; rotation unfinished: run rotate-keys',
} as const

const keyText = ({ rootKeySince, rootKeyState }: Status) => `since ${rootKeySince}${keyStates[rootKeyState]}`

function backupText({ backups }: Status): string {
  if (backups === null) return 'use PostgreSQL tools'
  const { latestAt, damaged, failure } = backups
  const latest = latestAt === null ? 'none yet' : `latest ${ageOf(latestAt)}`
  const problems = [
    damaged > 0 ? `${damaged} cannot be restored` : '',
    failure === null ? '' : `the last one failed: ${failure}`,
  ]
  return [latest, ...problems.filter((problem) => problem !== '')].join('; ')
}

const usageText = ({ read, write, search, ingest, embeddingTokens }: Status['usage']) =>
  `${read} reads, ${write} writes, ${search} searches, ${ingest} turns and session events, ${embeddingTokens} embedding tokens`
