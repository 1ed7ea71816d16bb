import type { ReactNode } from 'react'
import { useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { BothFactorsForm } from '../../components/forms/both-factors-form.tsx'
import { PasswordStep } from './password-step.tsx'

interface Props {
  action: {
    mutate(input: { password: string; code?: string }, options: { onError: (error: Error) => void }): void
    isPending: boolean
  }
  label: string
  color?: string
  onClose: () => void
  children: ReactNode
}

/** Asks for everything that signing in asks for, before a sensitive action: the password, and a code if there is a second factor. */
export function IdentityStep(props: Props) {
  const factor = useOperation('read-totp', {})
  return (
    <Loaded query={factor}>
      {({ totp }) => (totp === null ? <PasswordStep {...props} /> : <BothFactorsForm {...props} />)}
    </Loaded>
  )
}
