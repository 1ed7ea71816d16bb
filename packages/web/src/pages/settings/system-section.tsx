import type { CheckSystemOutput, ReadSystemOutput } from '@holdfast/client/dashboard'
import { Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useRef, type ReactNode, type RefObject } from 'react'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { EmbeddingsState, StateBadge } from '../../components/feedback/state-badge.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { capitalize } from '../../components/text/first-words.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { PathText } from '../../components/text/path-text.tsx'
import { withCode } from '../../components/text/with-code.tsx'
import { FixBackup } from './back-up-now.tsx'
import { describeCheck } from './check-text.ts'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'
import { useServerCommand } from '../../shell/server-command.ts'

export function SystemSection() {
  const system = useOperation('read-system', {})
  return (
    <Loaded query={system}>
      {(found) => (
        <>
          {found.server !== null && <Checks />}
          <Section title="This server">
            <FactList facts={systemFacts(found)} />
          </Section>
        </>
      )}
    </Loaded>
  )
}

function systemFacts({ version, embeddings, server }: ReadSystemOutput): (readonly [string, ReactNode])[] {
  const missing = server?.vectorsMissing ?? 0
  return [
    ['Version', version],
    ['Semantic search', <SearchState key="embeddings" embeddings={embeddings} />],
    ...(server === null
      ? []
      : ([
          [
            'Records',
            [
              formatCount(server.records) + (server.records > 0 ? ', including superseded' : ''),
              ...(missing > 0 ? [`${formatCount(missing)} without vectors yet`] : []),
            ].join(', '),
          ],
          ['Users', formatCount(server.users)],
          ['Database', server.dialect === 'sqlite' ? 'SQLite, in the data folder' : 'PostgreSQL'],
          ['Data folder', <PathText key="data" path={server.dataDir} />],
          ['Root key', <PathText key="key" path={server.rootKeyOrigin} />],
        ] as const)),
  ]
}

function SearchState({ embeddings }: Pick<ReadSystemOutput, 'embeddings'>) {
  if (embeddings?.failure !== null) return <EmbeddingsState embeddings={embeddings} />
  return (
    <>
      <StateBadge tone="good">On</StateBadge>{' '}
      <Text span size="sm" c="dimmed">
        Model {embeddings.provider}
      </Text>
    </>
  )
}

type Check = NonNullable<CheckSystemOutput['checks']>[number]

function Checks() {
  const holdfast = useServerCommand()
  const checks = useOperation('check-system', {})
  const list = useRef<HTMLUListElement>(null)
  return (
    <Section title="System check" lead="Automatic checks of the configuration and the data.">
      <Loaded query={checks}>
        {({ checks: found }) => (
          <Stack>
            <Group justify="space-between">
              <Text fw={550} role="status">
                {summarize(found ?? [])}
              </Text>
              <Button
                size="xs"
                variant="default"
                leftSection={<RefreshCw size={14} aria-hidden />}
                onClick={() => void checks.refetch()}
                loading={checks.isFetching}
              >
                Check again
              </Button>
            </Group>
            <ul ref={list} tabIndex={-1} className={styles.rows} aria-label="Checks">
              {(found ?? []).toSorted(problemsFirst).map((check) => (
                <CheckRow key={check.check + check.text} check={check} list={list} />
              ))}
            </ul>
            <CodeBlock code={holdfast('doctor')} label="Run more checks on the server: addresses, keys, a round trip" />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

const severity = ['failed', 'warning', 'ok']
const problemsFirst = (a: Check, b: Check) => severity.indexOf(a.status) - severity.indexOf(b.status)

/** How many checks ended how, such as "1 warning, 11 OK". */
function summarize(checks: readonly Check[]): string {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length
  const failed = count('failed')
  const warnings = count('warning')
  const parts = [failed > 0 && `${failed} failed`, warnings > 0 && countOf(warnings, 'warning'), `${count('ok')} OK`]
  return parts.filter((part) => part !== false).join(', ')
}

const states = {
  ok: { tone: 'good', word: 'OK' },
  warning: { tone: 'warning', word: 'Warning' },
  failed: { tone: 'bad', word: 'Failed' },
} as const

interface CheckProps {
  check: Check
  list: RefObject<HTMLElement | null>
}

const BackupButtons = ({ list }: Pick<CheckProps, 'list'>) => (
  <Group gap="xs">
    <FixBackup list={list} />
    <Button size="xs" variant="default" renderRoot={(props) => <Link {...props} to="/settings/backups" />}>
      Open Backups
    </Button>
  </Group>
)

function CheckRow({ check: { check, status, text, fix }, list }: CheckProps) {
  const { tone, word } = states[status]
  return (
    <li className={`${styles.row} ${styles.headed}`}>
      <div className={styles.name}>{capitalize(check)}</div>
      <StateBadge tone={tone}>{word}</StateBadge>
      <Stack gap={6} className={styles.text}>
        <Text size="sm">{describeCheck(text)}</Text>
        {fix !== null &&
          (check === 'backup' ? <BackupButtons list={list} /> : <Text size="sm">Fix: {withCode(fix)}</Text>)}
      </Stack>
    </li>
  )
}
