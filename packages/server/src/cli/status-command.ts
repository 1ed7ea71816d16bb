import type { Command } from 'commander'
import type { z } from 'zod'
import { status as statusOperation, statusRecord } from '../accounts/status.ts'
import { withCaller } from './caller.ts'
import { print, table, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'
import { readAnswer } from './read-answer.ts'

export function addStatusCommand(program: Command): void {
  const command = program.command('status').description('what runs here and how much it holds')
  withCommonOptions(command).action(async (options: CommonOptions) => {
    const target = targetOf(options, { mayCreate: false })
    const found = await withCaller(target, ({ call }) => call(statusOperation, {}))
    const status = readAnswer(statusRecord, found)
    print(options, found, [
      `Holdfast ${status.version}${status.isSetUp ? '' : ', not set up yet'}`,
      '',
      ...table([
        ['Instance', status.instanceId],
        ['Store', `${status.dialect}, data folder ${status.dataDir}`],
        ['Root key', status.rootKeyOrigin],
        ['Users', String(status.users)],
        ['Vaults', String(status.vaults)],
        ['This month', usageText(status.usage)],
        ['Memories', String(status.memories)],
        ['Embeddings', embeddingText(status)],
      ]),
    ])
  })
  withExamples(command, 'status --json')
}

type Status = z.output<typeof statusRecord>

function embeddingText({ embeddings, embeddingsFailure, records, vectorsMissing }: Status): string {
  if (embeddings === null) return 'none configured: searches go by words and links'
  const progress = `${embeddings}, ${records - vectorsMissing} of ${records} records done`
  if (embeddingsFailure === null) return progress
  const { code, advice } = embeddingsFailure
  return `${progress}; does not answer (${code})${advice === '' ? '' : `: ${advice}`}`
}

const usageText = ({ read, write, search, ingest, embeddingTokens }: Status['usage']) =>
  `${read} reads, ${write} writes, ${search} searches, ${ingest} turns and session events, ${embeddingTokens} embedding tokens`
