import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { programFile } from '../core/program.ts'
import { findFault } from './folder-use.ts'
import type { ModelUse } from './model-use.ts'
import { EmbeddingError, toUnitVectors, type TextKind } from './provider.ts'
import type { Ask, Reply } from './run-model.ts'

/** A queued or running batch. */
export interface Job {
  texts: string[]
  kind: TextKind
  settle(outcome: Outcome): void
}

export type Outcome = EmbeddingError | { vectors: Float32Array[]; tokens: number }

interface Running {
  child: ChildProcess
  isReady: boolean
  job: Job | undefined
  /** Kills a process that takes too long; its exit handler does the rest. */
  watchdog: NodeJS.Timeout | undefined
}

interface Options {
  /** See TransformersOptions. */
  folder: string
  packageName: string
  answerMs: number
  /** Read when the process starts, and the same each time. */
  readUse(): Pick<ModelUse, 'pooling' | 'dims'>
}

/**
 * The process that runs a model (run-model.ts). It starts when there is work and gets one batch at a time, questions first. If it ends,
 * its jobs fail and the next job starts it again.
 */
export class ModelProcess {
  maxTokens: number | undefined
  /** The length of the model's own vectors. */
  #modelDims: number | undefined
  #options: Options
  #queue: Job[] = []
  #running: Running | undefined
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  get dims(): number | undefined {
    return this.#modelDims && (this.#options.readUse().dims ?? this.#modelDims)
  }

  add(job: Job): void {
    this.#queue.push(job)
    if (this.#running === undefined) this.#start()
    else if (this.#running.job === undefined) this.#sendNext(this.#running)
  }

  /** Removes a job from the queue if it hasn't started, because its caller has stopped waiting. */
  drop(job: Job): void {
    this.#queue = this.#queue.filter((waiting) => waiting !== job)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const child = this.#running?.child
    this.#failAll(new EmbeddingError('unavailable', 'stopped'))
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    // An idle process doesn't hold this one open.
    child.ref()
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  #start(): void {
    const { folder, packageName } = this.#options
    if (this.#isStopped) return this.#failAll(new EmbeddingError('unavailable', 'stopped'))
    const { pooling } = this.#options.readUse()
    const fault = findFault(folder, pooling)
    if (fault !== undefined) return this.#failAll(new EmbeddingError('unavailable', fault))
    const child = fork(programFile('embeddings/run-model'), [packageName, folder, pooling?.way ?? ''], {
      serialization: 'advanced',
      // None of our settings, above all not the root key.
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const running: Running = { child, isReady: false, job: undefined, watchdog: undefined }
    this.#running = running
    this.#watch(running)
    child.on('message', (reply: Reply) => this.#receive(running, reply))
    const end = () => this.#end(running, new EmbeddingError('unavailable', 'process_ended'))
    child.on('exit', end).on('error', end)
  }

  #watch(running: Running): void {
    running.watchdog = setTimeout(() => running.child.kill('SIGKILL'), this.#options.answerMs)
  }

  #end(running: Running, error: EmbeddingError): void {
    clearTimeout(running.watchdog)
    if (this.#running === running) this.#failAll(error)
  }

  #failAll(error: EmbeddingError): void {
    const jobs = [this.#running?.job, ...this.#queue]
    this.#queue = []
    this.#running = undefined
    for (const job of jobs) job?.settle(error)
  }

  #receive(running: Running, reply: Reply): void {
    clearTimeout(running.watchdog)
    if (this.#running !== running) return
    if (reply.kind === 'unusable') return this.#failAll(new EmbeddingError('unavailable', reply.code))
    if (reply.kind === 'ready') {
      running.isReady = true
      this.maxTokens = reply.maxTokens
    } else {
      running.job?.settle(this.#outcomeOf(reply, running.job.texts.length))
      running.job = undefined
    }
    this.#sendNext(running)
  }

  #outcomeOf(reply: Reply, count: number): Outcome {
    if (reply.kind !== 'vectors') return new EmbeddingError('unavailable', 'model_failed')
    const { numbers, dims, tokens } = reply
    const rows = Array.from({ length: numbers.length / dims }, (_, i) => numbers.subarray(i * dims, (i + 1) * dims))
    try {
      const vectors = toUnitVectors(rows, { count, dims: this.#modelDims, kept: this.#options.readUse().dims })
      this.#modelDims = dims
      return { vectors, tokens }
    } catch (error) {
      if (error instanceof EmbeddingError) return error
      throw error
    }
  }

  #sendNext(running: Running): void {
    const { child, isReady } = running
    if (!isReady) return
    const question = this.#queue.findIndex(({ kind }) => kind === 'query')
    const [job] = this.#queue.splice(Math.max(0, question), 1)
    if (job === undefined) return holdOpen(child, false)
    holdOpen(child, true)
    running.job = job
    this.#watch(running)
    child.send({ texts: job.texts } satisfies Ask)
  }
}

/** Lets a program exit while this process is idle. */
function holdOpen(child: ChildProcess, isAtWork: boolean): void {
  for (const handle of [child, child.channel]) {
    if (isAtWork) handle?.ref()
    else handle?.unref()
  }
}
