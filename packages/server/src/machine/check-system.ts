import { z } from 'zod'
import { countDamagedUsers, countEverything } from '../accounts/store.ts'
import { countDamagedProfiles } from '../auth/store.ts'
import { checkBackups, readBackupHealth } from '../backups/check-backups.ts'
import { type Finding, failed, ok, warning } from '../core/finding.ts'
import { dataDirOption } from '../core/program.ts'
import { findOutage } from '../db/watch-writes.ts'
import { adviceFor, checkEmbeddings } from '../embeddings/check-provider.ts'
import type { Reranker } from '../rerank/reranker.ts'
import { checkRecords } from './check-records.ts'
import { checkDataFolder, checkRootKey } from '../instance/check-files.ts'
import { readRootKeyUse } from '../instance/root-key-store.ts'
import type { FailingJob, Services } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'

export const systemChecks = z.looseObject({
  checks: z
    .array(
      z.looseObject({
        check: z.string().describe('What was checked.'),
        status: z.enum(['ok', 'warning', 'failed']),
        text: z.string(),
        fix: z.string().nullable().describe('How to fix it; null if there is no problem.'),
      }),
    )
    .nullable()
    .describe('Null unless you are the owner.'),
})

export const checkSystem = operation({
  name: 'check-system',
  for: { person: 'GET /api/system/check' },
  summary: "Check the server's health. Each problem says how to fix it. Owner only.",
  effect: 'read',
  outdatedBy: ['settings', 'account'],
  input: z.object({
    records: z
      .boolean()
      .optional()
      .describe(
        'Also look for damaged records of all users, which opens everything stored, or as much as takes 20 seconds.',
      ),
  }),
  output: systemChecks,
  examples: {
    input: {},
    output: {
      checks: [
        { check: 'database', status: 'ok', text: 'SQLite responds', fix: null },
        {
          check: 'root key',
          status: 'failed',
          text: 'Others on this machine can read /etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key.',
          fix: 'chmod 600 /etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key',
        },
      ],
    },
  },
  async run({ records }, { actor, ...services }) {
    if (!actor.isOwner) return { checks: null }
    const findings = [...(await examine(services)), ...(records === true ? [await checkRecords(services)] : [])]
    return { checks: findings.map(({ check, status, text, fix }) => ({ check, status, text, fix: fix ?? null })) }
  },
})

type Deps = Pick<
  Services,
  'db' | 'dataDir' | 'instance' | 'embeddings' | 'reranker' | 'jobs' | 'ignoredFields' | 'backups' | 'now'
>

async function examine({
  db,
  dataDir,
  instance,
  embeddings,
  reranker,
  jobs,
  ignoredFields,
  backups,
  now,
}: Deps): Promise<Finding[]> {
  const name = db.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const outage = await findOutage(db)
  if (outage !== undefined) return [failed('database', outage, 'Fix it first. Until then, other checks say little.')]
  const backupHealth = await readBackupHealth(backups)
  const code = embeddings?.failure
  const state = {
    embeddings: embeddings?.id ?? null,
    embeddingsFailure: code === undefined ? null : { code, advice: adviceFor(code) },
    ...(await countEverything(db.read)),
  }
  return [
    ok('database', `${name} responds`),
    ...checkProfiles({
      users: await countDamagedUsers(db.read, instance),
      integrations: await countDamagedProfiles(db.read, instance),
    }),
    ...checkDataFolder({ dataDir, isEmbedded: db.dialect === 'sqlite' }),
    checkRootKey(instance.rootKeyOrigin, await readRootKeyUse(db.read, instance), dataDirOption(dataDir)),
    checkEmbeddings(state),
    ...(reranker === undefined ? [] : [checkReranker(reranker)]),
    ...checkJobs(jobs.failing()),
    checkCalls(ignoredFields),
    ...(backupHealth === undefined
      ? []
      : [checkBackups(backupHealth, { records: state.records, now: now(), instance: dataDirOption(dataDir) })]),
  ]
}

/** The name of the finding about the reranker, whose calls only a running server knows. */
export const rerankerCheck = 'reranker'

const checkReranker = ({ failure, budgetMs }: Reranker): Finding =>
  failure === undefined
    ? ok(rerankerCheck, `answered the last time, within its ${budgetMs} ms, or was not asked yet`)
    : warning(
        rerankerCheck,
        `The last call failed (${failure}), so searches keep the order without it.`,
        failure === 'timeout'
          ? 'Give it a faster machine or model, or raise HOLDFAST_RERANKER_BUDGET_MS.'
          : 'Check that it runs, and HOLDFAST_RERANKER_URL, _KEY and _MODEL.',
      )

const checkJobs = (failing: readonly FailingJob[]): Finding[] =>
  failing.length === 0
    ? [ok('background work', 'every job succeeded the last time it ran')]
    : failing.map(({ name, failures }) =>
        failed(
          'background work',
          `The last run of ${name} failed (${failures} since the start).`,
          "It is retried automatically. See the server's log for the reason.",
        ),
      )

/** The name of the finding about fields that operations don't have. */
export const callsCheck = 'calls'

/** Without the names of the fields, which callers choose. */
function checkCalls(ignored: ReadonlyMap<string, number>): Finding {
  const calls = [...ignored].map(([name, count]) => `${name} (${count})`)
  return calls.length === 0
    ? ok(callsCheck, 'no agent sent unknown fields')
    : warning(
        callsCheck,
        `Agents sent fields that the operation does not have, so they were ignored. Calls since the start: ${calls.join(', ')}.`,
        'The header X-Ignored-Fields of those responses names the fields. Correct them in the agent; /docs lists what each operation takes.',
      )
}

const checkProfiles = ({ users, integrations }: { users: number; integrations: number }): Finding[] =>
  users + integrations === 0
    ? []
    : [
        failed(
          'profiles',
          `Stored names are damaged. Users: ${users}, agents: ${integrations}.`,
          'Restore a backup, or set the email address or the name of the agent again. The log names the rows (cell_damaged).',
        ),
      ]
