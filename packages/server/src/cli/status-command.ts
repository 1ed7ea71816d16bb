import type { Command } from 'commander'
import type { z } from 'zod'
import { statusRecord } from '../accounts/status.ts'
import { withCaller } from './caller.ts'
import { print, table, targetOf, withCommonOptions, type CommonOptions } from './options.ts'
import { readAnswer } from './read-answer.ts'

export function addStatusCommand(program: Command): void {
  const command = program.command('status').description('what runs here and how much it holds')
  withCommonOptions(command).action(async (options: CommonOptions) => {
    const target = targetOf(options, { mayCreate: false })
    const found = await withCaller(target, ({ call }) => call('status', {}))
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
        ['Memories', `${status.memories} (${embeddingText(status)})`],
      ]),
    ])
  })
}

type Status = z.output<typeof statusRecord>

const embeddingText = ({ embeddings, vectorsMissing }: Status) =>
  embeddings === null ? 'no embeddings configured' : `${vectorsMissing} records wait for an embedding by ${embeddings}`

const usageText = ({ read, write, search, ingest, embeddingTokens }: Status['usage']) =>
  `${read} reads, ${write} writes, ${search} searches, ${ingest} turns and session events, ${embeddingTokens} embedding tokens`
