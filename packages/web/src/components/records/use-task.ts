import { useQuery } from '@tanstack/react-query'
import { CallError } from '../../api/call-error.ts'
import { keyOf, read } from '../../api/queries.ts'

/** One task, archived or not. */
export function useTask(vaultId: string, id: string) {
  const input = { vaultId, taskIds: [id], includeArchived: true }
  return useQuery({
    queryKey: keyOf('list-tasks', input),
    queryFn: ({ signal }) => read('list-tasks', input, signal),
    select({ tasks: [task] }) {
      if (task === undefined) throw new CallError(404, 'Task not found')
      return task
    },
  })
}
