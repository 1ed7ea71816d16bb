import { withoutRecalled } from '@holdfast/client'
import { basename, relative } from 'node:path'
import { clip, cutAt } from './fit-text.ts'
import { redactSecrets } from './redact.ts'
import type { Transcript } from './transcript.ts'

const maxChars = 6000
const minReplyChars = 200

/** Matches sentences that state a decision. */
const decisionPattern =
  /\b(?:decided|decision|chose|chosen|instead of|rather than|root cause|turned out|we(?:'ll| will) (?:use|keep|stay)|must not|never|always|fixed (?:by|it)|works now)\b/i

/**
 * Summarizes a session in its own words: what was asked and decided, which files were written, and the last state. It quotes
 * and invents nothing, because no model is available. Returns undefined if the agent said little.
 */
export function summarizeSession({ entries, files }: Transcript, cwd: string, at: Date): string | undefined {
  const said = entries.map((entry) => ({ ...entry, text: redactSecrets(withoutRecalled(entry.text)).trim() }))
  const asked = said.filter(({ role, text }) => role === 'user' && text !== '').map(({ text }) => text)
  const replies = said.filter(({ role, text }) => role === 'assistant' && text !== '').map(({ text }) => text)
  const [first] = asked
  if (first === undefined || replies.join('').length < minReplyChars) return undefined
  const written = [...new Set(files.map((file) => shortenPath(file, cwd)))].slice(-20)
  const parts = [
    `Session in ${basename(cwd)}, ${at.toISOString().slice(0, 10)}. Taken from its transcript.`,
    `Asked: ${clip(first, 400)}`,
    list(
      'Asked later',
      asked
        .slice(1)
        .slice(-4)
        .map((text) => clip(text, 240)),
    ),
    list('Decided', findDecisions(replies)),
    written.length === 0 ? '' : `Files written: ${written.join(', ')}`,
    `Last state: ${clip(replies.at(-1) ?? '', 900)}`,
  ]
  return cutAt(parts.filter((part) => part !== '').join('\n'), maxChars)
}

const list = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `- ${line}`).join('\n')}`

function findDecisions(replies: readonly string[]): string[] {
  const sentences = replies.flatMap((text) => withoutCode(text).split(/(?<=[.!?])\s+|\n+/))
  const found = sentences.map((sentence) => clip(sentence.replace(/^[\s*#>-]+/, ''), 240))
  return [...new Set(found.filter((sentence) => sentence.length >= 20 && decisionPattern.test(sentence)))].slice(-8)
}

const withoutCode = (text: string) => text.replaceAll(/```[^]*?(?:```|$)/g, ' ')

function shortenPath(file: string, cwd: string): string {
  const name = relative(cwd, file)
  return name === '' || name.startsWith('..') ? file : name
}
