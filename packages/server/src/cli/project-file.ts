import { findProjectFile as find, ProjectFileError, type ProjectFile } from '@holdfast/hosts/project-file'
import { CommandError, exitCodes } from './exit-codes.ts'

/** The nearest `.holdfast.json` upwards from a folder; undefined where there is none. Throws a CommandError for one that is broken. */
export function findProjectFile(folder: string): ProjectFile | undefined {
  try {
    return find(folder)
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error
    throw new CommandError(exitCodes.failure, error.message, 'Write it anew, such as {"vault":"app"}.')
  }
}
