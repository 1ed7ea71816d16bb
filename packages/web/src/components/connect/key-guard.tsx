import { useCallback, useState, type ReactNode } from 'react'
import { CopyListener } from '../text/code-block.tsx'
import { UnsavedQuestion, useLeaveQuestion, type Place } from '../forms/unsaved.tsx'

interface Props {
  /** The new key that the page shows. */
  agentKey: string | undefined
  /** The agent has called with it. */
  isUsed: boolean
  isLeaving: (from: Place, to: Place) => boolean
  children: ReactNode
}

/** Asks before leaving a page that shows a new key, which nobody can see again, until the key was copied or used. */
export function KeyGuard({ agentKey, isUsed, isLeaving, children }: Props) {
  const [copied, setCopied] = useState<string>()
  const isAtRisk = useCallback(
    () => agentKey !== undefined && !isUsed && copied !== agentKey,
    [agentKey, isUsed, copied],
  )
  const { isAsking, stay, leave } = useLeaveQuestion(isAtRisk, isLeaving)
  const onCopy = useCallback(
    (text: string) => {
      if (agentKey !== undefined && text.includes(agentKey)) setCopied(agentKey)
    },
    [agentKey],
  )
  return (
    <CopyListener value={onCopy}>
      <div onCopy={() => onCopy(String(getSelection()))}>{children}</div>
      <UnsavedQuestion isOpen={isAsking} onStay={stay} onLeave={leave} title="Leave without the key?">
        You haven’t copied the key yet, and it can’t be shown again, only replaced.
      </UnsavedQuestion>
    </CopyListener>
  )
}
