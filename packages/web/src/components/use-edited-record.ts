import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '../api/call-error.ts'
import { refresh } from '../api/queries.ts'

/** The version of a record that an edit is of, and whether somebody else was faster. Undefined for one that is only made. */
export function useEditedVersion(initial: number | undefined, reads: Parameters<typeof refresh>[1]) {
  const [version, setVersion] = useState(initial)
  const [isOutdated, setOutdated] = useState(false)
  const client = useQueryClient()
  return {
    version,
    isOutdated,
    /** Takes note of a refusal for being late, of which it reads the newer record; false for every other error. */
    isLate(error: Error): boolean {
      if (!(error instanceof CallError && error.status === 409)) return false
      setOutdated(true)
      void refresh(client, reads)
      return true
    },
    /** The edit is of this one from now on. */
    take(newest: { version: number }): void {
      setVersion(newest.version)
      setOutdated(false)
    },
  }
}
