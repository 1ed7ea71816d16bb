import {
  BaseCheckpointSaver,
  TASKS,
  WRITES_IDX_MAP,
  copyCheckpoint,
  getCheckpointId,
  maxChannelVersion,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint'
import type { Client } from './create-client.ts'
import { hashTag } from './hash-tag.ts'
import { listNotes } from './list-notes.ts'
import { NoteRecords } from './note-records.ts'
import { packBytes, unpackBytes } from './pack-bytes.ts'

export interface SaverOptions {
  /** Folder of the notes. It is created if it doesn't exist. Default: `langgraph-checkpoints`. */
  folder?: string
  /** Turns values into bytes. Default: LangGraph's own. */
  serde?: SerializerProtocol
}

/** The type that a serializer gave the bytes, and the bytes. */
type Packed = [type: string, bytes: string]

interface SavedCheckpoint {
  thread: string
  namespace: string
  id: string
  parent: string | null
  checkpoint: Packed
  metadata: Packed
}

interface SavedWrites {
  task: string
  path: string
  writes: Record<string, [channel: string, value: Packed]>
}

type Config = CheckpointTuple['config']

/** Ids grow with time, and so does the list of notes, but the clocks of several programs may differ. */
const newestAtOnce = 20

/**
 * Keeps the checkpoints of a graph's threads, for `compile({ checkpointer })`. A checkpoint is a note with the state of all channels,
 * packed; the writes of each task are another one. A packed checkpoint can have about 370 kB. Deleted threads go to the trash. Ids of
 * threads aren't in titles, but anyone who can read the vault can read the state. The notes are those of the Python client's
 * saver, but LangGraph serializes values differently in the two languages, so each continues only its own threads.
 */
export class HoldfastSaver extends BaseCheckpointSaver {
  readonly #client: Client
  readonly #folder: string
  readonly #checkpoints: NoteRecords<SavedCheckpoint>
  readonly #writes: NoteRecords<SavedWrites>

  constructor(client: Client, { folder = 'langgraph-checkpoints', serde }: SaverOptions = {}) {
    super(serde)
    this.#client = client
    this.#folder = folder
    this.#checkpoints = new NoteRecords(client, folder)
    this.#writes = new NoteRecords(client, folder)
  }

  async getTuple(config: Config): Promise<CheckpointTuple | undefined> {
    if (config.configurable?.['thread_id'] === undefined) return undefined
    const { thread, namespace } = parseConfig(config)
    const wanted = getCheckpointId(config)
    const names = wanted === '' ? [thread, namespace] : [thread, namespace, wanted]
    const { notes } = await this.#client.notes.list({ tags: [await this.#tag(...names)], limit: newestAtOnce })
    const newest = notes.toSorted(byNewestId).slice(0, 1)
    for await (const { record } of this.#checkpoints.readAll(newest)) return this.#toTuple(record)
    return undefined
  }

  /** The newest first. */
  async *list(config: Config, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { filter = {}, limit = Infinity } = options
    const before = options.before && getCheckpointId(options.before)
    let left = limit
    for await (const saved of this.#listSaved(config, before)) {
      if (left <= 0) return
      const metadata = (await this.#unpack(saved.metadata)) as Record<string, unknown>
      if (!Object.entries(filter).every(([name, value]) => metadata[name] === value)) continue
      left--
      yield this.#toTuple(saved)
    }
  }

  /** The checkpoints of a thread, of all its namespaces if the config names none, or of all threads. */
  async *#listSaved(config: Config, before = ''): AsyncGenerator<SavedCheckpoint> {
    const { thread_id: thread, checkpoint_ns: namespace } = config.configurable ?? {}
    const names = [thread, namespace].filter((name): name is string => typeof name === 'string')
    const tag = await this.#tag(...(thread === undefined ? [] : names))
    const wanted = getCheckpointId(config)
    const outlines = (await listNotes(this.#client, { tags: [tag] }))
      .filter(({ title }) => (wanted === '' || title === wanted) && (before === '' || title < before))
      .toSorted(byNewestId)
    for await (const { record } of this.#checkpoints.readAll(outlines))
      if (namespace === undefined || record.namespace === namespace) yield record
  }

  async put(config: Config, checkpoint: Checkpoint, metadata: CheckpointMetadata): Promise<Config> {
    const { thread, namespace } = parseConfig(config)
    const { id } = checkpoint
    const parent = getCheckpointId(config)
    const saved: SavedCheckpoint = {
      thread,
      namespace,
      id,
      parent: parent === '' ? null : parent,
      checkpoint: await this.#pack(copyCheckpoint(checkpoint)),
      metadata: await this.#pack(metadata),
    }
    const above = await Promise.all([this.#tag(), this.#tag(thread), this.#tag(thread, namespace)])
    await this.#checkpoints.keep({ tag: await this.#tag(thread, namespace, id), title: id, above }, saved)
    return printConfig(thread, namespace, id)
  }

  async putWrites(config: Config, writes: PendingWrite[], taskId: string, taskPath = ''): Promise<void> {
    const { thread, namespace } = parseConfig(config)
    const id = getCheckpointId(config)
    if (id === '')
      throw new TypeError('checkpoint_id is missing in the config, so these writes belong to no checkpoint')
    const tag = await this.#writesTag(thread, namespace, id, taskId)
    const known = await this.#writes.read(tag)
    const kept = { ...known?.record.writes }
    for (const [at, [channel, value]] of writes.entries()) {
      const place = WRITES_IDX_MAP[channel] ?? at
      // A task that runs again repeats its writes; only errors and interrupts are replaced.
      if (place < 0 || !(place in kept)) kept[place] = [channel, await this.#pack(value)]
    }
    const above = await Promise.all([
      hashTag('checkpoint-notes', this.#folder, thread),
      this.#writesTag(thread, namespace, id),
    ])
    await this.#writes.keep(
      { tag, title: `writes of ${taskId}`, above },
      { task: taskId, path: taskPath, writes: kept },
    )
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.#checkpoints.remove(await this.#tag(threadId))
    await this.#writes.remove(await hashTag('checkpoint-notes', this.#folder, threadId))
  }

  /** Tags the checkpoints of all threads, of a thread, of a namespace in it, or one alone. */
  #tag = (...names: string[]) => hashTag('checkpoint', this.#folder, ...names)

  #writesTag = (...names: string[]) => hashTag('checkpoint-writes', this.#folder, ...names)

  async #toTuple({ thread, namespace, id, parent, ...saved }: SavedCheckpoint): Promise<CheckpointTuple> {
    const checkpoint = (await this.#unpack(saved.checkpoint)) as Checkpoint
    if (checkpoint.v < 4 && parent !== null) await this.#addPendingSends(checkpoint, [thread, namespace, parent])
    return {
      config: printConfig(thread, namespace, id),
      checkpoint,
      metadata: (await this.#unpack(saved.metadata)) as CheckpointMetadata,
      pendingWrites: await this.#readWrites(thread, namespace, id),
      ...(parent !== null && { parentConfig: printConfig(thread, namespace, parent) }),
    }
  }

  /** Before version 4, what a task had sent to others was kept with the checkpoint before. */
  async #addPendingSends(checkpoint: Checkpoint, parent: [thread: string, namespace: string, id: string]) {
    const sent = (await this.#readWrites(...parent)).filter(([, channel]) => channel === TASKS)
    const versions = Object.values(checkpoint.channel_versions)
    checkpoint.channel_values[TASKS] = sent.map(([, , value]) => value)
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined)
  }

  /** In the order in which LangGraph applies them: by path of the task, id of the task, and place. */
  async #readWrites(...names: [thread: string, namespace: string, id: string]): Promise<CheckpointPendingWrite[]> {
    const tasks: SavedWrites[] = []
    for await (const { record } of this.#writes.list(await this.#writesTag(...names))) tasks.push(record)
    tasks.sort((a, b) => compareText(a.path, b.path) || compareText(a.task, b.task))
    const writes = tasks.flatMap(({ task, writes: kept }) =>
      Object.entries(kept)
        .toSorted(([a], [b]) => Number(a) - Number(b))
        .map(([, [channel, packed]]) => ({ task, channel, packed })),
    )
    return Promise.all(
      writes.map(async ({ task, channel, packed }): Promise<CheckpointPendingWrite> => {
        return [task, channel, await this.#unpack(packed)]
      }),
    )
  }

  async #pack(value: unknown): Promise<Packed> {
    const [type, bytes] = await this.serde.dumpsTyped(value)
    return [type, await packBytes(bytes)]
  }

  async #unpack([type, text]: Packed): Promise<unknown> {
    return this.serde.loadsTyped(type, await unpackBytes(text))
  }
}

const byNewestId = (a: { title: string }, b: { title: string }) => compareText(b.title, a.title)

/** Compares by code point, as LangGraph and Python do. */
function compareText(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  const at = left.findIndex((letter, index) => letter !== right[index])
  if (at === -1) return left.length - right.length
  return (left[at]?.codePointAt(0) ?? -1) - (right[at]?.codePointAt(0) ?? -1)
}

function parseConfig({ configurable = {} }: Config): { thread: string; namespace: string } {
  const { thread_id: thread, checkpoint_ns: namespace = '' } = configurable as Record<string, unknown>
  if (typeof thread !== 'string' || typeof namespace !== 'string')
    throw new TypeError('A checkpointer needs a thread: { configurable: { thread_id: "…" } }')
  return { thread, namespace }
}

const printConfig = (thread: string, namespace: string, id: string): Config => ({
  configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id },
})
