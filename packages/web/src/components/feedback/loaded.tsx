import { Alert, Button, Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../../api/call-error.ts'
import { SkeletonList } from './skeletons.tsx'

interface Props<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch' | 'isFetching'>
  /** Shown while loading. Default: rows of a list. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/** Shows a query's data, a skeleton while it loads, or its error with a button to retry. */
export function Loaded<Data>({ query, skeleton, children }: Props<Data>) {
  const { data, error, isPending, refetch, isFetching } = query
  return (
    <>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} isBusy={isFetching} />}
      {isPending && error === null && (skeleton ?? <SkeletonList />)}
      {data !== undefined && children(data)}
    </>
  )
}

export function ErrorNotice({ error, retry, isBusy = false }: { error: unknown; retry: () => void; isBusy?: boolean }) {
  return (
    <Alert color="red" variant="light" icon={<TriangleAlert size={18} aria-hidden />} role="alert" mb="md">
      <Group justify="space-between" gap="sm">
        <Text>{messageOf(error)}</Text>
        <Button variant="default" size="compact-sm" onClick={retry} loading={isBusy}>
          Try again
        </Button>
      </Group>
    </Alert>
  )
}
