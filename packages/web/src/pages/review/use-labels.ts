import { usePage } from '../../api/queries.ts'

const most = 100

/** What a person calls their integrations, by id; undefined for one that is gone, or not known yet. */
export function useLabels(): (id: string) => string | undefined {
  const { data } = usePage('list-integrations', { limit: most })
  return (id) => data?.integrations.find((one) => one.id === id)?.label
}
