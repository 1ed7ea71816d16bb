/** Forms that are keys and nothing else; an agent is told not to keep them, and sometimes does. */
const secrets: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/],
  ['an agent key or dashboard token', /\b(?:svc|hfd)_[\w-]{20}/],
  ['a key of a model provider', /\bsk-[\w-]{20}/],
  ['a token of a code host', /\b(?:gh[opsur]_|github_pat_|glpat-)\w{20}/],
  ['an access key of a cloud', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30}/],
  ['a token of a chat', /\bxox[abeprs]-[\w-]{12}/],
  ['a key of a payment service', /\b[rs]k_live_\w{16}/],
]

/** What to tell whoever has just written this; empty where it holds nothing that must be a secret. */
export function secretWarning(args: unknown): string[] {
  const texts = [...textsIn(args)]
  const [name] = secrets.find(([, pattern]) => texts.some((text) => pattern.test(text))) ?? []
  return name === undefined
    ? []
    : [`warning: what was written seems to hold ${name}. Secrets do not belong here: take it out, and tell the user.`]
}

/** As they are: in JSON the letter of an escaped line break would stand right before what follows it. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsIn(part)
}
