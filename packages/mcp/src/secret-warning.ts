/** Patterns that match only secrets. Agents are told not to store secrets, but sometimes do. */
const secrets: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/],
  ['an agent key or dashboard token', /\b(?:svc|hfd)_[\w-]{20}/],
  ['a model provider key', /\bsk-[\w-]{20}/],
  ['a code host token', /\b(?:gh[opsur]_|github_pat_|glpat-)\w{20}/],
  ['a cloud access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30}/],
  ['a chat token', /\bxox[abeprs]-[\w-]{12}/],
  ['a payment service key', /\b[rs]k_live_\w{16}/],
]

/** Returns a warning if the arguments of a write contain an unmistakable secret. */
export function secretWarning(args: unknown): string[] {
  const texts = [...listTexts(args)]
  const [name] = secrets.find(([, pattern]) => texts.some((text) => pattern.test(text))) ?? []
  return name === undefined
    ? []
    : [`warning: this seems to contain ${name}. Do not store secrets: remove it, and tell the user.`]
}

/** Returns the texts themselves: in JSON, an escaped line break would put a letter directly before the secret. */
function* listTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* listTexts(part)
}
