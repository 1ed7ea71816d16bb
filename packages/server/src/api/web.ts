// Serves the built dashboard: one page for all addresses, and the files that it loads. Files are read on each request, so
// a new build needs no restart. Browsers cache them forever, since a file's name changes with its content.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const assetsPath = '/assets/'

// Data and documentation. Unknown paths below these get an error in JSON, not the page.
const otherPaths = ['/api', '/mcp', '/docs', '/oauth', '/.well-known', assetsPath.slice(0, -1)]

/** The names that the build gives to files. They can't lead out of the folder. */
const assetName = /^\w[\w-]*(\.[\w-]+)+$/

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
}

const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

export function addAssets(server: FastifyInstance, folder: string): void {
  server.get(`${assetsPath}*`, async (request, reply) => {
    const asset = await findAsset(folder, request)
    if (asset === undefined) return reply.callNotFound()
    void reply.type(asset.type).header('Vary', 'Accept-Encoding')
    if (asset.encoding !== undefined) void reply.header('Content-Encoding', asset.encoding)
    return reply.header('Cache-Control', 'public, max-age=31536000, immutable').send(asset.bytes)
  })
}

/**
 * Sends the dashboard's page if a browser asks for one. If there is no build, the page says how to make one. Undefined
 * for other requests.
 */
export const answerPage = (
  folder: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> | undefined => (isForPage(request) ? sendPage(folder, request, reply) : undefined)

function isForPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?')
  if (method !== 'GET' && method !== 'HEAD') return false
  if (otherPaths.some((other) => path === other || path.startsWith(`${other}/`))) return false
  return headers.accept?.includes('text/html') ?? false
}

async function sendPage(folder: string, { url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const page = await readIfThere(join(folder, 'index.html'))
  void reply.type('text/html; charset=utf-8').header('Vary', 'Accept')
  if (page === undefined) return reply.status(503).header('Content-Security-Policy', noBuildPolicy).send(noBuildPage)
  // Never used twice: anyone who guesses it can add styles.
  const nonce = randomBytes(18).toString('base64url')
  // A program that opens the page of decisions in its own window waits there for the answer.
  const opener = url.startsWith('/authorize?') ? 'unsafe-none' : 'same-origin'
  return reply
    .headers({ 'Content-Security-Policy': pagePolicy(nonce), 'Cross-Origin-Opener-Policy': opener })
    .send(page.toString('utf8').replaceAll('__CSP_NONCE__', nonce))
}

/**
 * Scripts come only from this server, and requests go only to it. Styles may carry the nonce, because the component
 * library writes some into the page. In browsers that support trusted types, text can't become markup; the dashboard's
 * first file sets that policy.
 */
const pagePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')

interface Asset {
  bytes: Buffer
  type: string
  encoding: string | undefined
}

async function findAsset(folder: string, { url, headers }: FastifyRequest): Promise<Asset | undefined> {
  const name = url.split('?')[0]?.slice(assetsPath.length) ?? ''
  const type = types[extname(name)]
  if (type === undefined || !assetName.test(name)) return undefined
  const file = join(folder, 'assets', name)
  for (const { name: encoding, ending } of acceptedEncodings(headers['accept-encoding'])) {
    const bytes = await readIfThere(file + ending)
    if (bytes !== undefined) return { bytes, type, encoding }
  }
  const bytes = await readIfThere(file)
  return bytes === undefined ? undefined : { bytes, type, encoding: undefined }
}

/** Best first (RFC 9110, section 12.5.3). */
export function acceptedEncodings(header = '') {
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((item) => /^\s*([^\s;]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(item) ?? [])
      .map(([, name = '', weight = '1']) => [name, Number(weight)]),
  )
  return encodings
    .map((encoding) => ({ ...encoding, weight: weights.get(encoding.name) ?? weights.get('*') ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
}

const noFile: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

export async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (noFile.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

const noBuildPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const noBuildPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Holdfast</title>
<h1>The dashboard is not built</h1>
<p>Everything else is running. In the checkout, build it, then reload this page:</p>
<pre>npm run build -w @holdfast/web</pre>
<p><code>npm start</code> builds it automatically. Until then, use the <a href="/docs/reference">API</a> or the command line.</p>
`
