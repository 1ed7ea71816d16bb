import { crash, source, test } from '../proof.ts'
import { level2, met, notMet, type Chapter } from './requirement.ts'

const logs = 'docs/self-hosting.md#logs'
const log = (...titles: string[]) => source('core/log.test.ts', ...titles)
const activity = (...titles: string[]) => source('activity/activity.test.ts', ...titles)
const refused = source(
  'api/failure-log.test.ts',
  'callers with wrong credentials and from foreign pages are in the log, over every way in, without what they sent',
)

export const logging: Chapter = {
  id: 'V16',
  name: 'Security logging and error handling',
  requirements: {
    '16.1.1': level2(
      'What is logged, where, and for how long is documented',
      met('The log, the activity, counts and metrics.', logs),
    ),
    '16.2.1': level2(
      'Entries say when, where, who and what',
      met(
        'The activity does; lines of the log have a time, an operation and a request id.',
        activity('records who did what to which record and from where, without the content'),
        log('contains the event, the level, the time and the given fields'),
      ),
    ),
    '16.2.2': level2(
      'Times are synchronized and in UTC',
      met(
        'UTC everywhere; the operator keeps clocks right, and `holdfast doctor` checks them.',
        log('contains the event, the level, the time and the given fields'),
        logs,
      ),
    ),
    '16.2.3': level2(
      'Logs go only where documented',
      met(
        'To standard output and the database.',
        logs,
        crash('secrecy.test.ts', 'leaves none of them in its files, its tables or its output, however it ends'),
      ),
    ),
    '16.2.4': level2(
      'Logs can be read by programs',
      met(
        'JSON lines, and the activity by an operation or as CSV.',
        log('contains the event, the level, the time and the given fields'),
      ),
    ),
    '16.2.5': level2(
      'Logs contain no sensitive data',
      met(
        'Fields are a closed list, and errors lose their messages.',
        log('omits every field that is not on the list', 'never contains its message, even one that imitates a stack'),
        test('fuzz.test.ts', 'get no 5xx, an answer within a second, and leave no trace in the log'),
      ),
    ),
    '16.3.1': level2(
      'Successful and failed authentication is logged',
      met(
        'Sign-ins and failed sign-ins of a user, with the way, in the activity; failures of unknown callers in the log, counted by the minute. Calls of an agent are recorded under its key.',
        activity('records sign-ins, failed sign-ins and background jobs'),
        refused,
      ),
    ),
    '16.3.2': level2(
      'Refused actions are logged',
      met(
        'With the caller in the activity, and by the minute in the log.',
        refused,
        'packages/server/src/calls/call-log.ts',
      ),
    ),
    '16.3.3': level2(
      'Attempts to get around controls are logged',
      met(
        'Calls of known callers that failed, for whatever reason, are in the activity: invalid input, limits, missing permissions.',
        'packages/server/src/calls/call-log.ts',
        refused,
        logs,
      ),
    ),
    '16.3.4': level2(
      'Unexpected errors are logged',
      met(
        'With the request id of the answer; also outages of the database, of providers and of jobs.',
        source(
          'api/payloads.test.ts',
          'is a plain 500, and its cause is in the log under the request id, without content',
        ),
        source('api/failure-log.test.ts', 'other mistakes of callers are not logged, and each outage and bug is'),
      ),
    ),
    '16.4.1': level2(
      'Nothing can be injected into logs',
      met(
        'Lines are JSON, and no line contains text of a caller.',
        log(
          'omits every field that is not on the list',
          'never contains a custom name',
          'never contains a code that is not a short word',
        ),
      ),
    ),
    '16.4.2': level2(
      'Logs can’t be read or changed by others',
      notMet(
        'Others can’t read them, and no operation changes the activity. But nothing authenticates it: who can write to the database or to the output can change it.',
        'Access to the database and the output is the operator’s. The documentation says how to keep a copy.',
        source('cli/serve.test.ts', 'lets others read none of its files, and says if they can list its folder'),
        logs,
      ),
    ),
    '16.4.3': level2(
      'Logs are sent to another system',
      notMet(
        'The server writes to standard output and sends nothing.',
        'What runs the server can forward the output.',
        logs,
      ),
    ),
    '16.5.1': level2(
      'Errors reveal nothing about the inside',
      met(
        'One text for all unexpected errors.',
        source(
          'api/payloads.test.ts',
          'says nothing about internal errors',
          'is a plain 500, and its cause is in the log under the request id, without content',
        ),
      ),
    ),
    '16.5.2': level2(
      'The server works without what it depends on, where it can',
      met(
        'Without a provider of embeddings, and with failing receivers of webhooks; without its database it answers 503.',
        test('embeddings.test.ts', '%s loses no write and no answer, and delays only the vectors'),
        source(
          'webhooks/deliver.retries.test.ts',
          'limits a failing endpoint to one attempt a minute, and catches up once it answers',
        ),
      ),
    ),
    '16.5.3': level2(
      'Failures leave nothing half done or open',
      met(
        'Transactions, and a process that stops rather than acknowledge what isn’t stored.',
        crash(
          'sync-failure.test.ts',
          'whose sync fails once ends the process, and the next start recovers everything acknowledged',
        ),
        source('api/payloads.test.ts', 'is an outage with a retry time if the database causes it'),
      ),
    ),
  },
}
