import type { GraphNode } from '@holdfast/client/dashboard'
import { hasPage } from '../../shell/navigation.ts'
import { kindOf } from './graph-model.ts'

/** Where a node's own page is; undefined where there is none. */
export function pathOf(node: Pick<GraphNode, 'id' | 'type' | 'memoryType'>): string | undefined {
  const kind = kindOf(node)
  const page = kind === 'note' ? '/notes' : kind === 'task' && hasPage('/tasks') ? '/tasks' : '/memories'
  return hasPage(page) ? `${page}/${node.id}` : undefined
}
