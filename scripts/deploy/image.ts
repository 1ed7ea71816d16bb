// Builds and runs the image of the Dockerfile without a container engine, in folders instead of layers: its steps run in bubblewrap on
// the programs and libraries of this machine, where the image has those of Debian.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { findNpm } from '../bootstrap-npm.mjs'
import { root } from '../checks.ts'

interface Instruction {
  name: string
  text: string
}

/** What an image says about how to run it. */
export interface Image {
  folder: string
  env: Record<string, string>
  user: string
  workdir: string
  volumes: string[]
  entrypoint: string[]
  cmd: string[]
  healthcheck: string[]
}

/** Instructions with their lines joined. Comments end a line, as BuildKit reads them. */
function readDockerfile(text: string): Instruction[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      return { name, text: rest }
    })
}

/** The files that a build copies, as far as Git knows them. */
function listContext(ignore: string): string[] {
  const ignored = ignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  return listed
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .filter((path) => !ignored.some((pattern) => `/${path}/`.includes(`/${pattern.replace(/^\*\*\//, '')}/`)))
}

/** Runs all steps of the Dockerfile in folders below `place`. Only root may give files to the user of the image. */
export function buildImage(place: string): Image {
  const stages = new Map<string, string>()
  let image = emptyImage('')
  for (const { name, text } of readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))) {
    const words = text.split(/\s+/)
    if (name === 'FROM') {
      const [base = '', , alias = 'final'] = words
      image = emptyImage(join(place, alias))
      stages.set(alias, image.folder)
      makeBase(image.folder, base.startsWith('node:'))
    } else if (name === 'COPY') copy(image, words, stages)
    else if (name === 'RUN')
      execFileSync('bwrap', [...asBuilder(image), 'sh', '-ec', text], { stdio: ['ignore', 'ignore', 'inherit'] })
    else configure(image, name, text)
  }
  return image
}

const emptyImage = (folder: string): Image => ({
  folder,
  env: { PATH: '/usr/local/bin:/usr/bin' },
  user: 'root',
  workdir: '/',
  volumes: [],
  entrypoint: [],
  cmd: [],
  healthcheck: [],
})

function configure(image: Image, name: string, text: string): void {
  const words = text.split(/\s+/)
  const exec = () => JSON.parse(text.slice(text.indexOf('["'))) as string[]
  if (name === 'ENV') for (const word of words) image.env[word.split('=')[0] ?? ''] = word.slice(word.indexOf('=') + 1)
  else if (name === 'USER') image.user = text
  else if (name === 'WORKDIR') {
    image.workdir = text
    mkdirSync(join(image.folder, text), { recursive: true })
  } else if (name === 'VOLUME') image.volumes.push(text)
  else if (name === 'ENTRYPOINT') image.entrypoint = exec()
  else if (name === 'CMD') image.cmd = exec()
  else if (name === 'HEALTHCHECK') image.healthcheck = exec()
  else if (!['ARG', 'LABEL', 'EXPOSE'].includes(name))
    throw new Error(`The Dockerfile has ${name}, which this script doesn't know`)
}

function copy(image: Image, words: string[], stages: ReadonlyMap<string, string>): void {
  const from = /^--from=(.*)$/.exec(words[0] ?? '')?.[1]
  if (from !== undefined) {
    const [, source = '', target = ''] = words
    const folder = stages.get(from)
    if (folder === undefined) throw new Error(`The Dockerfile copies from ${from}, which it doesn't build`)
    cpSync(join(folder, source), join(image.folder, target), { recursive: true, verbatimSymlinks: true })
    return
  }
  for (const path of listContext(readFileSync(join(root, '.dockerignore'), 'utf8'))) {
    const target = join(image.folder, image.workdir, path)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(root, path), target)
  }
}

/** This machine's programs, with `/usr/local` of its own: there, the image of Node has Node and npm, and that of Debian nothing. */
const system = ['/usr/bin', '/usr/sbin', '/usr/lib', '/usr/lib64', '/usr/share', '/etc'].filter((path) =>
  existsSync(path),
)

function makeBase(folder: string, hasNode: boolean): void {
  for (const path of ['usr/local/bin', 'usr/local/lib/node_modules', 'var/cache/npm', 'tmp', 'dev', 'proc', ...system])
    mkdirSync(join(folder, path), { recursive: true })
  mkdirSync(npmCache, { recursive: true })
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'tmp'), 0o1777)
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name))
  if (!hasNode) return
  const npm = findNpm()
  if (npm === undefined) throw new Error('npm was not found')
  copyFileSync(process.execPath, join(folder, 'usr/local/bin/node'))
  cpSync(dirname(dirname(npm)), join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true })
}

const mounts = ['--proc', '/proc', '--dev', '/dev', ...system.flatMap((path) => ['--ro-bind', path, path])]

const setAll = (env: Record<string, string>) =>
  Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])

const npmCache = join(homedir(), '.npm')

/** With this process's environment: how to reach the registry. */
function asBuilder({ folder, env, workdir }: Image): string[] {
  const own = { ...env, HOME: '/tmp', npm_execpath: '', NODE_OPTIONS: '', npm_config_cache: '/var/cache/npm' }
  // What npm has downloaded before, whose hashes it checks again.
  const cache = ['--bind', npmCache, '/var/cache/npm']
  return ['--bind', folder, '/', ...mounts, ...cache, '--unshare-pid', '--chdir', workdir, ...setAll(own)]
}

/** As `docker run --read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp`, but on the network of this machine. */
export function runImage(image: Image, command: readonly string[], { env, volume, files = [] }: Run): ChildProcess {
  const base = ['--ro-bind', image.folder, '/', ...mounts, '--tmpfs', '/tmp', '--chmod', '1777', '/tmp']
  const bound = [
    ...image.volumes.flatMap((path) => ['--bind', volume, path]),
    ...files.flatMap(([from, to]) => ['--ro-bind', from, to]),
  ]
  const process = ['--unshare-pid', '--as-pid-1', '--die-with-parent', '--chdir', image.workdir, '--clearenv']
  const [uid = '', gid = ''] = image.user.split(':')
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const rights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  const settings = setAll({ ...image.env, ...env })
  return spawn('bwrap', [...base, ...bound, ...process, ...settings, 'setpriv', ...ids, ...rights, ...command])
}

interface Run {
  env: Record<string, string>
  /** The folder of the image's only volume. */
  volume: string
  /** Files of this machine, and where they are in the image. */
  files?: [from: string, to: string][]
}
