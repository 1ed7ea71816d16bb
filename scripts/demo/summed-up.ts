import type { AgentName } from './seed-shapes.ts'

/** What an agent says of a session at its end, oldest first; a session for which nothing is left ends without a checkpoint. */
export const summedUp: Readonly<Record<AgentName, readonly string[]>> = {
  'claude-code': [
    'Learned how the team works from Ada: small pull requests, reasons first. Set up the checks of the booking site.',
    'Reviewed four pull requests of Bo; two were split. Wrote the release steps into the handbook.',
    'Released the new fares page at ten in the morning. The north board showed the right prices after a minute.',
    'Moved prices to integers in the last three places where they were not. One rounding mistake of one øre was found and fixed.',
    'Corrected the price of bicycles after the new list came; the old number stood in five places.',
    'Looked into the boards with codex: they show the last timetable for an hour before they go dark, which nobody had written down.',
    'Reviewed the mails about wind. Suggested to send at the evening forecast and at six.',
    'Made the booking take the highest sequence number of a payment’s webhooks. A replay of last week gave the same bookings.',
    'Profiled the build: the fixtures of the fares loaded every year in every file. Nine minutes became four.',
    'Took the discount of the monthly card for bicycles into the fares, with a test for the day on which it begins.',
    'Released on Thursday evening, since tomorrow is Friday. Nothing to report.',
    'Wrote the rule about new dependencies down, after two arrived in one week.',
    'Changed the sender of confirmations from no-reply to hello at the wish of the office.',
    'Traced confirmations among the unwanted to the new sender, together with Bo. Wrote it up.',
    'Began a check that stops a release where the record of a new sender cannot be seen from outside.',
  ],
  codex: [
    'Looked through the services: timetable, bookings, mails, fares. Found the restore of backups well described.',
    'Wrote down how passenger lists are handled, and asked the office whether thirty days are right. They are.',
    'Compared the two payment providers with Ada. Made accounts in the sandbox of Fjordpay.',
    'Steps one to three of the migration: accounts, sandbox, single payments.',
    'Stopped at step four: refunds below one krone are refused in the sandbox. Wrote to their support.',
    'Found the south board’s clock two hours ahead. Set it, wrote the page for the next time.',
    'Their support says that `exact` allows small refunds. It does, in the sandbox of the version before.',
    'The field is `exactAmount`. Refunds work; each carries the number of its booking.',
    'Webhooks out of order are handled. Began with both providers side by side, for one booking in a hundred.',
    'Wrote the steps for trying a new fare table; it caught an overlap on the first day.',
    'One booking in ten pays at Fjordpay now. Two refusals in a day, both for good reasons.',
    'Boards warn when their clock is off by more than a minute.',
    'Restored the backup of the first Monday in 41 minutes, most of it for indexes.',
    'Half of all bookings pay at Fjordpay. Watched the first two hours; refusals fell.',
    'Looked at the settlement file: Latin-1, semicolons, decimal commas. Our reader refuses all three.',
    'Wrote to the bookkeeper with a converted file of one day, to compare the sums.',
  ],
  cursor: [
    'Looked at the site with Mira: server-rendered, two islands of script, three languages.',
    'Made the booking form keep a draft, so that a phone call does not cost a booking.',
    'Wrote dates out in all three languages. Polish needs the genitive for months.',
    'Walked through the booking by keyboard; the focus was lost behind the sticky bar twice.',
    'Drew three months of the calendar in place of eighteen. A quarter faster, less than hoped.',
    'Measured the calendar properly: it is the holidays. A table of them made it fast.',
    'Asked the office whether children travel free until six or seven. Waiting.',
    'Took place 13 of the Lomvi out of the seat map and drew a post there.',
    'Sketched a form for groups; Ada decides.',
    'Put the link for changes into the first line of the confirmation, as a trial for one in ten.',
    'Rewrote the error texts of the payment page: what to do next comes first.',
    'Made the shorter mail ready to be shown on Thursday.',
    'Collected the words “sails” and “does not sail” for the translators.',
  ],
  scout: [
    'Read the mails of last season: wind, changes, bicycles. Noted what Ingrid is responsible for.',
    'Answered 14 mails of passengers; nine asked how to change a booking.',
    'Collected what groups ask for. Spring fills up by the end of February.',
    'Wrote a table of wind limits from the rules of the ships, and asked the skippers whether it is right.',
    'One skipper says that the Lomvi stays in earlier with wind from the north-west. Kept as unsure.',
    'Counted two weeks of mails into a table for Ada.',
    'Heard about the café’s hours from somebody who was not sure either. Kept with little trust.',
    'School classes book by mail; they need one invoice and no last names.',
    'Wrote to the office about six or seven years. No answer yet.',
    'After the storm: 214 bookings changed by their owners, 37 by the counter.',
    'Looked at the posters of both piers. The southern one is out of date.',
    'Somebody at the counter speaks of a price for dogs. Asked, nobody knows.',
    'Wrote October in figures and sent it to Ada.',
    'Three passengers did not find their confirmations. Told claude-code which providers they use.',
    'Answered 22 mails, half of them about the storm forecast for the weekend.',
  ],
  dispatch: [],
}

