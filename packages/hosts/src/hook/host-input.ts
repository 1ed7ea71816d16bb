/** The input that a host writes to a hook's stdin. Claude Code, Codex, Gemini CLI and VS Code share these names; each may be missing. */
export interface HostInput {
  /** The host's name for the event, such as SessionStart. The answer repeats it. */
  eventName: string | undefined
  sessionId: string | undefined
  transcriptPath: string | undefined
  cwd: string | undefined
  /** Why a session starts: startup, resume, clear, compact, fork. */
  source: string | undefined
  prompt: string | undefined
  /** The agent's last reply, if the host sends it. */
  reply: string | undefined
  turnId: string | undefined
}

const maxBytes = 8 * 1024 * 1024

/** Never rejects. If the host writes nothing, nothing valid, or for too long, the input has no fields. */
export async function readHostInput(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<HostInput> {
  signal.addEventListener('abort', () => void stdin.destroy())
  return parseHostInput(stdin.isTTY ? '' : await readAll(stdin))
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) return ''
      chunks.push(chunk)
    }
  } catch {
    return ''
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function parseHostInput(text: string): HostInput {
  const fields = parseFields(text)
  const textAt = (...names: string[]) =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value !== '')
  return {
    eventName: textAt('hook_event_name', 'hookEventName'),
    sessionId: textAt('session_id', 'sessionId'),
    transcriptPath: textAt('transcript_path', 'transcriptPath'),
    cwd: textAt('cwd'),
    source: textAt('source'),
    prompt: textAt('prompt'),
    reply: textAt('last_assistant_message', 'prompt_response'),
    turnId: textAt('turn_id'),
  }
}

function parseFields(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
