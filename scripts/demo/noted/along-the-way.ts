import type { SeedNote } from '../seed-shapes.ts'

/** Projects, decisions, passengers, reports, ideas and meetings. */
export const alongTheWay: readonly SeedNote[] = [
  {
    day: 28,
    by: 'scout',
    title: 'Groups and schools',
    folderPath: 'Passengers',
    tags: ['groups', 'privacy'],
    content: `# Groups and schools

Groups of ten and more write to us. What they need, in the order in which they ask:

1. a sailing with enough places (the Lomvi has 84, less one, see the seat map)
2. one invoice
3. a list without last names, as [[Handling passenger lists]] says

Spring is full by the end of February. A form would spare us about six mails a day: [[Idea: a form for groups]].`,
  },
  {
    day: 26,
    by: 'codex',
    title: 'Moving to Fjordpay',
    folderPath: 'Projects',
    tags: ['payments', 'project'],
    formerly: `# Moving to Fjordpay

Nine steps, begun on Monday. The contract with the old provider ends at the turn of the year.`,
    content: `# Moving to Fjordpay

The contract with the old provider ends at the turn of the year. Nine steps; seven are done.

- [x] 1. accounts and keys, kept in the vault of the office
- [x] 2. sandbox
- [x] 3. single payments
- [x] 4. refunds, see [[Refunds in øre]]
- [x] 5. webhooks out of order
- [x] 6. both providers side by side, for one in a hundred
- [x] 7. one in ten, then half
- [ ] 8. settlement file: Latin-1, semicolons; the bookkeeper looks at it
- [ ] 9. switch the old one off

Decided in [[2026-11 Which payment provider]]. What we measured: refusals fell from 2.1 to 1.4 per cent.`,
  },
  {
    day: 18,
    by: 'codex',
    title: 'Refunds in øre',
    folderPath: 'Projects/Payments',
    tags: ['payments'],
    content: `# Refunds in øre

Their documentation says \`exact\`, their sandbox wants \`exactAmount\`. Without it a refund of 4.50 becomes 5.00, which is kind but wrong.

Every refund carries the number of the booking as its key, so that none is paid twice. Part of [[Moving to Fjordpay]].`,
  },
  {
    day: 25,
    by: 'user',
    title: '2026-11 Which payment provider',
    folderPath: 'Decisions',
    tags: ['decision', 'payments'],
    content: `# Which payment provider

**Decided:** Fjordpay, from the new year on.

**Because** they settle daily, refuse fewer cards from abroad, and their people answered the phone. **Instead of** staying (dearer by a third) and Havnebank (no refunds by program).

**It costs us** three weeks of Bo and codex, and a settlement file that nobody here has read before. See [[Moving to Fjordpay]].`,
  },
  {
    day: 24,
    by: 'user',
    title: '2026-11 Boards ask, nobody pushes',
    folderPath: 'Decisions',
    tags: ['decision', 'boards'],
    content: `# Boards ask, nobody pushes

**Decided:** a board asks the timetable service; the service never calls a board.

**Because** a board that was moved, rebooted or lost its network simply asks again. **Instead of** pushing, which needs a list of boards that is never right.

See [[Departure boards]].`,
  },
  {
    day: 20,
    by: 'user',
    title: 'Decisions',
    folderPath: 'Decisions',
    tags: ['decision'],
    content: `# Decisions

Newest first. One page each; a decision is changed by a new one that names the old.

- [[2026-11 Boards ask, nobody pushes]]
- [[2026-11 Which payment provider]]
- [[2026-10 No account needed to book]]`,
  },
  {
    day: 19,
    by: 'user',
    title: 'Boards for the outer islands',
    folderPath: 'Projects',
    tags: ['boards', 'project'],
    content: `# Boards for the outer islands

Three piers without mains, so: a sun panel, paper-like screens, and the radio of the harbour instead of a line.

Open: who cleans the panels of salt? Ingrid has an idea. The timetable must fit into 2 KB, which the [[Departure boards]] never needed.`,
  },
  {
    day: 13,
    by: 'cursor',
    title: 'Why the calendar was slow',
    folderPath: 'Notes',
    tags: ['calendar', 'performance'],
    content: `# Why the calendar was slow

First guess: it drew eighteen months. Drawing three made it a quarter faster, and no more.

Measured: 70 % of the time went into holidays, computed again for each day. A table of them, made once, brought it from 900 to 110 ms on the old phone in the drawer.

Lesson: measure before the second guess. See [[Accessibility]] for why it may not simply be a picker of the browser.`,
  },
  {
    day: 14,
    by: 'scout',
    title: 'What passengers ask',
    folderPath: 'Passengers',
    tags: ['passengers'],
    content: `# What passengers ask

Of 180 mails in two weeks:

| About                         | Mails | Answered by           |
| ----------------------------- | ----- | --------------------- |
| changing a booking            | 61    | the link in their mail |
| wind and cancellations        | 44    | [[Wind and cancellations]] |
| bicycles, prams, dogs         | 31    | [[Fares]]             |
| cards in the café of the Terna | 11   | yes                   |
| lost things                   | 9     | the counter           |
| the rest                      | 24    | one by one            |

The first line has an answer in the confirmation already; people do not read that far. Shorter mail: [[Idea: one line first]].`,
  },
  {
    day: 16,
    by: 'scout',
    title: 'Wind and cancellations',
    folderPath: 'Passengers',
    tags: ['wind', 'passengers'],
    content: `# Wind and cancellations

The Lomvi stays in from 17 m/s, the Terna and the Alke from 21. The skipper decides; we only tell.

What people want is to know early. Since the storm we write at the evening forecast: “may not sail”, and again at six: “sails” or “does not sail”. Of 214 changed bookings after the last storm nobody waited longer than a day.`,
  },
  {
    day: 12,
    by: 'user',
    title: 'Figures for the board',
    folderPath: 'Reports',
    tags: ['reports'],
    content: `# Figures for the board

One page of prose, one table at the end, by the third of each month.

Bookings by way (site, counter, phone), changes, refusals of cards, cancelled sailings, mails answered within a day. No names, no slides. Written by *scout* from the counts, read by Ada, sent on the third.`,
  },
  {
    day: 3,
    by: 'scout',
    title: 'October in figures',
    folderPath: 'Reports/2026',
    tags: ['reports', 'figures'],
    content: `# October in figures

Bookings rose by four per cent against last year, all of it on the outer islands. One storm cancelled 38 sailings; 214 bookings were changed by their owners. Card refusals fell since half of the payments go to the new provider.

| What                       | October | September |
| -------------------------- | ------- | --------- |
| bookings                   | 18,240  | 21,906    |
| of these on the site       | 83 %    | 81 %      |
| changed by their owners    | 2,117   | 1,840     |
| sailings cancelled         | 38      | 6         |
| cards refused              | 1.4 %   | 2.1 %     |

Made as [[Figures for the board]] says.`,
  },
  {
    day: 11,
    by: 'scout',
    title: 'Idea: one line first',
    folderPath: 'Ideas',
    tags: ['idea', 'mail'],
    content: `# Idea: one line first

The confirmation mail begins with our thanks, our address and the terms. It should begin with: **Tuesday 4 November, 09:20 from the north pier. Change or cancel: one link.**

Then the rest. From [[What passengers ask]].`,
  },
  {
    day: 9,
    by: 'cursor',
    title: 'Idea: a form for groups',
    folderPath: 'Ideas',
    tags: ['idea', 'groups'],
    content: `# Idea: a form for groups

Six mails a day, each with the same three questions of [[Groups and schools]]. A form of one page would ask them at once. No account, no list of names.`,
  },
  {
    day: 10,
    by: 'claude-code',
    title: 'Slow builds',
    folderPath: 'Notes',
    tags: ['build', 'performance'],
    content: `# Slow builds

\`make profile-build\`, sort by wall time. Twice it was the fixtures of the fares: every test file loaded all years. They load what they name now; the build takes four minutes in place of nine.`,
  },
  {
    day: 6,
    by: 'user',
    title: 'Talk with Ingrid about the islands',
    folderPath: 'Meetings/2026',
    tags: ['meeting', 'boards'],
    content: `# Talk with Ingrid about the islands

- The radio is free on channel 14, at night also on 11.
- Salt: her people wash the lamps each Thursday, they could wash panels too.
- She wants to see a board before it hangs on a pier. Jonas brings one.

Next: a trial on the nearest island, see [[Boards for the outer islands]].`,
  },
  {
    day: 2,
    by: 'user',
    title: 'Weekly, second of November week',
    folderPath: 'Meetings/2026',
    tags: ['meeting'],
    content: `# Weekly

- Payments: half of all bookings, settlement file is the last hurdle ([[Moving to Fjordpay]]).
- Mail: confirmations among the unwanted for three days' worth of senders; only waiting helps.
- Mira wants to show the shorter mail on Thursday ([[Idea: one line first]]).
- Nobody releases on Friday, as ever.`,
  },
  {
    day: 1,
    by: 'claude-code',
    title: 'Why mails landed among the unwanted',
    folderPath: 'Notes',
    tags: ['mail', 'incident'],
    content: `# Why mails landed among the unwanted

The sender became *hello* in place of *no-reply*; the record that vouches for the new name was added three days later. Big providers remember such days for a week or two.

What we change: a sender is only switched once its record is visible from outside. Line added to [[Releasing the booking site]].`,
  },
]
