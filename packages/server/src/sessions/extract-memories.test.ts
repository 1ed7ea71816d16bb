import { describe, expect, it } from 'vitest'
import type { MemoryType } from '../memories/memory.ts'
import { extractMemories } from './extract-memories.ts'

/** What the user says, and what is kept of it: nothing, or a type and a text. */
const said: [string, [MemoryType, string]?][] = [
  // Preferences.
  ['I prefer tabs over spaces.', ['preference', 'The user prefers tabs over spaces.']],
  ['I really like short answers', ['preference', 'The user really likes short answers.']],
  ["I don't like emojis in commit messages", ['preference', 'The user does not like emojis in commit messages.']],
  ['I hate long meetings!', ['preference', 'The user hates long meetings.']],
  ['I prefer my coffee black.', ['preference', 'The user prefers their coffee black.']],
  [
    'By the way, I prefer that you answer in German.',
    ['preference', 'The user prefers that the agent answer in German.'],
  ],
  ['My favourite editor is Vim.', ['preference', "The user's favourite editor is Vim."]],
  [
    "I'd rather have one long file than ten short ones.",
    ['preference', 'The user would rather have one long file than ten short ones.'],
  ],
  ["I don't use Windows.", ['preference', 'The user does not use Windows.']],
  ['I don’t eat meat', ['preference', 'The user does not eat meat.']],
  [
    "I prefer short answers, and I'd skip the greeting.",
    ['preference', "The user prefers short answers, and they'd skip the greeting."],
  ],
  ['I love to!'],
  ['I love the colours here!'],
  ['I love that you asked.'],
  ['I like it.'],
  ['I like that idea!'],
  ['I love your approach.'],
  ["I'd like a summary, please."],
  ['I prefer the first option for now.'],
  ['I hate to say it, but the tests fail.'],
  ['I like how you did this.'],
  ['Do I prefer tabs? Who knows.'],
  ['I think I prefer spaces.'],
  ['She said I prefer tea.'],
  // Who the user is.
  ['My name is Zoë.', ['fact', "The user's name is Zoë."]],
  ['I work at Acme as a data engineer.', ['fact', 'The user works at Acme as a data engineer.']],
  ['I live in Lisbon.', ['fact', 'The user lives in Lisbon.']],
  ["I'm allergic to peanuts.", ['fact', 'The user is allergic to peanuts.']],
  ['I am a senior backend developer.', ['fact', 'The user is a senior backend developer.']],
  ['My timezone is Europe/Vienna', ['fact', "The user's timezone is Europe/Vienna."]],
  ["I'm a bit tired."],
  ["I'm fine, thanks."],
  ['My code is broken.'],
  // Remember.
  ['Remember that Alice is on leave until May.', ['fact', 'Alice is on leave until May.']],
  ['Please remember that I prefer dark mode.', ['preference', 'The user prefers dark mode.']],
  ['Remember that I want short answers.', ['fact', 'The user wants short answers.']],
  ["Remember that I really don't need a summary.", ['fact', 'The user really does not need a summary.']],
  ['Remember that I went to Lisbon last year.', ['fact', 'The user went to Lisbon last year.']],
  ["Don't forget that the staging server is called kestrel.", ['fact', 'The staging server is called kestrel.']],
  ['Keep in mind that we deploy on Tuesdays.', ['fact', 'We deploy on Tuesdays.']],
  ['Note: invoices go to billing@example.org', ['fact', 'Invoices go to billing@example.org.']],
  ['Remember to run the tests before pushing.', ['constraint', 'Remember to run the tests before pushing.']],
  ['Remember, believe in yourself.'],
  ['Note that you can stop at any time.'],
  ['Remember this!'],
  ['Remember when we broke production?'],
  ['Do you remember the name of the server?'],
  ['I remember that day.'],
  // Decisions.
  ['We decided to use PostgreSQL instead of MySQL.', ['fact', 'We decided to use PostgreSQL instead of MySQL.']],
  ["We've agreed on two reviewers for each change.", ['fact', "We've agreed on two reviewers for each change."]],
  ['I decided to drop support for Node 18.', ['fact', 'The user decided to drop support for Node 18.']],
  ['Decision: the API stays versionless.', ['fact', 'Decision: the API stays versionless.']],
  ["OK, let's go with Kysely.", ['fact', 'Decision: go with Kysely.']],
  [
    'We chose Fastify over Express because of its schemas.',
    ['fact', 'We chose Fastify over Express because of its schemas.'],
  ],
  ["We're moving to Hetzner.", ['fact', "We're moving to Hetzner."]],
  ["Let's go with that."],
  ["Let's use the second option."],
  ['Should we decide to use Rust?'],
  ['We decided on it.'],
  ["We haven't decided yet."],
  // Constraints.
  ['Always run the linter before committing.', ['constraint', 'Always run the linter before committing.']],
  ['Please never push to main directly', ['constraint', 'Never push to main directly.']],
  ["Don't ever delete the audit log.", ['constraint', 'Never delete the audit log.']],
  ['From now on, write the comments in English.', ['constraint', 'From now on, write the comments in English.']],
  ['When you deploy, always tag the release.', ['constraint', 'When you deploy, always tag the release.']],
  ['All migrations must be reversible.', ['constraint', 'All migrations must be reversible.']],
  ['Every endpoint needs to validate its input.', ['constraint', 'Every endpoint needs to validate its input.']],
  ['Logs must never contain e-mail addresses.', ['constraint', 'Logs must never contain e-mail addresses.']],
  ['Never log the password of a user.', ['constraint', 'Never log the password of a user.']],
  ['You must never touch the billing tables.', ['constraint', 'Never touch the billing tables.']],
  [
    "We're not allowed to store data outside the EU.",
    ['constraint', "We're not allowed to store data outside the EU."],
  ],
  ['Force pushes are forbidden.', ['constraint', 'Force pushes are forbidden.']],
  ['Make sure to always close the file handle.', ['constraint', 'Always close the file handle.']],
  ['Never mind.'],
  ['Never give up!'],
  ['Always here to help.'],
  ['Never saw this coming.'],
  ['Always happy to help!'],
  ['Never seen that before.'],
  ['Always wanted to try this.'],
  ['It must be a bug in the parser.'],
  ['You must be tired.'],
  ['The build must be broken.'],
  ["Don't push that today."],
  ['Use tabs in this file.'],
  ['I have to go now.'],
  ['If we never ship, nobody will care.'],
  // Corrections.
  ['No, the port is 5433.', ['correction', 'The port is 5433.']],
  ["That's wrong. The limit is 50 requests a minute.", ['correction', 'The limit is 50 requests a minute.']],
  [
    'Actually, our staging database runs on PostgreSQL 18.',
    ['correction', 'Our staging database runs on PostgreSQL 18.'],
  ],
  ['The port is 5433, not 5432.', ['correction', 'The port is 5433, not 5432.']],
  ["No, it's 5433, not 5432.", ['correction', 'The user corrected: "it\'s 5433, not 5432."']],
  ['I meant the staging server, not production.', ['correction', 'The user meant the staging server, not production.']],
  ['Correction: the meeting is on Thursday.', ['correction', 'The meeting is on Thursday.']],
  ['We no longer use Jenkins.', ['correction', 'We no longer use Jenkins.']],
  ['Bob is no longer the owner of the repository.', ['correction', 'Bob is no longer the owner of the repository.']],
  ['No, the port is 8443, not 8080.', ['correction', 'The port is 8443, not 8080.']],
  ['Do not use npm; use pnpm.', ['correction', 'Do not use npm; use pnpm.']],
  ["No, don't use npm, use pnpm instead.", ['correction', "Don't use npm, use pnpm instead."]],
  ['Use pnpm, not npm.', ['correction', 'Use pnpm, not npm.']],
  ['No, use pnpm instead of npm.', ['correction', 'Use pnpm instead of npm.']],
  ['That is wrong: the port is 8443.', ['correction', 'The port is 8443.']],
  ['That is wrong: deploys go through Jenkins.', ['correction', 'Deploys go through Jenkins.']],
  ['You are wrong: we deploy with Helm.', ['correction', 'We deploy with Helm.']],
  ['That is wrong: try again with the other file.'],
  ["That's wrong: it does not work."],
  ["Don't use that; use this."],
  ["Don't worry; use whatever."],
  ['Do not use it.'],
  ['Use this, not that.'],
  ['No, the tests are not done yet.'],
  ['Actually, never mind.'],
  ["Actually, that's fine."],
  ['No, thanks.'],
  ["No, it's okay."],
  ['Actually, the result is fine.'],
  ["It's a feature, not a bug."],
  // Causes.
  [
    'The root cause was a missing index on the orders table.',
    ['fact', 'The root cause was a missing index on the orders table.'],
  ],
  [
    'We fixed the login loop by clearing the stale cookie.',
    ['fact', 'Fixed the login loop by clearing the stale cookie.'],
  ],
  ['The root cause is still unknown.'],
  ['Fixed it.'],
  // Secrets.
  ['Remember that the password is hunter2.'],
  ['My password is hunter2'],
  ['Remember: sk-9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c'],
  ['The API key is abc-123, not abc-124.'],
  // Other languages: kept as they were said.
  ['Ich bevorzuge kurze Antworten.', ['preference', 'The user said: "Ich bevorzuge kurze Antworten."']],
  ['Mein Lieblingseditor ist Vim.', ['preference', 'The user said: "Mein Lieblingseditor ist Vim."']],
  ['Bitte niemals direkt auf main pushen.', ['constraint', 'The user said: "Bitte niemals direkt auf main pushen."']],
  ['Wir haben uns für Go entschieden.', ['fact', 'The user said: "Wir haben uns für Go entschieden."']],
  ['Merk dir, dass der Server Falke heißt.', ['fact', 'The user said: "Merk dir, dass der Server Falke heißt."']],
  ['Nein, der Port ist 5433.', ['correction', 'The user said: "Nein, der Port ist 5433."']],
  ['Ich mag das.'],
  ['Immer noch kaputt.'],
  ['Je préfère les réponses courtes.', ['preference', 'The user said: "Je préfère les réponses courtes."']],
  ["N'utilise jamais de points-virgules.", ['constraint', 'The user said: "N\'utilise jamais de points-virgules."']],
  ['Nous avons décidé de garder MySQL.', ['fact', 'The user said: "Nous avons décidé de garder MySQL."']],
  ["J'aime bien ça."],
  ['Prefiero respuestas cortas.', ['preference', 'The user said: "Prefiero respuestas cortas."']],
  ['Siempre usa comillas simples.', ['constraint', 'The user said: "Siempre usa comillas simples."']],
  ['Recuerda que vivo en Bogotá.', ['fact', 'The user said: "Recuerda que vivo en Bogotá."']],
  ['Nunca he visto algo así.'],
  ['Prefiro respostas curtas.', ['preference', 'The user said: "Prefiro respostas curtas."']],
  ['Nunca apague os logs.', ['constraint', 'The user said: "Nunca apague os logs."']],
  ['Decidimos usar Rust no servidor.', ['fact', 'The user said: "Decidimos usar Rust no servidor."']],
  ['Preferisco risposte brevi.', ['preference', 'The user said: "Preferisco risposte brevi."']],
  ['Non usare mai la forza bruta.', ['constraint', 'The user said: "Non usare mai la forza bruta."']],
  ['我喜欢喝茶。', ['preference', 'The user said: "我喜欢喝茶。"']],
  ['请记住服务器叫红隼。', ['fact', 'The user said: "请记住服务器叫红隼。"']],
  ['永远不要直接推送到主分支。', ['constraint', 'The user said: "永远不要直接推送到主分支。"']],
  ['我们决定使用PostgreSQL。', ['fact', 'The user said: "我们决定使用PostgreSQL。"']],
  ['我喜欢这个。'],
  ['紅茶のほうが好きです。', ['preference', 'The user said: "紅茶のほうが好きです。"']],
  ['必ずテストを実行してください。', ['constraint', 'The user said: "必ずテストを実行してください。"']],
  [
    'サーバーの名前はハヤブサだと覚えておいてください。',
    ['fact', 'The user said: "サーバーの名前はハヤブサだと覚えておいてください。"'],
  ],
  // Talk.
  ['Thanks, that works!'],
  ['Can you open the file src/app.ts and tell me what it does?'],
  ['The function returns a list of users.'],
  ['Great job!'],
  ['ok'],
]

