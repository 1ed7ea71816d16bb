import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../vaults/settings.ts'
import { bestVerdict, judge, type Claim, type Likeness, type Verdict } from './dedup.ts'

const claim = (content: string, over: Partial<Claim> = {}): Claim => ({
  memoryId: 'old',
  memoryType: 'fact',
  content,
  entities: [],
  occurredAt: 0,
  expiresAt: undefined,
  ...over,
})

/** Pairs that words and vectors cannot distinguish. */
const alike: Likeness = { jaccard: 1, similarity: 1, isByWords: false, sharesEntity: true }

const judged = (older: string, newer: string, likeness: Partial<Likeness> = {}, over: Partial<Claim> = {}) =>
  judge(claim(newer, over), claim(older, over), { ...alike, ...likeness }, defaultSettings.dedup)?.action

// Pairs that say different things, in either order.
const different: [string, string][] = [
  // Numbers, amounts, units.
  ['The database listens on port 5432', 'The database listens on port 5433'],
  ['Uploads may take 5 MB', 'Uploads may take 5 GB'],
  ['Uploads may take 5MB', 'Uploads may take 50MB'],
  ['The lease ends in 3 days', 'The lease ends in 3 weeks'],
  ['The timeout is 30 seconds', 'The timeout is 30 ms'],
  ['Rent is $1,200 a month', 'Rent is $1,300 a month'],
  ['Rent is €1200', 'Rent is $1200'],
  ['The discount is 5%', 'The discount is 5'],
  ['It was -5 degrees', 'It was 5 degrees'],
  ['The plot has 10² metres', 'The plot has 102 metres'],
  ['Ann has two cats', 'Ann has three cats'],
  ['Er hat zwei Katzen', 'Er hat drei Katzen'],
  ['Elle a deux chats', 'Elle a trois chats'],
  ['Scale from 1 to 10', 'Scale from 10 to 1'],
  ['Retry 3 times after 5 seconds', 'Retry 5 times after 3 seconds'],
  ['The ratio is 0.5', 'The ratio is 0.05'],
  ['The ratio is .5', 'The ratio is 5'],
  ['Chapter one is done', 'Chapter two is done'],
  ['A dozen eggs are needed', 'A hundred eggs are needed'],
  // Versions, dates, times.
  ['We run Node v1.2', 'We run Node v1.3'],
  ['The API is at v2', 'The API is at v3'],
  ['The review is on 2026-11-21', 'The review is on 2026-11-22'],
  ['The review is on 21 November', 'The review is on 21 December'],
  ['The review is on 11/12/2026', 'The review is on 12/11/2026'],
  ['The review is on Monday', 'The review is on Tuesday'],
  ['Das Treffen ist am Montag', 'Das Treffen ist am Dienstag'],
  ['La réunion est lundi', 'La réunion est mardi'],
  ['La reunión es el lunes', 'La reunión es el martes'],
  ['The shop opens at 9:00', 'The shop opens at 9:30'],
  ['The shop opens at 9 am', 'The shop opens at 9 pm'],
  ['The call is today', 'The call is tomorrow'],
  ['She was born in March', 'She was born in April'],
  // Ids, addresses, code.
  ['Ticket AB-123 is closed', 'Ticket AB-124 is closed'],
  ['User 0198c5f0-0000-7000-8000-000000000101 left', 'User 0198c5f0-0000-7000-8000-000000000102 left'],
  ['See https://example.org/a', 'See https://example.org/b'],
  ['See https://example.org/docs', 'See https://example.com/docs'],
  ['Write to ann@example.org', 'Write to bob@example.org'],
  ['The file is src/main.ts', 'The file is src/app.ts'],
  ['Call getUser first', 'Call getUsers first'],
  ['Call get_user first', 'Call set_user first'],
  ['Config lies in C:\\etc', 'Config lies in D:\\etc'],
  ['The host is 10.0.0.1', 'The host is 10.0.0.2'],
  ['Commit deadbee1 broke it', 'Commit deadbee2 broke it'],
  ['Use x = y', 'Use x != y'],
  ['a > b holds', 'a < b holds'],
  ['The parser is written in C', 'The parser is written in C++'],
  ['The parser is written in C#', 'The parser is written in C'],
  ['The result was 👍', 'The result was 👎'],
  // Negation.
  ['She likes coffee', 'She does not like coffee'],
  ['She likes coffee', "She doesn't like coffee"],
  ['She likes coffee', 'She doesn’t like coffee'],
  ['She likes coffee', 'She never likes coffee'],
  ['The cache is shared', 'The cache is not shared'],
  ['Tests ran with errors', 'Tests ran without errors'],
  ['He can swim', 'He cannot swim'],
  ['He can swim', 'He cant swim'],
  ['Everyone came', 'No one came'],
  ['Er mag Kaffee', 'Er mag keinen Kaffee'],
  ['Er kommt morgen', 'Er kommt morgen nicht'],
  ['Il aime le café', "Il n'aime pas le café"],
  ['Elle vient souvent', 'Elle ne vient jamais'],
  ['Le gusta el café', 'No le gusta el café'],
  ['Siempre llega tarde', 'Nunca llega tarde'],
  ['Ele gosta de café', 'Ele não gosta de café'],
  ['Le piace il caffè', 'Non le piace il caffè'],
  ['Zij houdt van koffie', 'Zij houdt niet van koffie'],
  ['Она любит кофе', 'Она не любит кофе'],
  ['她喜欢咖啡', '她不喜欢咖啡'],
  ['彼はコーヒーが好きです', '彼はコーヒーが好きではない'],
  ['Not all users have access', 'All users do not have access'],
  // Opposites.
  ['Enable the proxy for builds', 'Disable the proxy for builds'],
  ['The flag is enabled', 'The flag is disabled'],
  ['She always walks to work', 'She sometimes walks to work'],
  ['Uploads are allowed', 'Uploads are forbidden'],
  ['The service is available', 'The service is unavailable'],
  ['The volume is encrypted', 'The volume is unencrypted'],
  ['The mushroom is harmless', 'The mushroom is harmful'],
  ['Sales increase in winter', 'Sales decrease in winter'],
  ['Deploy before the review', 'Deploy after the review'],
  ['The job runs daily', 'The job runs weekly'],
  ['The logs of staging are kept', 'The logs of production are kept'],
  ['The bike is red', 'The bike is blue'],
  ['Turn left at the church', 'Turn right at the church'],
  ['Her mother is a teacher', 'Her father is a teacher'],
  ['He must sign', 'He may sign'],
  ['Use tabs and spaces', 'Use tabs or spaces'],
  ['The office is open', 'The office was open'],
  ['My car is old', 'Your car is old'],
  ['Er wohnt vor dem Haus', 'Er wohnt nach dem Haus'],
  ['Le film est avec sous-titres', 'Le film est sans sous-titres'],
  // Limits.
  ['Admins can delete vaults', 'Only admins can delete vaults'],
  ['The plan is final', 'The plan is probably final'],
  ['She is the director', 'She is the former director'],
  ['It works', 'It works unless it rains'],
  // Who does what to whom.
  ['A reports to B', 'B reports to A'],
  ['Ann reports to Bob', 'Bob reports to Ann'],
  ['Dogs chase cats', 'Cats chase dogs'],
  ['The train goes from Berlin to Rome', 'The train goes from Rome to Berlin'],
  ['The train goes from Berlin to Rome', 'The train goes to Berlin from Rome'],
  ['She likes tea, not coffee', 'She likes coffee, not tea'],
  ['Enable caching and disable logging', 'Disable caching and enable logging'],
  // Names.
  ['The owner is Ann Lee', 'The owner is Bob Lee'],
  ['The meeting is in Berlin', 'The meeting is in Hamburg'],
  ['Tests run nightly', 'Backups run nightly'],
  // A question is not its answer.
  ['The server is down', 'The server is down?'],
]

