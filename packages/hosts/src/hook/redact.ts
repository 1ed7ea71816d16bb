/**
 * Takes out of a turn what looks like a secret, before it leaves the machine. It would rather take out too much: what is
 * lost stays in the host's own transcript. Each pattern is linear in the length of the text.
 */
export const redactSecrets = (text: string): string =>
  patterns.reduce((kept, [pattern, replacement]) => kept.replaceAll(pattern, replacement), text)

const mark = '[redacted]'

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, mark],
  // Keys with a prefix that says whose they are: ours, model providers, code hosts, clouds, chat, payment.
  [
    /\b(?:svc_|hfd_|sk-|sk_live_|sk_test_|rk_live_|pk_live_|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|xapp-|npm_|pypi-|AIza|ya29\.|hf_|dop_v1_|shpat_|whsec_)[\w.-]{12,}/g,
    mark,
  ],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, mark],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, mark],
  [/\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi, `$1 ${mark}`],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/]{0,100}:)[^\s@/]{1,200}@/gi, `$1${mark}@`],
  // A value behind the name of a secret, as in a configuration or in a sentence.
  [
    /((?:passwords?|passwd|passphrase|secret(?:[_ -]?key)?|api[_ -]?keys?|(?:access|auth|refresh)[_ -]?tokens?|private[_ -]?key|credentials?|client[_ -]?secret|pwd)["'`]?\s{0,3}(?:[:=]|\bis\b)\s{0,3})(?:"[^"\n]{1,300}"|'[^'\n]{1,300}'|`[^`\n]{1,300}`|[^\s,;]{3,300})/gi,
    `$1${mark}`,
  ],
  // Long runs of letters and digits mixed, such as keys in hex or base64; not identifiers, paths or UUIDs.
  [/(?<![\w/+-])(?=[A-Za-z+/_-]{0,60}\d)(?=[\d+/_-]{0,60}[A-Za-z])[A-Za-z0-9+_]{40,}={0,2}(?![\w/-])/g, mark],
]
