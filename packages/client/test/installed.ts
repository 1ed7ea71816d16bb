import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs npm in a folder. It is `npm.cmd` on Windows, which only a shell finds. */
export const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd, shell: process.platform === 'win32' })

/** Installs packages in a folder of their own, as somebody who uses them does: npm ends with an error if their peers conflict. */
export async function install(folder: string, ...packages: string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages)
}
