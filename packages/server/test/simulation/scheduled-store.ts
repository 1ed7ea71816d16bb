// The store as actors of a simulation see it: each answer comes when the seed chooses it.

import {
  BinaryOperationNode,
  ColumnNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  type QueryId,
  ReferenceNode,
  type RootOperationNode,
} from 'kysely'
import type { Database } from '../../src/db/dialect.ts'
import type { Scheduler } from './scheduler.ts'

export interface Watched {
  /** Sees each statement of a transaction and what it returned. */
  onResult(node: RootOperationNode, rows: readonly unknown[]): void
  /** A column whose conditions this store forgets, as if they weren't in the code: what a bug would do. */
  forgets?: string | undefined
}

/** Replaces the functions of the store until the returned function is called. */
export function scheduleStore(db: Database, scheduler: Scheduler, { onResult, forgets }: Watched): () => void {
  const { read, write } = db
  const forgetting = forgets === undefined ? [] : [forgetConditions(forgets)]
  const whenChosen: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await scheduler.step('read')
      return result
    },
  }
  const statements = new WeakMap<QueryId, RootOperationNode>()
  const watching: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.set(queryId, node)
      return node
    },
    transformResult({ result, queryId }) {
      const node = statements.get(queryId)
      if (node !== undefined) onResult(node, result.rows)
      return Promise.resolve(result)
    },
  }
  Object.assign(db, {
    read: [...forgetting, whenChosen].reduce(add, read),
    write: (async (work) => {
      const actor = scheduler.actor()
      if (actor === undefined) return write(work)
      await scheduler.step('write')
      // A shared commit would run it as whoever came first.
      const own: typeof work = (tx) => scheduler.as(actor, () => work([...forgetting, watching].reduce(add, tx)))
      const outcome = await settled(scheduler.during(write(own)))
      await scheduler.step('error' in outcome ? 'failed' : 'written')
      if ('error' in outcome) throw outcome.error
      return outcome.value
    }) satisfies Database['write'],
  })
  return () => void Object.assign(db, { read, write })
}

const add = <K extends { withPlugin(plugin: KyselyPlugin): K }>(db: K, plugin: KyselyPlugin): K => db.withPlugin(plugin)

const settled = <T>(work: Promise<T>): Promise<{ value: T } | { error: unknown }> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

/** Compares the column with itself. */
function forgetConditions(column: string): KyselyPlugin {
  const transformer = new (class extends OperationNodeTransformer {
    protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
      const { leftOperand, operator } = node
      const isForgotten =
        ReferenceNode.is(leftOperand) &&
        ColumnNode.is(leftOperand.column) &&
        leftOperand.column.column.name === column &&
        OperatorNode.is(operator) &&
        ['=', '<='].includes(operator.operator)
      return super.transformBinaryOperation(isForgotten ? { ...node, rightOperand: leftOperand } : node)
    }
  })()
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: ({ result }) => Promise.resolve(result),
  }
}
