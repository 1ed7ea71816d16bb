// Bugs that the simulator has to find. Each one changes what the driver sends, as if the code had asked for something else.

import type { QueryResult } from 'pg'
import type { Plant, PostgresNetwork, Session } from './postgres-network.ts'

export interface PlantedBug {
  name: string
  /** What the simulator says about it. */
  shows: RegExp
  /** Made for each history. */
  plant(network: PostgresNetwork): Plant
}

const answer = (command: string, rows: Record<string, unknown>[] = []): QueryResult => ({
  command,
  rows,
  rowCount: rows.length,
  oid: 0,
  fields: [],
})

/** In a transaction, answers with what the same query returned before it: what was checked then is not checked again. */
const staleInTransaction =
  (isMeant: (sql: string) => boolean): PlantedBug['plant'] =>
  () => {
    const earlier = new Map<string, QueryResult>()
    return ({ endpoint, isInTransaction, send }, sql, values) => {
      if (!isMeant(sql)) return undefined
      const asked = `${endpoint.id} ${sql} ${JSON.stringify(values)}`
      const known = earlier.get(asked)
      if (isInTransaction) return known && Promise.resolve(known)
      return send(sql, values).then((result) => {
        earlier.set(asked, result)
        return result
      })
    }
  }

/** Sends it on a connection of its own, where it takes effect at once. */
const outside = (network: PostgresNetwork, sql: string, values: readonly unknown[]): Promise<QueryResult> =>
  network.direct.query(sql, [...values])

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'a job is claimed without a look at when its lease ends',
    shows: /leases of a job contradict/,
    plant: () => (session, sql, values) =>
      sql.startsWith('insert into "jobLeases"')
        ? session.send(sql.replace(/"jobLeases"\."leaseUntil" <= (\$\d+)/, '($1::bigint is not null)'), values)
        : undefined,
  },
  {
    name: 'a task is claimed as it was before the transaction',
    shows: /claims of a task contradict/,
    plant: staleInTransaction((sql) => /^select .*from "(memories|tasks)"/.test(sql) && !sql.includes('externalTag')),
  },
  {
    name: 'an idempotency key is looked up before the transaction only',
    shows: /writes under .* contradict|no fault explains/,
    plant: staleInTransaction((sql) => /^select .*"externalTag" =/.test(sql)),
  },
  {
    name: 'a commit is acknowledged before it is durable',
    shows: /is gone|contradict/,
    plant: acknowledgeEarly,
  },
  {
    name: 'an event is queued outside of the transaction',
    shows: /rolled back/,
    plant: (network) => (_session, sql, values) =>
      sql.startsWith('insert into "webhookDeliveries"') ? outside(network, sql, values) : undefined,
  },
  {
    name: 'an index takes a change number for current that is older',
    shows: /searches contradict/,
    plant: () => {
      const before = new Map<string, unknown>()
      return ({ send }, sql, values) => {
        if (!sql.includes('"vault"."seq"')) return undefined
        return send(sql, values).then((result) => {
          for (const row of result.rows as { seq: unknown }[]) {
            const vault = JSON.stringify(values)
            const last = before.get(vault) ?? row.seq
            before.set(vault, row.seq)
            row.seq = last
          }
          return result
        })
      }
    },
  },
  {
    name: 'change numbers are taken outside of the transaction',
    shows: /contradict|no fault explains/,
    plant: (network) => (_session, sql, values) =>
      sql.startsWith('update "vaults" set "seq"') ? outside(network, sql, values) : undefined,
  },
]

/** The commit follows a few steps later, unless the server crashes before. */
function acknowledgeEarly(): Plant {
  const owed = new Set<Session['client']>()
  return ({ client, send, later }, sql, values) => {
    const pay = () => (owed.delete(client) ? send('commit', []) : undefined)
    if (sql !== 'commit') return pay()?.then(() => send(sql, values))
    owed.add(client)
    void later(async () => void (await pay()))
    return Promise.resolve(answer('COMMIT'))
  }
}
