import { fastify } from 'fastify'

/** The minimum cost of an HTTP call: the same framework parses the body and sends it back. */
const server = fastify({ logger: false })
server.get('/', async () => ({}))
server.post('/', async (request) => request.body)
await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
