import type { SeedNote } from '../seed-shapes.ts'

/** What everybody is to know. */
export const handbook: readonly SeedNote[] = [
  {
    day: 30,
    by: 'user',
    title: 'Start here',
    folderPath: 'Team',
    tags: ['team'],
    content: `# Start here

We are four people and five agents, and we look after what passengers see of the line: the booking site, the timetable, the fares and the boards on the piers.

- Who does what: [[Who is who]]
- How a change reaches the passengers: [[Releasing the booking site]]
- What we decided, and why: [[Decisions]]
- What we are busy with: [[Moving to Fjordpay]] and [[Boards for the outer islands]]

If something is broken right now, go to [[When a board stays dark]] or [[When bookings stop]].`,
  },
  {
    day: 30,
    by: 'user',
    title: 'Who is who',
    folderPath: 'Team',
    tags: ['team', 'people'],
    content: `# Who is who

| Who    | Looks after                           | Knows about             |
| ------ | ------------------------------------- | ----------------------- |
| Ada    | the whole, and the budget             | fares, contracts        |
| Bo     | services behind the site              | payments, the database  |
| Mira   | what people see and touch             | accessibility, calendar |
| Jonas  | machines on piers and ships           | boards, printers, radio |

Ingrid Solheim is the harbour master. She is not in our team and is asked before anything on a pier is moved.

Agents: *claude-code* reviews and releases, *codex* works on services, *cursor* on the site, *scout* reads what passengers write, *dispatch* watches the piers at night.`,
  },
  {
    day: 29,
    by: 'claude-code',
    title: 'Releasing the booking site',
    folderPath: 'Handbook/Releases',
    tags: ['release', 'handbook'],
    formerly: `# Releasing the booking site

Merge, wait for the build, run \`make deploy\`.`,
    content: `# Releasing the booking site

1. Merge to \`main\`; the pipeline builds an image and runs the checks of [[Accessibility]].
2. Ask in **#ferries** whether a boat is boarding.
3. Release:

\`\`\`sh
make deploy ENV=production
\`\`\`

4. Watch the board at the north pier for two minutes. See [[When a board stays dark]] if it goes dark.

| Check      | Where              | Should be            |
| ---------- | ------------------ | -------------------- |
| Departures | the north pier     | the next five        |
| Prices     | the fares page     | as in [[Fares]]      |
| Booking    | the card 4242      | a mail within a minute |

> If in doubt, roll back first and ask later: \`make rollback\`.

- [x] tried on staging
- [ ] tell the office when prices changed`,
  },
  {
    day: 28,
    by: 'codex',
    title: 'Handling passenger lists',
    folderPath: 'Handbook',
    tags: ['privacy', 'handbook'],
    content: `# Handling passenger lists

A list is kept for thirty days after the crossing, because the authority may ask who was on board. Then it is deleted, backups included at their next rotation.

- No list leaves the office network. Not in a ticket, not in a chat, not as test data.
- School classes are booked without last names, see [[Groups and schools]].
- Whoever needs numbers gets numbers: the report of [[Figures for the board]] has no names in it.`,
  },
  {
    day: 27,
    by: 'codex',
    title: 'Fares',
    folderPath: 'Handbook',
    tags: ['fares', 'handbook'],
    content: `# Fares

The truth is \`fares/2026.csv\`; the site, the counters and the boards read it. Rows must not overlap in time.

| Who                 | Route 7 | Outer islands |
| ------------------- | ------- | ------------- |
| Adult               | 8.00    | 12.00         |
| Six to fifteen      | 4.00    | 6.00          |
| Under six           | free    | free          |
| Bicycle             | 4.50    | 6.50          |
| Bicycle, with card  | 3.00    | 4.50          |

Amounts are integers of øre until the last step before the screen. A change is tried as in [[Trying a fare table]] and told to the office before it is released.`,
  },
  {
    day: 22,
    by: 'codex',
    title: 'Trying a fare table',
    folderPath: 'Handbook',
    tags: ['fares'],
    content: `# Trying a fare table

\`\`\`sh
fares check fares/2026.csv
fares load --to staging fares/2026.csv
\`\`\`

Then book one crossing of each kind with the card 4242 and compare with [[Fares]]. The check finds overlapping rows and prices that fell by more than half; it does not know what is meant.`,
  },
  {
    day: 24,
    by: 'dispatch',
    title: 'Departure boards',
    folderPath: 'Handbook/Piers',
    tags: ['boards', 'piers'],
    content: `# Departure boards

One on each pier: a small computer behind a screen. It asks the timetable service every fifteen seconds and shows the next five sailings. Without an answer it goes on with what it had, for an hour, with a clock in the corner.

- North pier: \`board-north\`, in the sun in the afternoon
- South pier: \`board-south\`, its clock runs ahead
- Outer islands: none yet, see [[Boards for the outer islands]]

Broken? [[When a board stays dark]].`,
  },
  {
    day: 23,
    by: 'codex',
    title: 'When a board stays dark',
    folderPath: 'Handbook/Piers',
    tags: ['boards', 'runbook'],
    formerly: `# When a board stays dark

Restart it.`,
    content: `# When a board stays dark

In this order, since the first is the most frequent and the last hides the cause:

1. its clock: \`ssh board-south timedatectl\`
2. its certificate: does it begin in the future?
3. the network: can it reach the timetable service on port 8471?
4. restart it, and write down that you had to

Last time: 06:10 to 07:35 at the south pier, the clock. See [[Departure boards]] and [[Night watch]].`,
  },
  {
    day: 21,
    by: 'dispatch',
    title: 'Night watch',
    folderPath: 'Handbook/Piers',
    tags: ['on call'],
    content: `# Night watch

Between 22:00 and 06:00 *dispatch* looks at boards, printers and the queue of mails every ten minutes, and calls a person for three things only:

- a board that is dark for more than twenty minutes
- more than fifty mails that wait
- a refund that failed twice

Everything else can wait for the morning. Jonas has even weeks, Bo odd ones.`,
  },
  {
    day: 17,
    by: 'cursor',
    title: 'Accessibility',
    folderPath: 'Handbook',
    tags: ['accessibility', 'handbook'],
    content: `# Accessibility

What each page of the booking site keeps to:

- works without script as far as the choice of a sailing
- by keyboard from the address bar to the footer and back, the focus never out of sight
- dates written out; colours never alone
- 200 % zoom without a sideways bar

The calendar is the hard part, see [[Why the calendar was slow]].`,
  },
  {
    day: 8,
    by: 'codex',
    title: 'Backups and the first Monday',
    folderPath: 'Handbook',
    tags: ['backups', 'handbook'],
    content: `# Backups and the first Monday

Every night at 02:30. On the first Monday of a month somebody restores the newest one into an empty database and books a crossing in it. A backup that nobody has restored is a hope.

Last time: 41 minutes, of which 25 were the indexes.`,
  },
]
