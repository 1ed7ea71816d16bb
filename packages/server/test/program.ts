// Global setup of tests that start many processes: they run the program as it is published, not its 550 sources. It starts in less
// than half of the processor time.

import { copyFileSync, symlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined in projects that start few processes. */
    program: string | undefined
  }
}

const packageFolder = join(import.meta.dirname, '..')

/** The command line, for `node` to run. */
export const findProgram = (): string => inject('program') ?? join(packageFolder, 'src/main.ts')

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Inside the package, where Node finds its dependencies.
  const parent = join(packageFolder, '.built')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'program-'))
  // Only here, because tests import this file too.
  const { bundle, serverPrograms } = await import('../../../scripts/pack/bundle.ts')
  await bundle(serverPrograms, join(folder, 'dist'))
  copyFileSync(join(packageFolder, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(packageFolder, 'assets'), join(folder, 'assets'), 'junction')
  symlinkSync(join(packageFolder, '../web/dist'), join(folder, 'dashboard'), 'junction')
  project.provide('program', join(folder, 'dist/main.js'))
  return () => rm(folder, { recursive: true, force: true })
}
