import type { CheckSystemOutput, ReadSystemOutput } from '@holdfast/client/dashboard'
import { Button, Stack, Text } from '@mantine/core'
import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { EmbeddingsState, StateBadge } from '../../components/feedback/state-badge.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { formatCount, formatDay } from '../../components/text/time-text.ts'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'
import { useServerCommand } from '../../shell/server-command.ts'

export function SystemSection() {
  const system = useOperation('read-system', {})
  return (
    <Loaded query={system}>
      {(found) => (
        <>
          <Section title="This server">
            <FactList facts={systemFacts(found)} />
          </Section>
          {found.server !== null && <Checks />}
        </>
      )}
    </Loaded>
  )
}

function systemFacts({ version, embeddings, server }: ReadSystemOutput): (readonly [string, ReactNode])[] {
  const missing = server?.vectorsMissing ?? 0
  return [
    ['Version', version],
    ['Semantic search', <EmbeddingsState key="embeddings" embeddings={embeddings} />],
    ...(server === null
      ? []
      : ([
          [
            'Records',
            `${formatCount(server.records)}${missing > 0 ? `, ${formatCount(missing)} without vectors yet` : ''}`,
          ],
          ['Users', formatCount(server.users)],
          ['Database', server.dialect === 'sqlite' ? 'SQLite, in the data folder' : 'PostgreSQL'],
          ['Data folder', <code key="data">{server.dataDir}</code>],
          ['Root key', <code key="key">{server.rootKeyOrigin}</code>],
        ] as const)),
  ]
}

type Check = NonNullable<CheckSystemOutput['checks']>[number]

function Checks() {
  const holdfast = useServerCommand()
  const checks = useOperation('check-system', {})
  return (
    <Section
      title="Check"
      lead="Automatic checks of the configuration and the data."
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<RefreshCw size={14} aria-hidden />}
          onClick={() => void checks.refetch()}
          loading={checks.isFetching}
        >
          Check again
        </Button>
      }
    >
      <Loaded query={checks}>
        {(found) => (
          <Stack>
            <ul className={styles.rows} aria-label="Checks">
              {(found.checks ?? []).map((check) => (
                <CheckRow key={check.check + check.text} {...check} />
              ))}
            </ul>
            <CodeBlock code={holdfast('doctor')} label="Run more checks on the server: addresses, keys, a round trip" />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

const states = {
  ok: { tone: 'good', word: 'OK' },
  warning: { tone: 'warning', word: 'Warning' },
  failed: { tone: 'bad', word: 'Failed' },
} as const

/** The server writes dates as programs do. */
const withDates = (text: string) => text.replaceAll(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, formatDay)

function CheckRow({ check, status, text, fix }: Check) {
  const { tone, word } = states[status]
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.name}>{check.charAt(0).toUpperCase() + check.slice(1)}</div>
        <Text size="sm">{withDates(text)}</Text>
        {fix !== null && (
          <Text size="sm" mt={4}>
            Fix: {fix}
          </Text>
        )}
      </div>
      <StateBadge tone={tone}>{word}</StateBadge>
    </li>
  )
}
