import * as projectFile from '@holdfast/hosts/project-file'
import { CommandError, exitCodes } from './exit-codes.ts'

/** That of a folder; undefined where there is none. Throws a CommandError for one that cannot be gone by. */
export const findProjectFile = (folder: string): projectFile.ProjectFile | undefined =>
  orCommandError(() => projectFile.findProjectFile(folder))

/** The server that a project may name. Throws a CommandError for another. */
export const serverOf = (project: projectFile.ProjectFile | undefined): string | undefined =>
  orCommandError(() => projectFile.serverOf(project))

function orCommandError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof projectFile.ProjectFileError)) throw error
    throw new CommandError(exitCodes.failure, error.message)
  }
}
