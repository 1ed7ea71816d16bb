import type { FastifyInstance } from 'fastify'
import type { Route } from '../operation/operation.ts'
import { printLlmsText } from './llms-text.ts'
import { openApiDocument } from './openapi.ts'
import { printReferencePage, referencePolicy } from './reference-page.ts'
import { answerPage } from './web.ts'

interface Pages {
  routes: readonly Route[]
  version: string
  webDir: string
}

/**
 * What is the same for everyone who opens this address and says nothing about this instance. Printing takes as long as all
 * the rest of a start, so each page is printed when it is first asked for.
 */
export function addPages(server: FastifyInstance, { routes, version, webDir }: Pages): void {
  const welcome = welcomeText(version)
  const policy = referencePolicy()
  const reference = once(() => printReferencePage(routes, version))
  const llmsText = once(() => printLlmsText(routes, version))
  const document = once(() => openApiDocument(routes, version))
  server.get(
    '/',
    async (request, reply) =>
      (await answerPage(webDir, request, reply)) ??
      reply.type('text/plain; charset=utf-8').header('Vary', 'Accept').send(welcome),
  )
  server.get('/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('Content-Security-Policy', policy).send(reference()),
  )
  // Relative, since a proxy may stand before the path.
  server.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308))
  server.get('/llms.txt', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(llmsText()))
  server.get('/openapi.json', async () => document())
}

function once<T>(print: () => T): () => T {
  let printed: T | undefined
  return () => (printed ??= print())
}

const welcomeText = (version: string) => `Holdfast ${version}: encrypted memory for software agents.

Dashboard         / in a browser
API reference     /docs
For models        /llms.txt
API description   /openapi.json
MCP server        /mcp
Health            /healthz and /readyz

First start? Open / in a browser, or make the owner and a first key on the machine that it runs on:

  npm run -s holdfast -- setup --email you@example.org

A key for another agent:

  npm run -s holdfast -- keys create --label "Laptop"

Agents send their key as "Authorization: Bearer svc_..." to /api/agent/<operation>.
`
