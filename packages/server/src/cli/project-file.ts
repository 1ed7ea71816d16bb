import * as projectFile from '@holdfast/hosts/project-file'
import { CommandError, exitCodes } from './exit-codes.ts'

/** Finds the project file of a folder. Throws a CommandError if the file is invalid. */
export const findProjectFile = (folder: string): projectFile.ProjectFile | undefined =>
  orCommandError(() => projectFile.findProjectFile(folder))

/** Returns the project's server, if it may name it. Throws a CommandError otherwise. */
export const getServerUrl = (project: projectFile.ProjectFile | undefined): string | undefined =>
  orCommandError(() => projectFile.getServerUrl(project))

function orCommandError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof projectFile.ProjectFileError)) throw error
    throw new CommandError(exitCodes.failure, error.message)
  }
}
