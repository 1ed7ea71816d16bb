// Global setup of tests that start many processes: one file of the command line's own code. From its 550 sources, each process would take
// 0.4 s of processor time more to start.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined in projects that start few processes. */
    program: string | undefined
  }
}

const packageFolder = join(import.meta.dirname, '..')
const main = join(packageFolder, 'src/main.ts')

/** The command line, for `node` to run. */
export const findProgram = (): string => inject('program') ?? main

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Inside the package, where Node finds its dependencies.
  const parent = join(packageFolder, '.built')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'program-'))
  // Only here, because tests import this file too.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: main,
    platform: 'node',
    external: (id) => !/^[./]|^@holdfast\//.test(id),
    plugins: [keepPlaces],
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  project.provide('program', join(folder, 'main.mjs'))
  return () => rm(folder, { recursive: true, force: true })
}

/** Sources find other files next to them. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: (code, id) =>
    code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}
