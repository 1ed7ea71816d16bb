import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '../../api/call-error.ts'
import { refresh } from '../../api/queries.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import { GitMerge } from 'lucide-react'
import { CodeBlock } from '../text/code-block.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { SkeletonList } from '../feedback/skeletons.tsx'

interface Options<Saved, Values> {
  /** Undefined for a record that is being created. */
  record: Saved | undefined
  /** The version of the record that the form's values are based on. Default: the record's. */
  version?: number | undefined
  form: UseFormReturnType<Values>
  valuesOf: (record: Saved) => Values
  reads: Parameters<typeof refresh>[1]
}

/** The record that a form started from, and whether someone else has changed it since. */
export function useEditedRecord<Saved extends { version: number }, Values extends object>({
  record,
  version = record?.version,
  form,
  valuesOf,
  reads,
}: Options<Saved, Values>) {
  const [base, setBase] = useState<Saved | undefined>(record && version !== undefined ? { ...record, version } : record)
  const [isOutdated, setOutdated] = useState(version !== record?.version)
  const client = useQueryClient()
  const goOnFrom = (newest: Saved, values: Values) => {
    form.setValues(values)
    setBase(newest)
    setOutdated(false)
  }
  return {
    base,
    isOutdated,
    /** Handles a version conflict by reading the newer record. Returns false for every other error. */
    handleConflict(error: Error): boolean {
      if (!(error instanceof CallError && error.status === 409)) return false
      setOutdated(true)
      void refresh(client, reads)
      return true
    },
    /** Applies the changes made in this form to the newer record. */
    keepMine(newest: Saved) {
      const before = base === undefined ? {} : valuesOf(base)
      goOnFrom(newest, { ...valuesOf(newest), ...changesBetween(before, form.getValues()) })
    },
    takeTheirs: (newest: Saved) => goOnFrom(newest, valuesOf(newest)),
  }
}

interface Props<Data, Saved extends { version: number }> {
  /** The newest record. */
  query: UseQueryResult<Data>
  read: (data: Data) => Saved
  /** The part that may differ from the edited one, as text. */
  print: (newest: Saved) => string
  /** The version that was edited here. */
  version: number
  onKeepMine: (newest: Saved) => void
  onTakeTheirs: (newest: Saved) => void
}

/** Someone else changed the record during the edit. Shows both texts and lets the person choose. */
export function EditConflict<Data, Saved extends { version: number }>(props: Props<Data, Saved>) {
  const { query, read, print, version, onKeepMine, onTakeTheirs } = props
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<GitMerge size={18} aria-hidden />}
      title="Changed by someone else"
      role="alert"
    >
      <Loaded query={query} skeleton={<SkeletonList rows={1} />}>
        {(data) => {
          const newest = read(data)
          // The newer record is still loading.
          if (newest.version === version) return <SkeletonList rows={1} />
          return (
            <>
              <Text mb="xs">Your changes below aren’t saved yet. The current version is:</Text>
              <CodeBlock isWrapped label={`Version ${newest.version}`} code={print(newest)} />
              <Group gap="xs" mt="sm">
                <Button size="xs" variant="default" onClick={() => onKeepMine(newest)}>
                  Keep my changes
                </Button>
                <Button size="xs" variant="default" onClick={() => onTakeTheirs(newest)}>
                  Discard my changes
                </Button>
              </Group>
            </>
          )
        }}
      </Loaded>
    </Alert>
  )
}

/** The values that differ from before. */
export function changesBetween<Values extends object>(before: Partial<Values>, values: Values): Partial<Values> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Values])
  return Object.fromEntries(Object.entries(values).filter(isChanged)) as Partial<Values>
}