describe('what a user says', () => {
  it.each(said)('%j', (sentence, expected) => {
    const found = extractMemories(sentence, 'user').map(({ memoryType, content }) => [memoryType, content])
    expect(found).toEqual(expected === undefined ? [] : [expected])
  })

  it('is told in at least eighty sentences, a third of which are nothing', () => {
    expect(said.length).toBeGreaterThan(80)
    expect(said.filter(([, expected]) => expected === undefined).length).toBeGreaterThan(said.length / 3)
  })
})

describe('extraction', () => {
  it('takes each sentence for itself, once', () => {
    const text = 'Hi! I prefer tabs. We decided to use Go.\n- Never push to main\n- never push to main\nThanks.'
    expect(extractMemories(text, 'user').map(({ content }) => content)).toEqual([
      'The user prefers tabs.',
      'We decided to use Go.',
      'Never push to main.',
    ])
  })

  it('passes over code, quotes and what was recalled', () => {
    const text = [
      '```\nAlways run the linter before committing.\n```',
      '> Always quote people.',
      '<holdfast-recall>I prefer tabs over spaces.</holdfast-recall>',
      'What of these do you know?',
    ].join('\n')
    expect(extractMemories(text, 'user')).toEqual([])
  })

  it('knows where a code block ends: at a fence of its own kind and length, in a list too', () => {
    const contents = (text: string) => extractMemories(text, 'user').map(({ content }) => content)
    expect(contents('```md\n~~~\nAlways run the linter first.\n~~~\n```')).toEqual([])
    expect(contents('````md\n```\nAlways run it.\n```\nNever push to main.\n````')).toEqual([])
    expect(contents('1. Do\n\n    ```\n    Always run the linter first.\n    ```')).toEqual([])
    expect(contents('````md\n```js\n````\r\nAlways run the linter first.')).toEqual(['Always run the linter first.'])
    expect(contents('Always run `the linter` first.\n\n`')).toEqual(['Always run `the linter` first.'])
  })

  it('takes decisions and causes from the assistant, and nothing about itself', () => {
    const contents = (text: string) => extractMemories(text, 'assistant').map(({ content }) => content)
    expect(contents('We decided to use Go.')).toEqual(['We decided to use Go.'])
    expect(contents('The root cause was a stale cache.')).toEqual(['The root cause was a stale cache.'])
    expect(contents('I prefer tabs. My name is Claude. Always glad. Never push to main. Ich bevorzuge Tabs.')).toEqual(
      [],
    )
    expect(contents('Remember that the port is 5433.')).toEqual([])
  })

  it('names what a sentence is about', () => {
    const [decision] = extractMemories('We decided to use PostgreSQL instead of MySQL in `orders-api`.', 'user')
    expect(decision?.entities).toEqual(['orders-api', 'PostgreSQL', 'MySQL'])
  })

  it('is surest of what somebody asked to be remembered', () => {
    const [asked, told] = ['Remember that I prefer tabs.', 'I prefer tabs.'].map(
      (text) => extractMemories(text, 'user')[0],
    )
    expect([asked?.confidence, told?.confidence]).toEqual([5, 4])
  })

  it('makes ten memories of a turn at most', () => {
    const text = Array.from({ length: 40 }, (_, n) => `Never touch table t${n}.`).join(' ')
    expect(extractMemories(text, 'user')).toHaveLength(10)
  })

  it('takes linear time, whatever the text', () => {
    for (const part of [
      'a',
      'I prefer ',
      'we are ',
      'All a ',
      'no, ',
      '. A',
      'e.g. ',
      '`',
      '> ',
      '```\n',
      '。',
      "'",
      'The a is a, not ',
      'Use a, ',
      'Do not use a; ',
      'That is wrong: a ',
      '1. ',
      'If we ',
      '-',
      '*',
      '_',
    ]) {
      const text = part.repeat(Math.ceil(50_000 / part.length))
      const before = performance.now()
      extractMemories(text, 'user')
      extractMemories(text.replaceAll(' ', '. X'), 'user')
      extractMemories(`Always a${text}x`, 'user')
      expect([part, performance.now() - before < 1500]).toEqual([part, true])
    }
  })
})
