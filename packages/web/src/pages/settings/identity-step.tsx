import { useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { IdentityForm, type IdentityProps } from '../../components/forms/identity-form.tsx'

/** Asks for everything that signing in asks for, before a sensitive action: the password, and a code if there is a second factor. */
export function IdentityStep(props: IdentityProps) {
  const factor = useOperation('read-totp', {})
  return <Loaded query={factor}>{({ totp }) => <IdentityForm {...props} asksCode={totp !== null} />}</Loaded>
}
