import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { summarizeSession } from './summarize.ts'
import { readTranscript } from './transcript.ts'

async function writeTranscript(lines: readonly object[], tail = ''): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-transcript-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'session.jsonl')
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join('') + tail)
  return path
}

const claude = (type: 'user' | 'assistant', content: unknown, more: object = {}) => ({
  type,
  uuid: `${type}-${String(JSON.stringify(content).length)}`,
  message: { role: type, content },
  ...more,
})

it('reads messages and written files from a transcript of Claude Code', async () => {
  const path = await writeTranscript(
    [
      { type: 'summary', summary: 'Earlier work' },
      claude('user', '<command-name>/clear</command-name>'),
      claude('user', 'Why do the beds dry out?'),
      claude('assistant', [
        { type: 'thinking', thinking: 'hmm' },
        { type: 'tool_use', name: 'Write', input: { file_path: '/garden/beds.ts', content: 'x' } },
      ]),
      claude('user', [{ type: 'tool_result', content: 'ok' }]),
      claude('user', 'in a sub-agent', { isSidechain: true }),
      claude('user', 'added by the host', { isMeta: true }),
      claude('assistant', [{ type: 'text', text: 'The hose leaks.' }]),
    ],
    '{"cut off',
  )
  const { entries, files } = readTranscript(path, 1_000_000)
  expect(entries.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'Why do the beds dry out?'],
    ['assistant', 'The hose leaks.'],
  ])
  expect(files).toEqual(['/garden/beds.ts'])
})

it('reads messages and written files from a rollout of Codex', async () => {
  const item = (payload: object) => ({ timestamp: '2026-11-21T10:00:00Z', type: 'response_item', payload })
  const path = await writeTranscript([
    { type: 'session_meta', payload: { id: 'x' } },
    item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] }),
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context>x' }] }),
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Mend the hose.' }] }),
    { type: 'event_msg', payload: { type: 'user_message', message: 'Mend the hose.' } },
    item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch\n*** Update File: hose.ts\n+x' }),
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Mended.' }] }),
  ])
  const { entries, files } = readTranscript(path, 1_000_000)
  expect(entries.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'Mend the hose.'],
    ['assistant', 'Mended.'],
  ])
  expect(files).toEqual(['hose.ts'])
})

it('reads only whole lines at the end of a long transcript, with stable ids', async () => {
  const lines = Array.from({ length: 1000 }, (_, at) => ({ message: { role: 'user', content: `line ${at} é` } }))
  const path = await writeTranscript(lines)
  const { entries } = readTranscript(path, 5000)
  expect(entries.length).toBeGreaterThan(50)
  expect(entries.length).toBeLessThan(110)
  expect(entries.at(-1)).toEqual(readTranscript(path, 1_000_000).entries.at(-1))
})

it('does not wait if the transcript is a pipe', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-transcript-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')])
  expect(readTranscript(join(folder, 'pipe'), 1000)).toEqual({ entries: [], files: [] })
})

it('returns nothing if there is no transcript', () => {
  expect(readTranscript('/nowhere/at/all.jsonl', 1000)).toEqual({ entries: [], files: [] })
  expect(readTranscript(undefined, 1000)).toEqual({ entries: [], files: [] })
})

it('summarizes what was asked, decided, written and said last, without secrets and recalled text', () => {
  const entry = (role: 'user' | 'assistant', text: string) => ({ role, text, id: 'x' })
  const summary = summarizeSession(
    {
      entries: [
        entry('user', 'Why do the beds dry out? My password is violets-under-stone.'),
        entry(
          'assistant',
          `${'I looked at each of them in turn. '.repeat(8)}\nWe decided to mend the hose rather than buy one.`,
        ),
        entry('user', 'And the roses?\n<holdfast-recall>\n- roses hate noon\n</holdfast-recall>'),
        entry('assistant', 'The roses are fine. Next: water at dawn.'),
      ],
      files: ['/garden/beds.ts', '/garden/beds.ts'],
    },
    '/garden',
    new Date('2026-11-21T10:00:00Z'),
  )
  expect(summary).toMatch(/^Session in garden, 2026-11-21/)
  expect(summary).toContain('Asked: Why do the beds dry out?')
  expect(summary).toContain('- And the roses?')
  expect(summary).toContain('Decided:\n- We decided to mend the hose rather than buy one.')
  expect(summary).toContain('Files written: beds.ts\n')
  expect(summary).toContain('Last state: The roses are fine. Next: water at dawn.')
  expect(summary).not.toMatch(/violets|noon/)
})

it('returns no summary if the agent said little', () => {
  const said = [
    { role: 'user', text: 'hello', id: 'a' } as const,
    { role: 'assistant', text: 'Hello!', id: 'b' } as const,
  ]
  expect(summarizeSession({ entries: said, files: [] }, '/garden', new Date())).toBeUndefined()
})
