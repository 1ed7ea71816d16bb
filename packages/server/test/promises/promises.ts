// What Holdfast promises about security and reliability, which tests prove it, and what is still missing. `npm run generate` prints
// docs/promises.md from this list and from the figures that the tests measured.

import { crash, scripts, source, test, type Proof } from './proof.ts'

export interface Promised {
  number: number
  promise: string
  /** What a complete test has to show. */
  target: string
  proofs: readonly Proof[]
  /** What the tests don't show yet. Without it, they show the whole target. */
  missing?: string
}

const listed: Omit<Promised, 'number'>[] = [
  {
    promise: 'A write that was acknowledged survives kill -9.',
    target: '0 lost in 1,000 kills and at least 100,000 acknowledged writes, on SQLite and PostgreSQL',
    proofs: [
      ...crash('kill.test.ts', 'keeps every acknowledged memory, complete and findable, and no part of another'),
      ...crash('kill.long.test.ts', 'keeps every acknowledged memory, complete and findable, and no part of another'),
    ],
  },
  {
    promise: 'A write is acknowledged only after the disk was synced.',
    target: '0 acknowledgements without a sync',
    proofs: [
      ...crash('sync-failure.test.ts', 'is synced before each acknowledgement'),
      ...source('db/sqlite.test.ts', 'writes with WAL and synchronous=FULL, on the first open and on every later one'),
      ...source('db/postgres.test.ts', 'rejects settings that could lose acknowledged writes'),
    ],
  },
  {
    promise: 'An acknowledged write survives a power cut, which drops everything that was not synced.',
    target: '0 lost in 200 cuts',
    proofs: [
      ...crash(
        'power-cut.test.ts',
        'loses nothing that was acknowledged, though everything that was not synced is lost',
      ),
      ...crash('power-cut.long.test.ts', 'lose nothing that was acknowledged'),
    ],
  },
  {
    promise: 'An I/O error or a full disk leads to an error or a stop, never to a wrong acknowledgement or damage.',
    target:
      '0 wrong acknowledgements and 0 damaged stores with an error at the n-th call, n = 1…500, and on a full disk',
    proofs: [
      ...crash('io-errors.test.ts', 'loses nothing that was acknowledged, and damages nothing'),
      ...crash('io-errors.long.test.ts', 'loses nothing that was acknowledged, and damages nothing'),
      ...crash(
        'sync-failure.test.ts',
        'whose sync fails once ends the process, and the next start recovers everything acknowledged',
        'whose sync fails for a write without a request ends the process as well',
      ),
      ...crash(
        'disk-full.test.ts',
        'rejects writes with a clear error, still reads and searches, loses nothing and recovers by itself',
      ),
      ...crash(
        'damage.test.ts',
        'returns correct answers or 503 while it is in use, and is rejected with a clear error at the next start',
      ),
    ],
  },
  {
    promise: 'Rare orders of events don’t break queues, leases and shared commits.',
    target: '100,000 seeded simulations, each repeatable by its seed',
    proofs: [
      ...test(
        'simulation/simulation.test.ts',
        'break no lease, claim, idempotency key or shared commit, and the seed repeats them',
        'show that a store breaks leases if it forgets to compare when they end, or who has them',
      ),
      ...source(
        'webhooks/deliver.simulation.test.ts',
        'arrive at least once, under one id, and never for what was rolled back',
      ),
      ...source(
        'embeddings/breaker.test.ts',
        'never blocks callers for more than a minute and never admits two probes, whatever happens',
      ),
      ...source(
        'webhooks/deliver.test.ts',
        'starts again when a lease ends, and ignores results of the server that lost it',
      ),
      ...source(
        'db/group-commit.test.ts',
        'fails a whole commit with the reason that ended it, and works again once the cause is gone',
      ),
    ],
  },
  {
    promise: 'No request makes the server fail, hang or log what was sent.',
    target: '500,000 hostile requests: no 5xx, no crash, no answer after more than a second',
    proofs: [
      ...test('fuzz.test.ts', 'get no 5xx, an answer within a second, and leave no trace in the log'),
      ...test('fuzz.long.test.ts', 'get no 5xx, an answer within a second, and leave no trace in the log'),
    ],
  },
  {
    promise: 'Every operation refuses callers without permission, and an id of someone else is like an unknown id.',
    target:
      'at least 1,500 cells of caller, operation and id field, derived from the registry, each refused as specified, the database unchanged',
    proofs: [
      ...test(
        'registry.test.ts',
        'returns the same error for every credential that is not a valid key',
        'rejects a key without its scope, before the body is read',
        'returns a restricted key the same error for every vault that is not granted',
        "returns an unrestricted key the same error for another person's vault and an unknown one",
        'accepts only its own kind of credential',
      ),
      ...test('registry.fields.test.ts', "returns the same for someone else's %s as for an unknown id"),
      ...test('access-matrix.long.test.ts', 'every cell of the access matrix is refused, and changes nothing'),
    ],
  },
  {
    promise: 'A revoked key, a paused agent and a withdrawn permission stop working at once, on every server.',
    target: '0 accepted requests that start after the answer, in 1,000 trials with 3 servers',
    proofs: [
      ...test('registry.test.ts', 'applies a change of the integration to the very next call'),
      ...test('conformance/access.test.ts', 'that was revoked is treated like an unknown one'),
      ...crash('revocation.long.test.ts', 'accept no call that starts after access was taken away'),
    ],
  },
  {
    promise: 'No text of a user is left in plain in the store, its files, logs, backups or crash output.',
    target: '0 finds of a planted word of every field, in 20 encodings',
    proofs: [
      ...crash('secrecy.test.ts', 'leaves none of them in its files, its tables or its output, however it ends'),
      ...crash('canaries.test.ts', 'finds nothing in encrypted data, and nothing of another word'),
      ...source('backups/backups.test.ts', 'contain no root key, and no more plain text than the database'),
    ],
  },
  {
    promise: 'A ciphertext that was moved, exchanged, cut or changed does not open.',
    target: '100,000 changes and moves, all rejected',
    proofs: [
      ...test('seals.test.ts', 'of %s does not open in a row that has changed since'),
      ...crash(
        'swaps.test.ts',
        'of memories and links is rejected wherever it was moved to',
        'of keys, profiles and wraps opens nothing for the owner of the other row',
      ),
      ...source(
        'crypto/cell.test.ts',
        'does not open with any single bit flipped',
        'does not open after any of 2,000 random changes',
      ),
      ...source('crypto/keys.test.ts', 'do not open with any single bit flipped'),
      ...source(
        'crypto/moved-cells.long.test.ts',
        'no cell opens after it was moved, exchanged, cut or changed',
        'no wrapped key opens for another holder, person, instance or version, or after a change',
      ),
    ],
  },
  {
    promise: 'The ciphers agree with published vectors.',
    target:
      'Wycheproof: AES-256-GCM with 96-bit nonces, HKDF-SHA256 86 of 86, HMAC-SHA256 174 of 174, everything else refused',
    proofs: [
      ...source(
        'crypto/wycheproof.test.ts',
        'agree with AES-256-GCM in all 66 that have a 96-bit nonce',
        'are rejected in all 250 that have another nonce length or key size',
        'agree with HKDF-SHA256 in all 86',
        'agree with HMAC-SHA256, whole and cut to 128 bits, in all 174',
      ),
      ...source('crypto/gcm.test.ts', 'rejects a tag cut to %d bytes', 'rejects a nonce of %d bytes'),
      ...source('crypto/frozen.test.ts', 'open the cell in $address.column of $address.table, generation $generation'),
    ],
  },
  {
    promise: 'No nonce repeats, even if the random source is stuck.',
    target: '0 in 10,000,000 sealed texts, and 0 with a stuck random source',
    proofs: [
      ...source(
        'crypto/nonce.test.ts',
        'differs for 5,000 texts in one cell even if the random source is stuck',
        'differs for one text in 5,000 cells even if the random source is stuck',
      ),
      ...source('crypto/nonces.long.test.ts', 'ten million nonces %s are all different'),
    ],
  },
  {
    promise: 'A key is replaced before it has sealed too many messages.',
    target: 'a new generation at 2^31 messages, shown with a lowered limit',
    proofs: [
      ...source('crypto/cell.test.ts', 'seal with the newest key and open with the one that the cell names'),
      ...source(
        'rotation/scope-keys.test.ts',
        'are replaced by themselves once they have sealed as many values as a key may',
      ),
      ...source(
        'rotation/instance-key.test.ts',
        'are replaced by themselves once they have sealed as many values as a key may',
        'are known to other servers before they seal, and used by them once they count',
      ),
    ],
  },
  {
    promise: 'Keys are rotated while the server works.',
    target:
      'root key, user keys and vault keys at 100,000 rows under load: 0 failed requests, 0 unreadable rows, 50 kills in between',
    proofs: [
      ...crash(
        'rotate-key.test.ts',
        'leaves a server that starts and opens everything, at any moment',
        'leaves nothing behind that the former key opens, including a copy from before',
      ),
      ...crash('rotate-keys.test.ts', 'fails no call and leaves no row unreadable'),
      ...crash('rotate-keys.long.test.ts', 'fails no call and leaves no row unreadable'),
      ...source(
        'rotation/root-key.servers.test.ts',
        'waits until each server has the new key, and names the servers that don’t',
      ),
      ...source(
        'rotation/scope-keys.test.ts',
        'are replaced in every sealed column, step by step, while everything stays readable',
      ),
      ...source(
        'rotation/late-calls.test.ts',
        'are kept until a last check has found what late calls sealed under them',
        'are kept for a call that was suspended before its commit',
        'are refused to a call that was suspended until they were gone',
      ),
      ...source(
        'rotation/user-keys.test.ts',
        'are replaced once every call knows the next ones, and open everything as before',
      ),
    ],
  },
  {
    promise: 'The stored index does not reveal words.',
    target: 'a frequency attack recovers at most 10 % of common words, and is certain of at most 25 % of rare ones',
    proofs: [
      ...test('stored-index.test.ts', 'repeats nothing that an attack by the frequency of words could count'),
      ...source(
        'vault-index/stored/store.test.ts',
        'are rejected if a cell was moved between rows, vaults, users or revisions',
      ),
    ],
  },
  {
    promise: 'Search in encrypted records finds what search in plain text finds.',
    target: 'every record with the word, at most 400 rows decrypted for a search',
    proofs: [
      ...test('stored-index.test.ts', 'finds each record with a word, and opens the results only'),
      ...source('search/search-memories.test.ts', 'finds what was written a moment ago, each time'),
      ...test('search-quality/search-quality.test.ts', 'has a %s with all legs at least as good as with any one'),
    ],
  },
  {
    promise:
      'Every committed webhook event arrives at least once, under one id, and none of a change that was rolled back.',
    target: '0 lost through 200 kills at 5 points of a delivery',
    proofs: [
      ...crash('webhooks.test.ts', 'sends every event of every message, under one id'),
      ...crash(
        'webhooks.long.test.ts',
        'sends every event of every message, under one id, once the leases have expired',
      ),
      ...source('webhooks/outbox.test.ts', 'stores nothing if the transaction fails'),
    ],
  },
  {
    promise: 'A webhook that fails is tried again for three days.',
    target: '10 attempts over 75 h 35 min, give or take a fifth',
    proofs: [
      ...source('webhooks/schedule.test.ts', 'makes ten attempts over 75 hours and 35 minutes, give or take a fifth'),
      ...source(
        'webhooks/deliver.retries.test.ts',
        'tries ten times as scheduled, with one id and new times, then gives up without turning the webhook off',
      ),
    ],
  },
  {
    promise: 'One dead receiver does not slow down the others.',
    target: '95 % of deliveries to healthy receivers take at most twice as long',
    proofs: [
      ...source(
        'webhooks/plan-turn.test.ts',
        'gives each endpoint four slots, minus its deliveries in progress',
        'serves every endpoint eventually',
      ),
      ...source(
        'webhooks/deliver.retries.test.ts',
        'limits a failing endpoint to one attempt a minute, and catches up once it answers',
      ),
      ...crash('load.long.test.ts', 'delays deliveries to others by at most as much again'),
    ],
  },
  {
    promise: 'A webhook never reaches a private address.',
    target: 'at least 300 URL forms, when created, changed, delivered, redirected and rebound: 0 connections',
    proofs: [
      ...source(
        'webhooks/vet-url.test.ts',
        'is tested with more than 300 spellings',
        'must not lead to %s',
        'is never connected to, in any spelling',
      ),
      ...source(
        'webhooks/post.test.ts',
        'causes no other request with the redirect %i',
        'is connected to at the vetted address, whatever it resolves to later',
        'is vetted again for each request',
      ),
      ...source('webhooks/deliver.test.ts', 'refuses an address that was public when the subscription was created'),
    ],
  },
  {
    promise: 'Proxy and server agree where a request ends.',
    target: '0 disagreements in 500 raw requests behind 3 proxies',
    proofs: [
      ...test(
        'http.test.ts',
        'accepts one Authorization header and rejects two, in either order and spelling',
        'rejects two Host headers, because a proxy and the server may not use the same one',
        'answers a malformed request line or header with an error and continues',
      ),
      ...test(
        'proxies/proxies.long.test.ts',
        'there are at least 500 raw requests, each once',
        'nginx and the server agree',
        'HAProxy and the server agree',
        'Apache and the server agree',
      ),
    ],
  },
  {
    promise: 'Slow clients don’t slow down others, and are disconnected.',
    target: '1,000 slow connections: others take at most twice as long, all are closed within 15 s',
    proofs: [
      ...source(
        'api/cap-connections.test.ts',
        'closes connections above the number of one client, until others are closed',
      ),
      ...crash('shutdown.long.test.ts', 'SIGTERM waits a bounded time for a client that never finishes its request'),
      ...crash('load.long.test.ts', 'are disconnected within 15 s, and do not slow others down'),
    ],
  },
  {
    promise: 'No request keeps the server from answering others.',
    target: 'the event loop is at most 50 ms late in 99 % of cases, under load with texts of 100 kB and embeddings',
    proofs: [
      ...test('transfer/import-turns.test.ts', 'yields to other work, however many links its notes contain'),
      ...source(
        'core/in-pieces.test.ts',
        'runs one piece in each turn of the event loop, however many works there are',
      ),
      ...crash('event-loop.long.test.ts', 'no request keeps the server from answering others for long'),
    ],
  },
  {
    promise: 'An overloaded server says so, continues with what it accepts, and loses nothing.',
    target:
      '5 times the load it can serve: only 429 and 503 with Retry-After, at least 80 % of its best throughput, 0 lost writes',
    proofs: [
      ...source(
        'api/pressure.test.ts',
        'an overloaded server rejects requests within seconds, in its usual format, and accepts them again once it has time',
      ),
      ...source(
        'calls/limits.test.ts',
        'end in 429 with a wait after which the next call succeeds, for all keys of a user and no other user',
      ),
      ...crash('load.long.test.ts', 'refuses what it cannot serve, serves nearly as much as before, and loses nothing'),
    ],
  },
  {
    promise: 'Memory works while the embedding provider is down.',
    target: 'an hour without it: all writes accepted, searches answered, and no record without a vector afterwards',
    proofs: [
      ...test(
        'embeddings.test.ts',
        '%s loses no write and no answer, and delays only the vectors',
        'a provider that is down for long loses no write and no answer, and afterwards every record has its vector',
        'a slow provider delays a write and a search by their time limit, and no more',
      ),
      ...source(
        'jobs/backfill-vectors.test.ts',
        'continues after records that the model never answers for, and tries them again later',
      ),
    ],
  },
  {
    promise: 'The same write sent many times at once is one record.',
    target: '200 at once: 1 record, one answer 201 and 199 answers 200',
    proofs: [...crash('races.test.ts', 'create one memory', 'create one memory, and of 50 that claim a task one wins')],
  },
  {
    promise: 'What was written on one server is found on every other one at once.',
    target: '0 misses in 100,000 writes, each followed by a search on another of 3 servers',
    proofs: [
      ...crash('races.long.test.ts', 'find on each what was written on another, and agree in 1,000 equal writes'),
    ],
  },
  {
    promise: 'Backups are complete and can be restored.',
    target: 'nothing lost that was acknowledged before the backup; 1 GB restored within 60 s',
    proofs: [
      ...crash(
        'backups.test.ts',
        'that are created while many clients write contain every write acknowledged before, and no partial one',
        'that a kill interrupts are never listed, and the next one cleans up after them',
      ),
      ...crash('restore.long.test.ts', 'a gigabyte is restored, whole and findable, within a minute'),
      ...source(
        'backups/backups.test.ts',
        'are detected as damaged, and stay marked as such, whatever was changed in them',
      ),
      ...source(
        'cli/backup-drill-command.test.ts',
        'restores the newest backup next to the running server, proves it, tells the server, and leaves nothing',
        'fails, and says what differs, if values do not open or searches miss memories',
      ),
      ...source(
        'cli/backup-copies.test.ts',
        'are listed, verified, tried and restored from there, also on a new machine that has only the root key',
      ),
    ],
  },
  {
    promise: 'Updates never lose a database.',
    target: 'every released version opens; a kill at any statement of a migration leaves the former or the new schema',
    proofs: [
      ...source(
        'db/migrate.test.ts',
        'leaves nothing of a migration that fails halfway',
        'rejects a database that a newer version has migrated',
        'lets two processes migrate at the same time',
      ),
      ...test('releases/killed-updates.long.test.ts', 'leaves the former or the new schema, with all rows, from %s on'),
      ...test(
        'releases/releases.long.test.ts',
        'that ends with %s opens, and everything in it is read, found and changed',
        'gives a later version what the files of earlier ones do',
      ),
      ...source('db/migrations/frozen.test.ts', 'are the released ones, in the order of their numbers'),
      ...source(
        'backups/back-up-before-update.test.ts',
        'begins with a verified backup of the earlier tables, for the server’s user only, that is listed and logged',
      ),
      ...crash('first-start.test.ts', 'leaves nothing at any point that stops the next start'),
    ],
  },
  {
    promise: 'An agent that writes false memories gains no authority.',
    target:
      'trust never rises in 100,000 random edits; no sender can be forged; at least 100 attacks over REST and MCP, none of which succeeds',
    proofs: [
      ...source(
        'memories/provable-trust.test.ts',
        'never becomes more trusted, no matter who edits it and in which order',
      ),
      ...test(
        'agents-apart.test.ts',
        'act only as themselves if pinned, over REST and MCP',
        'cannot take the name of a pinned one, nor one that looks like it',
      ),
      ...test('names.test.ts', 'never looks like the person in what agents read, even by a name of an earlier version'),
      ...test('poisoned-memory/poisoned-memory.long.test.ts', 'a hostile agent $attack'),
      ...test(
        'mcp/stored-text.test.ts',
        'cannot escape its marks',
        'cannot close marks with a boundary of its own, or with letters that look the same',
      ),
    ],
  },
  {
    promise: 'The time of an answer doesn’t tell whether someone else’s record exists.',
    target:
      'no significant difference between a foreign and an unknown id in 10,000 calls of every operation with an id',
    proofs: [
      ...test('answer-times.long.test.ts', 'does not differ between a foreign and an unknown id'),
      ...test('registry.fields.test.ts', "returns the same for someone else's %s as for an unknown id"),
    ],
  },
  {
    promise: 'No text takes long to process.',
    target: 'any 100 kB within 50 ms in every function that reads text',
    proofs: [
      ...test('hostile-texts.test.ts', 'the server reads %s in linear time'),
      ...test(
        'hostile-texts.long.test.ts',
        'no function takes more than 50 ms of processor time for any of 100,000 characters',
      ),
      ...test('mcp/endpoint.test.ts', 'is not slowed by endless names and arguments'),
    ],
  },
  {
    promise: 'What is delivered is what was reviewed, without known vulnerabilities.',
    target: 'no known high or critical vulnerability for more than 7 days, a list of components, a reproducible image',
    proofs: [
      ...scripts('pack.long.test.ts', 'contains the program, what it needs and the licenses, and no sources or tests'),
      ...scripts(
        'audit.test.ts',
        'fails if a version has a serious vulnerability',
        'says so too if there is no registry',
      ),
      ...scripts('list-dependencies.test.ts', 'is the same each time, whatever the time and the machine'),
      ...scripts('node-packages.test.ts', 'contain the program that runs this test'),
      ...scripts('reproducible.long.test.ts', 'is the same, byte by byte: %s'),
    ],
    missing:
      'an answer of the registry about the pinned versions, which `npm run audit` asks for, and a container image that builds the same twice: only packages and the dashboard are delivered yet',
  },
  {
    promise: 'Every applicable requirement of OWASP ASVS 5.0, level 2, is met or has a reason.',
    target: 'a test, a place or a reason for each of the 253 requirements of levels 1 and 2 ([the list](asvs.md))',
    proofs: [
      ...test(
        'promises/asvs/asvs.test.ts',
        'are for all 253 requirements of levels 1 and 2, chapter by chapter as published',
        'have evidence if a requirement is met, and a reason otherwise',
        'name tests that exist',
        'name places that exist',
      ),
    ],
  },
  {
    promise: 'Stopping a server loses no request.',
    target: '0 of 5,000 requests on 16 keep-alive connections lost or reset by SIGTERM, with and without a drain',
    proofs: [
      ...crash(
        'shutdown.test.ts',
        'completes requests in flight, accepts no new connections and exits with 0 within seconds',
        'loses no request on 16 connections that are kept alive, with and without a drain',
        'makes /readyz answer 503 at once, while everything else works until the drain ends',
        'is the same stop if it arrives twice within a second, as terminals and service managers send it',
      ),
      ...crash(
        'shutdown.long.test.ts',
        'SIGTERM loses none of 5,000 requests on 16 keep-alive connections, with and without a drain',
      ),
    ],
  },
  {
    promise: 'Several servers are updated one by one.',
    target:
      '0 failed requests while three servers are replaced and one goes back, if the new version only adds to the database; otherwise it waits for the others',
    proofs: [
      ...source(
        'db/migrate.test.ts',
        'opens a database to which newer versions only added, and changes nothing in it',
        'adds to a database that servers of the version before use, and changes nothing else until they have stopped',
      ),
      ...crash(
        'rolling-upgrade.long.test.ts',
        'that only adds to the database replaces three servers one by one, and no request fails',
        'that changes the database starts once the servers of the version before have stopped',
      ),
    ],
  },
]

export const promises: readonly Promised[] = listed.map((promised, at) => ({ number: at + 1, ...promised }))
