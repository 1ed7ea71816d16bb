import { describe, expect, it } from 'vitest'
import { redactSecrets } from './redact.ts'

// Composed here, so secret scanners don't report them.
const filler = (length: number) => 'aB3dE5fG7hJ9kL1m'.repeat(10).slice(0, length)

describe('redactSecrets', () => {
  it.each([
    ['our own keys', `export KEY=svc_${filler(49)}`, `svc_${filler(49)}`],
    ['model provider keys', `use sk-proj-${filler(40)} here`, filler(40)],
    ['code host tokens', `ghp_${filler(36)}`, filler(36)],
    ['cloud access keys', ['AK', 'IA', 'ABCDEFGH23456789'].join(''), 'ABCDEFGH23456789'],
    ['signed web tokens', `eyJ${filler(20)}.eyJ${filler(20)}.${filler(20)}`, filler(20)],
    ['headers', `Authorization: Bearer ${filler(20)}`, filler(20)],
    ['passwords in URLs', 'postgres://app:wet-stone@db.internal/app', 'wet-stone'],
    ['passwords in sentences', 'The password is violets-under-stone, keep it.', 'violets-under-stone'],
    ['passwords in configurations', '"api_key": "violets under a stone"', 'violets under a stone'],
    ['private keys', `-----BEGIN PRIVATE KEY-----\n${filler(64)}\n-----END PRIVATE KEY-----`, filler(64)],
    ['truncated private keys', `-----BEGIN RSA PRIVATE KEY-----\n${filler(64)}`, filler(64)],
    ['long runs of letters and digits', `digest ${filler(48)}`, filler(48)],
    ['cloud keys with slashes', `AWS_SECRET_ACCESS_KEY=wJal/${filler(30)}/x`, filler(30)],
    ['account keys', `Name=a;AccountKey=Eby8/${filler(60)}+b==;Suffix=x`, filler(60)],
    [
      'private key blocks',
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQdG\n-----END PGP PRIVATE KEY BLOCK-----`,
      'lQdG',
    ],
    ['short password names', 'DB_PASS=violets2', 'violets2'],
    ['tokens in an environment', 'TOKEN=a1b2c3d4', 'a1b2c3d4'],
    ['command line options', 'mysql -u root --password violets2 app', 'violets2'],
    ['curl users', 'curl -u admin:violets2 https://x.example', 'violets2'],
    ['passwords with a slash in URLs', 'postgres://app:wet/stone@db/app', 'stone@'],
    ['webhook URLs', `https://hooks.slack.com/services/T00000000/B00000000/${filler(24)}`, filler(24)],
    ['headers with other schemes', `Authorization: Token ${filler(20)}`, filler(20)],
    ['headers in JSON', `{"Authorization": "Key ${filler(20)}"}`, filler(20)],
    ['mail service keys', `SG.${filler(22)}.${filler(30)}`, filler(22)],
    ['the shortest names', 'pw=violets2', 'violets2'],
    ['passwords directly after an option', 'mysql -u root -pviolets2 app', 'violets2'],
    ['ssh passwords', 'sshpass -p violets2 ssh host', 'violets2'],
    ['values in triple quotes', 'API_KEY = """violets\nunder a stone"""', 'under a stone'],
    ['German passwords', 'Passwort: Veilchen2', 'Veilchen2'],
    ['French passwords', 'mot de passe : violettes2', 'violettes2'],
    ['Russian passwords', 'пароль: фиалки22', 'фиалки22'],
    ['quoted passwords after an option', "mysql -u root -p'violets 2' app", 'violets 2'],
    ['quoted ssh passwords', 'sshpass -p "violets 2" ssh host', 'violets 2'],
    ['quoted curl passwords', "curl -u admin:'violets 2' https://x.example", 'violets 2'],
    ['database dump commands', 'mariadb-dump --opt -pviolets2 app', 'violets2'],
    ['headers in a configuration', `authorization = Token ${filler(14)}`, filler(14)],
    ['the shortest names with a colon', 'pw: violets2', 'violets2'],
    ['the shortest names in JSON', '{"pw" : "violets2"}', 'violets2'],
    ['values below their name', 'token: >-\n  violets2', 'violets2'],
    ['multi-line values', 'secret: |\n  violets\n  under stones\nnext: 1', 'under stones'],
    ['passwords of a named system', 'password of prod: violets2', 'violets2'],
  ])('removes %s', (_what, text, secret) => {
    expect(redactSecrets(text)).not.toContain(secret)
    expect(redactSecrets(text)).toContain('[redacted]')
  })

  it('keeps normal text and code', () => {
    const plain = [
      'The secret of good tomatoes is water before nine.',
      'See packages/server/src/sessions/gather-parts.ts and thisIsAVeryLongCamelCaseIdentifierWithoutAnyDigits.',
      'Memory 0198c5f0-0000-7000-8000-000000000001 says so; the tokens of a list are cheap.',
      'https://example.org/a/b?c=d',
      'All tests pass: 120 of them, with max_tokens: 4096.',
      'The mypw: none; the app -p port, and mysql -p -h db.',
      'A token: >- is how YAML folds.\nNo block.',
      'Ask for a token abc, see mysql -p for the port, and Authorization: none.',
      'function open(token: string, password: string | undefined) {}',
    ]
    for (const text of plain) expect(redactSecrets(text)).toBe(text)
  })

  it('takes linear time', () => {
    const texts = [
      'a'.repeat(200_000),
      'password '.repeat(20_000),
      '://'.repeat(60_000),
      'aB3_'.repeat(50_000),
      '-----BEGIN '.repeat(20_000),
      '-----BEGIN PRIVATE KEY '.repeat(2500),
      '-eyJ'.repeat(15_000),
      'a.'.repeat(30_000),
      'password:"'.repeat(6000),
      'token '.repeat(10_000),
      `bearer${' '.repeat(59_000)}`,
      ' -u a'.repeat(12_000),
      'token: >-\n '.repeat(5000),
      `token: |\n${' x\n'.repeat(20_000)}`,
      'mysql -p" '.repeat(6000),
      `authorization${' '.repeat(59_000)}`,
      'x '.repeat(30_000) + '"'.repeat(200_000),
    ]
    const before = process.threadCpuUsage()
    for (const text of texts) redactSecrets(text)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(2000)
  })

  it('keeps the first 60,000 characters and cuts between words', () => {
    const kept = redactSecrets(`${'word '.repeat(11_999)}hunter2secret`)
    expect(kept.length).toBeLessThanOrEqual(60_000)
    expect(kept.endsWith(' word')).toBe(true)
  })
})
