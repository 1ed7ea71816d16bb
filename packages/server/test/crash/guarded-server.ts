// A program for no-network.test.ts: a server with only its folders set, in one process with its caller, in which every network access
// is recorded and blocked. Prints what the searches found and which accesses were tried.

import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'

const attempts: string[] = []

const refuse = (name: string) => (): never => {
  attempts.push(name)
  throw new Error('no network')
}

Object.assign(net.Socket.prototype, { connect: refuse('connect') })
Object.assign(dgram.Socket.prototype, { send: refuse('send'), connect: refuse('connect') })
Object.assign(dns, { lookup: refuse('lookup'), resolve: refuse('resolve') })
Object.assign(dns.promises, { lookup: refuse('lookup'), resolve: refuse('resolve') })

const [, , dataDir = '', keyDir = ''] = process.argv
const settings = { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_KEY_DIR: keyDir, HOLDFAST_LOG_LEVEL: 'silent' }
const app = await createApp(readConfig(settings))

async function call(token: string, path: string, payload: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await app.server.inject({ method: 'POST', url: path, headers, payload: JSON.stringify(payload) })
  if (response.statusCode === 503) {
    // A busy machine asks for a later retry.
    await sleep(1000)
    return call(token, path, payload)
  }
  if (response.statusCode >= 300) throw new Error(`${path} answered ${response.statusCode}: ${response.payload}`)
  return response.json<Record<string, unknown>>()
}

const account = { email: 'owner@example.org', password: 'a long and private sentence', preset: 'admin' }
const { agentKey } = await call(app.operatorToken.token, '/api/operator/setup', account)
const agent = (operation: string, body: object) => call(String(agentKey), `/api/agent/${operation}`, body)
await agent('write-memory', { content: 'A kitten sleeps on the sofa.' })
await agent('write-memory', { content: 'The quarterly figures are due on Friday.' })
await agent('create-note', { title: 'Harbour', content: 'The harbour lies north of the town.' })
const found = await agent('search-memories', { query: 'Where does the cat nap?' })
const notes = await agent('semantic-search', { query: 'a port near the city', threshold: 0.2 })
await app.stop()

// Would the guard have noticed anything?
await fetch('http://127.0.0.1:65535/').catch(() => {})
const [, ...rest] = attempts.toReversed()
console.log(JSON.stringify({ found, notes, attempts: rest, isGuarded: attempts.length > rest.length }))
