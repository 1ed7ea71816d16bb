import { cutAt } from './fit-text.ts'

// More than hooks ever send of one text, so enough is left after redaction.
const maxChars = 60_000

/**
 * Removes everything that looks like a secret from a turn before it leaves the machine, and cuts it to 60,000 characters. It
 * removes too much rather than too little, because the host's transcript keeps the original. No pattern looks far ahead from
 * more than one position, so the time is linear in the length of the text.
 */
export const redactSecrets = (text: string): string =>
  patterns.reduce((kept, [pattern, replacement]) => kept.replaceAll(pattern, replacement), cutBetweenWords(text))

/** Cuts between words, because the first half of a secret may not look like one. */
function cutBetweenWords(text: string): string {
  const cut = cutAt(text, maxChars)
  return cut.length === text.length ? text : cut.slice(0, Math.max(cut.search(/\s\S*$/), maxChars - 2000))
}

const mark = '[redacted]'

const quoted = String.raw`"{3}[^"]{1,2000}"{3}|"[^"\n]{1,2000}"|'[^'\n]{1,2000}'|${'`'}[^${'`'}\n]{1,2000}${'`'}`
// Lines below their name, as in YAML.
const block = String.raw`[|>][+\d-]{0,2}[ \t]{0,3}(?:\r?\n[ \t]{1,40}[^\n]{1,2000}){1,50}`
const value = String.raw`(?:${quoted}|${block}|[^\s,;]{3,})`
// Names of secrets in configurations and sentences, also at the end of a longer name: AWS_SECRET_ACCESS_KEY, DB_PASS.
const names = String.raw`(?:pass(?:words?|wd|phrase)|(?<=[_-])pass|\bpass(?==)|\bpw(?=["'${'`'}]?\s{0,3}[:=])|pwd|passwor[dt]|mot de passe|contraseña|senha|пароль|secrets?|token(?!s)|(?:access|auth|refresh)[_ -]?tokens|(?:api|access|account|private|secret|signing|encryption)[_ -]?keys?|credentials?)[\w-]{0,20}`
const isNames = String.raw`(?:passwords?|passwd|passphrase|secret(?:[_ -]?key)?|api[_ -]?keys?|(?:access|auth|refresh)[_ -]?tokens?|private[_ -]?key|credentials?|pwd)`
// What code and logs have after such a name.
const noSecret = String.raw`(?!(?:string|number|boolean|unknown|undefined|null|true|false)(?:[\s,;)|}]|$))`

const patterns: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    mark,
  ],
  // Keys with a known prefix: ours, model providers, code hosts, clouds, chat, payment.
  [
    /\b(?:svc_|hfd_|sk-|sk_live_|sk_test_|rk_live_|pk_live_|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|xapp-|npm_|pypi-|AIza|ya29\.|hf_|SG\.|dop_v1_|shpat_|whsec_)[\w.-]{12,}/g,
    mark,
  ],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, mark],
  // URLs that are secrets themselves.
  [/\bhooks\.slack\.com\/[\w/-]{8,}|\bdiscord(?:app)?\.com\/api\/webhooks\/[\w/-]{8,}/gi, mark],
  // The rest of a signed web token is optional, so the pattern never matches from one start twice.
  [/eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, mark],
  [/\b(bearer|basic|(?<=authorization["']?\s{0,3}[:=]\s{0,3}["']?)\w{1,20})\s{1,20}[\w.~+/=-]{12,}/gi, `$1 ${mark}`],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/]{0,100}:)[^\s"'<>]{1,200}@/gi, `$1${mark}@`],
  [/([?&](?:sig|signature|x-amz-(?:signature|security-token)|key|code)=)[^\s&#"']{8,}/gi, `$1${mark}`],
  // Command line options.
  [
    new RegExp(
      String.raw`(\s(?:-u|--user|--proxy-user)[\s=]{0,3}["']?[^\s:"']{1,100}:)(?:${quoted}|[^\s"']{1,300})`,
      'g',
    ),
    `$1${mark}`,
  ],
  [
    new RegExp(
      String.raw`((?<![\w-])--?(?:pass(?:word|wd|phrase)?|token|secret|api-?key|access-?key|auth-?token|client-secret)[\w-]{0,20}[\s=]{1,3})${value}`,
      'gi',
    ),
    `$1${mark}`,
  ],
  // Passwords directly after their option.
  [
    new RegExp(
      String.raw`(\b(?:sshpass\s{1,3}-p\s?|(?:mysql|mariadb)[\w-]{0,10}\s(?:[^\n|;&]{0,200}?\s)?-p))(?:${quoted}|[^\s"'-][^\s"']{2,200})`,
      'g',
    ),
    `$1${mark}`,
  ],
  // A value after the name of a secret.
  [
    new RegExp(
      String.raw`(${names}(?:\s(?:of|for|to|on)\s[\w.-]{1,40})?["'${'`'}]?\s{0,3}[:=]{1,2}>?\s{0,3})${noSecret}${value}`,
      'gi',
    ),
    `$1${mark}`,
  ],
  [new RegExp(String.raw`(${isNames}["'${'`'}]?\s{1,3}is\s{1,3})${value}`, 'gi'), `$1${mark}`],
  // Long mixed runs of letters and digits, such as keys in hex or base64, but not identifiers, paths or UUIDs.
  [/(?<![\w/+-])(?=[A-Za-z+/_-]{0,60}\d)(?=[\d+/_-]{0,60}[A-Za-z])[A-Za-z0-9+_]{40,}={0,2}(?![\w/-])/g, mark],
]
