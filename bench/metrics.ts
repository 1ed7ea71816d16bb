import type { Client } from './http-client.ts'

/** The metrics without labels that a server has now, by name. Reading them begins a new measurement of the event loop's delay. */
export async function readMetrics(client: Client): Promise<(name: string) => number> {
  const text = await client.getText('/metrics')
  const values = new Map([...text.matchAll(/^(\w+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]))
  return (name) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`The server has no metric ${name}`)
    return value
  }
}

export const indexBytes = 'holdfast_index_memory_bytes'
/** The watching timer is one of 10 ms, and they are part of each value. */
export const loopDelay = 'nodejs_eventloop_lag_p99_seconds'
