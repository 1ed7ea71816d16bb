import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** The proxies that the tests know, each with the smallest configuration that shares connections to the server between clients. */

/** Each proxy puts a new id of its own into each request that it passes on, in place of what the client sent. */
export const idHeader = 'X-Proxy-Request'

interface Setting {
  folder: string
  /** Where the proxy listens. */
  port: number
  /** Where it sends requests to. */
  upstream: number
}

export interface Proxy {
  program: string
  /** Where Debian has it. */
  debian: string
  config(setting: Setting): string
  args(file: string, setting: Setting): string[]
}

export const nginx: Proxy = {
  program: 'nginx',
  debian: 'nginx-light',
  config: ({ folder, port, upstream }) => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream holdfast { server 127.0.0.1:${upstream}; keepalive 1; }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 8m;
    underscores_in_headers on;
    ignore_invalid_headers off;
    location / {
      proxy_pass http://holdfast;
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header ${idHeader} $request_id;
    }
  }
}
`,
  args: (file, { folder }) => ['-p', folder, '-e', join(folder, 'start.log'), '-c', file],
}

export const haproxy: Proxy = {
  program: 'haproxy',
  debian: 'haproxy',
  config: ({ port, upstream }) => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend all
  bind 127.0.0.1:${port}
  http-request set-header ${idHeader} %[uuid()]
  default_backend holdfast
backend holdfast
  server one 127.0.0.1:${upstream} pool-max-conn 1
`,
  args: (file) => ['-db', '-f', file],
}

const modules = '/usr/lib/apache2/modules'

export const apache: Proxy = {
  program: 'apache2',
  debian: 'apache2',
  config: ({ folder, port, upstream }) => `
ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
LoadModule mpm_event_module ${modules}/mod_mpm_event.so
LoadModule authz_core_module ${modules}/mod_authz_core.so
LoadModule unique_id_module ${modules}/mod_unique_id.so
LoadModule headers_module ${modules}/mod_headers.so
LoadModule proxy_module ${modules}/mod_proxy.so
LoadModule proxy_http_module ${modules}/mod_proxy_http.so
${process.getuid?.() === 0 ? 'User nobody\nGroup nogroup' : ''}
StartServers 1
ServerLimit 1
ProxyPreserveHost On
RequestHeader set ${idHeader} "%{UNIQUE_ID}e"
ProxyPass / http://127.0.0.1:${upstream}/ keepalive=On max=1 retry=0
`,
  args: (file, { folder }) => ['-X', '-d', folder, '-f', file],
}

/** Debian puts servers where a user's PATH doesn't lead. */
export const findProgram = ({ program }: Proxy): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

/** Starts it in front of the port, until the test ends. Returns its own port. */
export async function startProxy(proxy: Proxy, upstream: number): Promise<number> {
  const path = findProgram(proxy)
  if (path === undefined) throw new Error(`${proxy.program} is not installed`)
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-proxy-'))
  const setting = { folder, port: await findFreePort(), upstream }
  const file = join(folder, 'proxy.conf')
  writeFileSync(file, proxy.config(setting))
  const child = spawn(path, proxy.args(file, setting), { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  onTestFinished(async () => {
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })
  const giveUpAt = performance.now() + 20_000
  while (!(await accepts(setting.port))) {
    if (child.exitCode !== null || performance.now() > giveUpAt)
      throw new Error(`${proxy.program} did not start: ${output}`)
    await sleep(50)
  }
  return setting.port
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => (socket.destroy(), resolve(true)))
    socket.on('error', () => resolve(false))
  })
