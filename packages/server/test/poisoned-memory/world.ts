// The server under attack: a person with a hostile agent, one who reads and one who is pinned to its name, and another person. Each
// attack gets a vault of its own.

import { routes } from '../../src/api/registry.ts'
import type { TestApp } from '../app.ts'
import { makeUser, makeVault, type TestUser } from '../factories.ts'
import { connectHttp, type Connected } from '../mcp/connect.ts'
import { startAgent, type TestAgent } from '../scenarios.ts'
import type { Body, CallResult, Scene } from './attack.ts'

export type Surface = 'REST' | 'MCP'

export interface World {
  test: TestApp
  surface: Surface
  user: TestUser
  mallory: Caller
  /** The integrations of the hostile agent. */
  malloryIds: string[]
  asking: Caller
  confined: Caller
  /** Reads what the attack left. */
  reader: TestAgent
  /** The same over MCP. */
  readerTools: Connected | undefined
  worker: TestAgent
  stranger: TestAgent
  close(): Promise<void>
}

type Caller = (operation: string, body: Body) => Promise<CallResult>

export async function makeWorld(test: TestApp, surface: Surface): Promise<World> {
  const [user, other] = [await makeUser(test), await makeUser(test)]
  const mallory = await startAgent(test, { user, label: 'Mallory', agentId: 'mallory' })
  const asking = await startAgent(test, {
    user,
    label: 'Mallory',
    agentId: 'mallory',
    writePolicy: { persons: 'ask', agents: 'yes' },
  })
  const confined = await startAgent(test, {
    user,
    label: 'Mallory',
    agentId: 'mallory',
    restrictToVault: true,
    vaults: [{ vaultId: user.vaultId }],
  })
  const reader = await startAgent(test, { user, label: 'Reader', agentId: 'reader' })
  const worker = await startAgent(test, { user, label: 'Worker', agentId: 'worker' })
  const { integrationId: id } = (await worker.call('info')).body
  await test.call('update-integration', { id, agentIds: 'pinned' }, { key: user.dashboardToken })
  const url = surface === 'MCP' ? await test.app.listen() : ''
  const open: Connected[] = []
  const connect = async (key: string, query: string) => {
    const tools = await connectHttp({ url, key, query, name: 'the person', isShared: true })
    open.push(tools)
    return tools
  }
  const caller = async ({ key, call }: TestAgent): Promise<Caller> =>
    surface === 'REST' ? byRest(call) : byTools(await connect(key, '?tools=full'))
  return {
    test,
    surface,
    user,
    mallory: await caller(mallory),
    malloryIds: await Promise.all([mallory, asking, confined].map(idOf)),
    asking: await caller(asking),
    confined: await caller(confined),
    reader,
    readerTools: surface === 'MCP' ? await connect(reader.key, '?tools=core,full') : undefined,
    worker,
    stranger: await startAgent(test, { user: other, label: 'Stranger' }),
    close: async () => void (await Promise.all(open.map((tools) => tools.close()))),
  }
}

const idOf = async ({ call }: TestAgent): Promise<string> => String((await call('info')).body.integrationId)

const byRest =
  (call: TestAgent['call']): Caller =>
  async (operation, body) => {
    const { status, body: answer, text } = await call(operation, body)
    return { isRefused: status >= 400, body: answer, text }
  }

/** The tools of single operations, which take the same fields. A tool that isn't listed is refused as well. */
const byTools =
  ({ client }: Connected): Caller =>
  async (operation, body) => {
    const tool = { name: operation.replaceAll('-', '_'), arguments: body }
    const { content, isError } = await client.callTool(tool).catch((error: unknown) => ({
      content: [{ type: 'text', text: String(error) }],
      isError: true,
    }))
    const text = (content as { text: string }[]).map((block) => block.text).join('\n')
    return { isRefused: isError === true, body: {}, text }
  }

const withoutVault = new Set(routes.filter(({ vault }) => vault === 'none').map(({ name }) => name))

export interface Ended {
  scene: Scene
  answers: CallResult[]
  kept: { kind: 'memory' | 'note' | 'document'; id: string; text: string }[]
  checks: (() => Promise<string | undefined>)[]
}

/** A scene for one attack, and what happens in it. */
export async function setScene(world: World, mark: string): Promise<Ended> {
  const { test, user, reader, worker, stranger } = world
  const vaultId = await makeVault(test, user, `Vault ${mark.length}`)
  const ended: Omit<Ended, 'scene'> = { answers: [], kept: [], checks: [] }
  const placed = (operation: string, body: Body = {}): Body =>
    withoutVault.has(operation) || 'vaultId' in body ? body : { vaultId, ...body }
  const attackBy =
    (caller: Caller, inVault: boolean) =>
    async (operation: string, body: Body = {}) => {
      const answer = await caller(operation, inVault ? placed(operation, body) : body)
      ended.answers.push(answer)
      return answer
    }
  const succeed = async (agent: Pick<TestAgent, 'call'>, operation: string, body: Body) => {
    const answer = await agent.call(operation, body)
    if (answer.status >= 300) throw new Error(`${operation}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  const person: Pick<TestAgent, 'call'> = { call: (name, body) => test.call(name, body, { key: user.dashboardToken }) }
  const scene: Scene = {
    mark,
    vaultId,
    call: attackBy(world.mallory, true),
    callAsking: attackBy(world.asking, true),
    callConfined: attackBy(world.confined, false),
    person: (operation, body) => succeed(person, operation, withoutUndefined(placed(operation, body))),
    reader: (operation, body) => succeed(reader, operation, placed(operation, body)),
    worker: (operation, body) => succeed(worker, operation, placed(operation, body)),
    stranger: (operation, body = {}) => succeed(stranger, operation, body),
    strangersVaultId: stranger.user.vaultId,
    protect: (kind, id, text) => void ended.kept.push({ kind, id, text }),
    verify: (check) => void ended.checks.push(check),
  }
  return { scene, ...ended }
}

/** In a URL, undefined would be a word. */
const withoutUndefined = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
