import { fastify } from 'fastify'

/** The least that a call over HTTP can cost: the same framework, which parses the body and sends it back. */
const server = fastify({ logger: false })
server.get('/', async () => ({}))
server.post('/', async (request) => request.body)
await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
