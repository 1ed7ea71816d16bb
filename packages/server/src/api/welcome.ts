import type { FastifyInstance } from 'fastify'

/** What somebody sees who opens the address in a browser: plain text, the same for everybody, nothing about this instance. */
export function addWelcomeRoute(server: FastifyInstance, version: string): void {
  server.get('/', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(welcomeText(version)))
}

const welcomeText = (version: string) => `Holdfast ${version}: encrypted memory for software agents.

API description   /openapi.json
Health            /healthz and /readyz

First start? On the machine that it runs on, make the owner and a first key:

  npm run -s holdfast -- setup --email you@example.org

A key for another agent:

  npm run -s holdfast -- keys create --label "Laptop"

Agents send their key as "Authorization: Bearer svc_..." to /api/agent/<operation>.
`