describe('two texts that say different things', () => {
  it.each(different)('%s / %s', (a, b) => {
    const found = [judged(a, b, { sharesEntity: false }), judged(b, a, { sharesEntity: false })]
    expect(found).toEqual([undefined, undefined])
  })

  it('are pairs where one word replaces another in the same sentence, however close the vectors are', () => {
    const [a, b] = [
      'the billing service uses redis for its sessions',
      'the shipping service uses redis for its sessions',
    ]
    expect(judged(a, b, { jaccard: 4 / 6, sharesEntity: false })).toBeUndefined()
    expect(judged(a, `${a} and mails a weekly summary`, { jaccard: 0.7, sharesEntity: false })).toBeUndefined()
  })

  it('are a hundred pairs', () => {
    expect(different.length).toBeGreaterThan(90)
  })
})

describe('a newer text with an additional word', () => {
  it.each([
    [
      'Ana can safely eat fish, chicken, rice, beans, bread',
      'Ana can safely eat fish, chicken, rice, beans, bread, peanuts',
    ],
    [
      'The vaccination appointment for Luna at the clinic opposite the station',
      'The cancelled vaccination appointment for Luna at the clinic opposite the station',
    ],
    [
      'Root access has been granted to alice, carol and dave',
      'Root access has been granted to alice, carol, dave and bob',
    ],
    ['The order contains shoes, socks, gloves and scarf', 'The order contains shoes, socks, gloves, hat and scarf'],
    ['Deploy the payments service from the main branch', 'Deploy the sandbox payments service from the main branch'],
    ['The user wants code, tables and links', 'The user wants code, tables, emojis and links'],
    ['The API key lives in the vault of the infra team', 'The leaked API key lives in the vault of the infra team'],
    ['The garden gate squeaks', 'The wooden garden gate squeaks'],
    ['Fish', 'Fish, peanuts'],
  ])('is no duplicate, however similar: %s / %s', (older, newer) => {
    const none = { sharesEntity: false }
    expect([judged(older, newer, none), judged(older, newer, { ...none, jaccard: 0.3 })]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('is a duplicate if the word is only filler', () => {
    expect(judged('Garden gate squeaks', 'The garden gate really squeaks', { similarity: 0 })).toBe('near_duplicate')
  })
})

describe('two texts that say the same', () => {
  it.each([
    ['The cat sleeps', ' the CAT\n\tsleeps '],
    ['Ｆｕｌｌ width ５', 'full WIDTH 5'],
    ['ÄRGER', 'ärger'],
    ['Ünï', 'U\u0308nï'],
    ['...', '...'],
    ['10²', '10²'],
  ])('match exactly, whatever letter case and white space: %s', (a, b) => {
    expect(judged(a, b, { jaccard: 0, similarity: undefined })).toBe('exact_match')
  })

  it.each([
    ['The user prefers tabs over spaces in Go code', 'User prefers tabs over spaces in Go code.'],
    ['The billing team owns the ledger', 'The ledger is owned by the billing team'],
    [
      'The nightly backup job copies the billing database elsewhere',
      'The nightly backup job copies billing database elsewhere',
    ],
    ['On Mondays Ann works at Acme', 'Ann works at Acme on Mondays'],
    ['Port 5432 is for the database', 'Port 5432 is for the database!'],
    ['The gate is shut by five', 'The gate is shut by 5'],
  ])('are near duplicates if they use other words: %s', (a, b) => {
    expect(judged(a, b, { similarity: 0 })).toBe('near_duplicate')
    expect(judged(a, b, { similarity: 0, jaccard: 0.39 })).toBeUndefined()
  })

  it.each([
    ['Backups of the billing database run nightly', 'Copies of the shipping database run nightly'],
    ['The dog chased the ball across the whole yard', 'The dog chased the stick across the whole yard'],
    ['The lamp in the hall is broken', 'The lamp in the hall is broken and the fuse has blown'],
  ])('are not near duplicates if a word is replaced or added: %s', (a, b) => {
    expect(judged(a, b, { similarity: 0 })).toBeUndefined()
  })

  it.each([
    ['Releases go out on Fridays', 'Deployments happen on Fridays'],
    ['Ann Lee leads the design group', 'Ann Lee is head of the designers'],
  ])('mean the same if their vectors say so: %s', (a, b) => {
    expect(judged(a, b, { jaccard: 0.3 })).toBe('semantic_duplicate')
    expect(judged(a, b, { jaccard: 0.3, similarity: 0.94, sharesEntity: false })).toBeUndefined()
  })
})

describe('a threshold of 1', () => {
  const off = { nearDuplicate: 1, semanticDuplicate: 1, supersede: 1 }
  const with1 = (older: string, newer: string, over: Partial<Likeness> = {}, thresholds: Partial<typeof off> = {}) =>
    judge(claim(newer), claim(older), { ...alike, ...over }, { ...off, ...thresholds })?.action

  it('turns its layer off, and lower ones don’t', () => {
    const reworded = ['Tom purchased a bike for his kids', 'Tom bought a bicycle for his children'] as const
    expect([with1(...reworded), with1(...reworded, {}, { nearDuplicate: 0.99 })]).toEqual([undefined, 'near_duplicate'])
    const meant = ['Releases go out on Fridays', 'Deployments happen on Fridays'] as const
    const apart = { jaccard: 0.3 }
    expect([with1(...meant, apart), with1(...meant, apart, { semanticDuplicate: 0.99 })]).toEqual([
      undefined,
      'semantic_duplicate',
    ])
    const moved = ['The office of the team is in Berlin', 'The office of the team is in Hamburg'] as const
    expect([with1(...moved), with1(...moved, {}, { supersede: 0.99 })]).toEqual([undefined, 'superseded'])
  })

  it('does not affect equal texts', () => {
    expect(with1('The cat sleeps', 'the cat sleeps')).toBe('exact_match')
  })
})

describe('vectors that average words', () => {
  it('prove nothing, but can show what a newer text supersedes', () => {
    const likeness = { jaccard: 0.3, isByWords: true }
    expect(judged('Releases go out on Fridays', 'Deployments happen on Fridays', likeness)).toBeUndefined()
    const newer = 'The office of the team is in Hamburg'
    expect(judged('The office of the team is in Berlin', newer, { ...likeness, jaccard: 0.6 })).toBe('superseded')
  })
})

describe('a newer text on the same subject', () => {
  const [older, newer] = ['The office of the team is in Berlin', 'The office of the team is in Hamburg']
  const close = { jaccard: 0.6, similarity: 0.9 }

  it('supersedes the older one', () => {
    expect(judged(older, newer, close)).toBe('superseded')
    expect(judged('Alice works at Acme as an engineer', 'Alice now works at Globex as an engineer', close)).toBe(
      'superseded',
    )
  })

  it('does not if they share no entity, are less similar, or are about something else', () => {
    expect(judged(older, newer, { ...close, sharesEntity: false })).toBeUndefined()
    expect(judged(older, newer, { ...close, similarity: 0.87 })).toBeUndefined()
    expect(judged('Ann likes green tea', 'Grace likes green tea', close)).toBeUndefined()
  })

  it.each([
    ['User Anna owns the Orion project', 'User Paul owns the Orion project'],
    ['Team Alpha uses Redis for caching', 'Team Beta uses Redis for caching'],
    ['Service billing calls Stripe over HTTPS', 'Service shipping calls Stripe over HTTPS'],
    ['Customer Weber pays Acme invoices by card', 'Customer Novak pays Acme invoices by transfer'],
    ['The office in Berlin is closed', 'The office in Hamburg is closed'],
    ['The owner of Orion is Anna', 'The owner of Lyra is Anna'],
    ['Anna speaks French', 'Anna speaks Dutch'],
  ])('does not if it is about something else, or adds to the older one: %s / %s', (one, other) => {
    expect([judged(one, other, close), judged(other, one, close)]).toEqual([undefined, undefined])
  })

  it.each([
    ['The owner of Orion is Anna', 'The owner of Orion is Paul'],
    ['I live in Berlin', 'I now live in Hamburg'],
    ['Team Alpha uses Redis for caching', 'Team Alpha uses Valkey for caching'],
  ])('does if it says something else about the same: %s / %s', (one, other) => {
    expect(judged(one, other, close)).toBe('superseded')
  })

  it('does not if it is about an earlier time, or reports an event', () => {
    const early = claim(newer, { occurredAt: -1 })
    expect(judge(early, claim(older), { ...alike, ...close }, defaultSettings.dedup)).toBeUndefined()
    expect(judged(older, newer, close, { memoryType: 'episodic' })).toBeUndefined()
  })

  it('does not if it expires sooner', () => {
    const fleeting = { ...alike, ...close }
    const asked = (expiresAt: number | undefined, olderExpiresAt: number | undefined) =>
      judge(claim(newer, { expiresAt }), claim(older, { expiresAt: olderExpiresAt }), fleeting, defaultSettings.dedup)
    expect([asked(5, undefined), asked(5, 6)]).toEqual([undefined, undefined])
    expect([asked(undefined, 5)?.action, asked(6, 5)?.action]).toEqual(['superseded', 'superseded'])
  })

  it('does not if a number or a negation differs', () => {
    expect(judged('The office has 4 rooms', 'The office has 5 rooms', close)).toBeUndefined()
    expect(judged('The office has rooms', 'The office has no rooms', close)).toBeUndefined()
  })
})

describe('bestVerdict', () => {
  it('prefers equal texts, then common words, then meaning, then the most similar, then the oldest', () => {
    const verdict = (action: Verdict['action'], similarity: number, memoryId: string) => ({
      action,
      similarity,
      memoryId,
    })
    const ordered = [
      verdict('exact_match', 1, 'b'),
      verdict('near_duplicate', 0.9, 'c'),
      verdict('near_duplicate', 0.88, 'a'),
      verdict('semantic_duplicate', 0.99, 'd'),
      verdict('semantic_duplicate', 0.99, 'e'),
      verdict('superseded', 0.94, 'f'),
    ]
    for (let first = 0; first < ordered.length; first++)
      expect(bestVerdict(ordered.slice(first).toReversed())).toBe(ordered[first])
    expect(bestVerdict([])).toBeUndefined()
  })
})
