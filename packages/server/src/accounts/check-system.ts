import { z } from 'zod'
import { failed, ok, type Finding } from '../core/finding.ts'
import { checkBackups, readBackupHealth } from '../backups/check-backups.ts'
import { canRead } from '../db/can-read.ts'
import { adviceFor, checkEmbeddings } from '../embeddings/check-provider.ts'
import { checkDataFolder } from '../instance/check-data-folder.ts'
import { checkRootKey } from '../instance/check-root-key.ts'
import { readRootKeyUse } from '../instance/root-key-store.ts'
import type { FailingJob, Services } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { countEverything } from './store.ts'

export const checkSystem = operation({
  name: 'check-system',
  for: { person: 'GET /api/system/check' },
  summary: 'What the server can tell of its own health, each with what to do about it. For the owner alone.',
  effect: 'read',
  outdatedBy: ['settings', 'account'],
  input: z.object({}),
  output: z.looseObject({
    checks: z
      .array(
        z.looseObject({
          check: z.string().describe('What was looked at.'),
          status: z.enum(['ok', 'warning', 'failed']),
          text: z.string(),
          fix: z.string().nullable().describe('What to do, in words that can be followed; null where all is well.'),
        }),
      )
      .nullable()
      .describe('Null for those who are not the owner.'),
  }),
  examples: {
    input: {},
    output: {
      checks: [
        { check: 'database', status: 'ok', text: 'SQLite answers', fix: null },
        {
          check: 'root key',
          status: 'failed',
          text: 'Others on this machine can read /etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key.',
          fix: 'chmod 600 "/etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key"',
        },
      ],
    },
  },
  async run(_input, { actor, ...services }) {
    if (!actor.isOwner) return { checks: null }
    const findings = await examine(services)
    return { checks: findings.map(({ check, status, text, fix }) => ({ check, status, text, fix: fix ?? null })) }
  },
})

async function examine({ db, dataDir, instance, embeddings, jobs, backups, now }: Services): Promise<Finding[]> {
  const name = db.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  if (!(await canRead(db)))
    return [failed('database', `${name} does not answer.`, 'Start it; nothing works without it.')]
  const backupHealth = await readBackupHealth(backups)
  const code = embeddings?.failure
  const state = {
    embeddings: embeddings?.id ?? null,
    embeddingsFailure: code === undefined ? null : { code, advice: adviceFor(code) },
    ...(await countEverything(db.read)),
  }
  return [
    ok('database', `${name} answers`),
    ...checkDataFolder({ dataDir, isEmbedded: db.dialect === 'sqlite' }),
    checkRootKey(instance.rootKeyOrigin, await readRootKeyUse(db.read, instance)),
    checkEmbeddings(state),
    ...checkJobs(jobs.failing()),
    ...(backupHealth === undefined ? [] : [checkBackups(backupHealth, { records: state.records, now: now() })]),
  ]
}

const checkJobs = (failing: readonly FailingJob[]): Finding[] =>
  failing.length === 0
    ? [ok('background work', 'the last run of every job went through')]
    : failing.map(({ name, failures }) =>
        failed(
          'background work',
          `The last run of ${name} failed (${failures} since the start).`,
          'It is tried again by itself. The log of the server says why it failed.',
        ),
      )
