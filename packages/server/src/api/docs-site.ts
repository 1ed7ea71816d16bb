// Serves the documentation site that `npm run docs` builds, at /docs/. It is the same for everyone. Without a built site, the reference
// takes its place.

import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncodings, readIfThere } from './web.ts'

/** Where the server describes its own operations. No page of the site has this name. */
export const referencePath = '/docs/reference'

const base = '/docs/'

/** Folders and names of the build. They can't lead out of the folder, and no name begins with a dot. */
const sitePath = /^(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*$/

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
}

/** Nothing in a page itself runs: the build moves scripts and styles into files (site/.vitepress). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Icons in the style sheet.
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export function addDocsSite(server: FastifyInstance, folder: string): void {
  // Redirects are relative, because a proxy may add a path prefix.
  server.get('/docs', async (request, reply) =>
    (await findFile(folder, 'index.html', request)) === undefined
      ? reply.redirect('docs/reference', 302)
      : reply.redirect('docs/', 308),
  )
  server.get(`${base}*`, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    const file = await findFile(folder, path === '' || path.endsWith('/') ? `${path}index.html` : path, request)
    if (file !== undefined) return sendFile(file, reply)
    // Temporary, because the site may be built later. The dashboard links to pages.
    const isPage = path === '' || /^[\w-]+\.html$/.test(path)
    return isPage && (await findFile(folder, 'index.html', request)) === undefined
      ? reply.redirect('reference', 302)
      : reply.callNotFound()
  })
}

const sendFile = ({ bytes, isZipped, type, caching }: SiteFile, reply: FastifyReply) =>
  reply
    .type(type)
    .headers({ 'Content-Security-Policy': policy, 'Cache-Control': caching, Vary: 'Accept-Encoding' })
    .headers(isZipped ? { 'Content-Encoding': 'gzip' } : {})
    .send(bytes)

interface SiteFile {
  bytes: Buffer
  isZipped: boolean
  type: string
  caching: string
}

/** The package has texts only compressed, which halves what the site adds to it. */
async function findFile(folder: string, path: string, { headers }: FastifyRequest): Promise<SiteFile | undefined> {
  const type = types[extname(path)]
  if (type === undefined || !sitePath.test(path)) return undefined
  const file = join(folder, path)
  // The names of other files stay when their content changes.
  const caching = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  const zipped = await readIfThere(`${file}.gz`)
  if (zipped === undefined) {
    const bytes = await readIfThere(file)
    return bytes === undefined ? undefined : { bytes, isZipped: false, type, caching }
  }
  const isZipped = acceptedEncodings(headers['accept-encoding']).some(({ name }) => name === 'gzip')
  return { bytes: isZipped ? zipped : await promisify(gunzip)(zipped), isZipped, type, caching }
}
