import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '../../api/call-error.ts'
import { refresh } from '../../api/queries.ts'
import { changesBetween } from './changes-between.ts'

interface Options<Saved, Values> {
  /** Undefined for one that is only made. */
  record: Saved | undefined
  form: UseFormReturnType<Values>
  valuesOf: (record: Saved) => Values
  reads: Parameters<typeof refresh>[1]
}

/** The record that a form was begun from, and whether somebody else was faster than who fills it in. */
export function useEditedRecord<Saved, Values extends object>({
  record,
  form,
  valuesOf,
  reads,
}: Options<Saved, Values>) {
  const [base, setBase] = useState(record)
  const [isOutdated, setOutdated] = useState(false)
  const client = useQueryClient()
  const goOnFrom = (newest: Saved, values: Values) => {
    form.setValues(values)
    setBase(newest)
    setOutdated(false)
  }
  return {
    base,
    isOutdated,
    /** Takes note of a refusal for being late, of which it reads the newer record; false for every other error. */
    isLate(error: Error): boolean {
      if (!(error instanceof CallError && error.status === 409)) return false
      setOutdated(true)
      void refresh(client, reads)
      return true
    },
    /** What was changed here over the newer record; all else as that has it. */
    keepMine(newest: Saved) {
      const before = base === undefined ? {} : valuesOf(base)
      goOnFrom(newest, { ...valuesOf(newest), ...changesBetween(before, form.getValues()) })
    },
    takeTheirs: (newest: Saved) => goOnFrom(newest, valuesOf(newest)),
  }
}
