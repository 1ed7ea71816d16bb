import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useEffect } from 'react'
import { useReachable } from '../api/reachability.ts'
import { useOperation } from '../api/queries.ts'
import classes from './offline-notice.module.css'

const retryMs = 3_000

/** Shows that the server can't be reached, keeps retrying, and refreshes all pages once it is back. */
export function OfflineNotice() {
  const isReachable = useReachable()
  const client = useQueryClient()
  useOperation('get-setup', {}, { enabled: !isReachable, refetchInterval: isReachable ? false : retryMs })
  useEffect(() => {
    if (isReachable) return
    return () => void client.invalidateQueries()
  }, [isReachable, client])
  return (
    <div role="status">
      {!isReachable && (
        <div className={classes.notice}>
          <CloudOff size={16} aria-hidden />
          The server can’t be reached. You may be seeing old data. Reconnecting…
        </div>
      )}
    </div>
  )
}
