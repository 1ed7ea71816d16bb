import { usePage } from '../../api/queries.ts'

const most = 100

/** Returns a function that gives an integration's label; undefined if it is deleted or not loaded yet. */
export function useLabels(): (id: string) => string | undefined {
  const { data } = usePage('list-integrations', { limit: most })
  return (id) => data?.integrations.find((one) => one.id === id)?.label
}
