import { useServerCommand } from '../../shell/server-command.ts'
import { useSession } from '../../shell/session.ts'

/** The command that removes the second factor and all passkeys of the person. */
export function useResetCommand(): string {
  const holdfast = useServerCommand()
  const { data } = useSession()
  return holdfast(`users reset-factor --email ${data?.user.email ?? ''}`)
}