const quiet = [
  'All boards answered. {mails} mails waited at most.',
  'A quiet night: {mails} mails at most in the queue, every board on time.',
  'Checked {checks} times. The north board was slow to answer once, at {hour}.',
  'Nothing to report but {mails} mails that waited for four minutes at {hour}.',
  'Boards fine. The printer of the north pier is low on paper.',
  'Wind from the north-west, {wind} metres a second at its most; the Lomvi sailed all the same.',
  'The south board’s clock was {seconds} seconds ahead at {hour}. Within bounds.',
  'One mail failed eight times because its address was mistyped; left for a person.',
  'Fog until {hour}. Three sailings were late by less than ten minutes; boards and mails said so.',
  'The backup took {minutes} minutes, as always. Boards fine.',
]

/** What the night watch says of a night: `day` days ago. */
export function nightReport(day: number): string {
  const told = quiet[(day * 7 + 3) % quiet.length] ?? ''
  const values: Record<string, number | string> = {
    mails: 4 + ((day * 13) % 29),
    checks: 46 + (day % 3),
    hour: `0${1 + (day % 5)}:${String((day * 17) % 60).padStart(2, '0')}`,
    wind: 11 + (day % 6),
    seconds: 2 + ((day * 5) % 31),
    minutes: 18 + (day % 4),
  }
  return told.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

/** What sessions ask for before they begin. */
export const asked: Readonly<Record<AgentName, readonly string[]>> = {
  'claude-code': [
    'how do we release the booking site',
    'what does Ada want in pull requests',
    'bicycle fares',
    'why is the build slow',
  ],
  codex: [
    'refunds at Fjordpay',
    'which port does the timetable service use',
    'passenger lists in test data',
    'settlement file encoding',
    'rebuild the search index',
  ],
  cursor: [
    'accessibility of the booking site',
    'how are dates written',
    'seat map of the Lomvi',
    'calendar on old phones',
  ],
  scout: ['wind limits for cancellations', 'what do children pay', 'how do groups book', 'who is the harbour master'],
  dispatch: ['what to do when a board stays dark', 'who is on call', 'mails stuck in the queue'],
}

/** What was said in some sessions, in its order, as hooks hand it in. */
export const turns: readonly { day: number; agent: AgentName; role: 'user' | 'assistant'; content: string }[] = [
  {
    day: 21,
    agent: 'claude-code',
    role: 'user',
    content:
      'Remember that I want the reason of a change in the first sentence, always. And please never squash Bo’s commits.',
  },
  {
    day: 21,
    agent: 'claude-code',
    role: 'assistant',
    content: 'I will put the reason first and keep Bo’s commits as they are.',
  },
  {
    day: 12,
    agent: 'codex',
    role: 'user',
    content: 'We decided that the keys of Fjordpay are changed every ninety days, because the auditor asked for it.',
  },
  {
    day: 6,
    agent: 'cursor',
    role: 'user',
    content: 'Important: the pictures of the ships must not be loaded before somebody scrolls to them.',
  },
  {
    day: 2,
    agent: 'claude-code',
    role: 'user',
    content: 'Actually the sender is called hej and not hello, I mixed it up.',
  },
  {
    day: 2,
    agent: 'codex',
    role: 'user',
    content: 'The bookkeeper got two files for Tuesday. Which one is right?',
  },
  {
    day: 2,
    agent: 'codex',
    role: 'assistant',
    content:
      'The second. The first was written before the refunds of that evening came in: 41 bookings and 3 refunds are in both, the fourth refund only in the second.\nThe sums differ by exactly that refund.',
  },
  {
    day: 2,
    agent: 'codex',
    role: 'user',
    content: 'We decided that settlement files are written at two in the morning, because refunds come in until one.',
  },
  {
    day: 0,
    agent: 'claude-code',
    role: 'user',
    content: 'Where were we with the check of the sender? Bo wants to release this afternoon.',
  },
  {
    day: 0,
    agent: 'claude-code',
    role: 'assistant',
    content: `It stops a release where the record of a sender cannot be seen from outside. What stands:

- check-sender.sh asks two name servers that are not ours, one of them abroad, for the record of each sender in mail.toml.
- Where one of them does not answer it waits for a minute and asks again, three times; only an answer without the record stops the release.
- The output names the sender, the record that was looked for, and what was found in its place. No address of a passenger is in it.

What is missing:

- It knows the senders of mail.toml, not those of the two templates that the office edits by itself.
- It has run eleven times here and never on the machine that releases, which may not be allowed to ask other name servers.
- A test for a record that is there but too long. I have seen one cut off at 255 characters, and the check took it for a right one.

I would try it on that machine first, since all the rest is of no use where it may not ask.`,
  },
  {
    day: 0,
    agent: 'claude-code',
    role: 'user',
    content:
      'Yes, try that first. And never let a release wait longer than ten minutes for it; then somebody has to look.',
  },
  {
    day: 0,
    agent: 'claude-code',
    role: 'assistant',
    content: 'It may ask. The check took four seconds there. I set ten minutes as its end and begin with the test now.',
  },
]
