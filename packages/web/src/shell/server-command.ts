import { holdfast } from '../command-line.ts'
import { useSession } from './session.ts'

/** Returns a function that prints a command for the store of this server, wherever its data folder is. */
export function useServerCommand(): (args: string) => string {
  const { data } = useSession()
  const options = data?.commandOptions ?? ''
  return (args) => holdfast(args + options)
}
