import { afterEach, expect, it } from 'vitest'
import { standForElection } from './live-turn.ts'

/** Tabs of a browser without locks, which know each other by the channel alone. */
const tabs: AbortController[] = []

afterEach(() => {
  for (const tab of tabs.splice(0)) tab.abort()
})

function openTab() {
  const controller = new AbortController()
  const tab = { isLeader: false, close: () => controller.abort() }
  tabs.push(controller)
  standForElection(controller.signal, {
    lead: () => void (tab.isLeader = true),
    yieldTurn: () => void (tab.isLeader = false),
  })
  return tab
}

const leadersOf = (all: readonly ReturnType<typeof openTab>[]) => all.filter(({ isLeader }) => isLeader)

it('has one tab lead, and another one once that is closed', async () => {
  const all = Array.from({ length: 5 }, openTab)
  await expect.poll(() => leadersOf(all).length).toBe(1)
  const [first] = leadersOf(all)
  const late = openTab()
  first?.close()
  const others = [...all.filter((tab) => tab !== first), late]
  await expect.poll(() => leadersOf(others).length).toBe(1)
})

it('has one of two yield that lead, and says no more about it', async () => {
  const channel = new BroadcastChannel('holdfast-live-turn')
  const said: string[] = []
  channel.addEventListener('message', ({ data }: MessageEvent<{ kind: string }>) => said.push(data.kind))
  const tab = openTab()
  await expect.poll(() => said).toEqual(['ask', 'lead'])
  expect(tab.isLeader).toBe(true)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes no other argument
  const lead = (id: bigint) => channel.postMessage({ kind: 'lead', id })
  said.length = 0
  lead(2n ** 64n)
  await expect.poll(() => said).toEqual(['lead'])
  expect(tab.isLeader).toBe(true)
  lead(-1n)
  await expect.poll(() => tab.isLeader).toBe(false)
  expect(said).toEqual(['lead'])
  channel.close()
})
