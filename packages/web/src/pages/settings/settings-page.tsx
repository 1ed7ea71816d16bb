import { Button, SegmentedControl, Stack, Switch, Text, Title, useMantineColorScheme } from '@mantine/core'
import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/queries.ts'
import { EmbeddingsState } from '../../components/embeddings-state.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { formatCount, formatMoment } from '../../components/time-text.ts'
import type { SystemOutput } from '../../generated/operations.ts'
import { setPreferences, usePreferences } from '../../shell/preferences.ts'
import { useSession } from '../../shell/session.ts'
import { useShell } from '../../shell/shell-context.ts'
import styles from './settings-page.module.css'

export function SettingsPage() {
  return (
    <Page title="Settings">
      <Stack gap="xl" maw={720}>
        <Appearance />
        <Keyboard />
        <Account />
        <System />
      </Stack>
    </Page>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <div className={styles.card}>{children}</div>
    </section>
  )
}

const schemes = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { contrast } = usePreferences()
  return (
    <Section title="Appearance">
      <Stack>
        <div>
          <Text mb={6} id="scheme-label">
            Colours
          </Text>
          <SegmentedControl
            aria-labelledby="scheme-label"
            data={schemes}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
          />
        </div>
        <Switch
          label="High contrast"
          description="Black, white, and visible borders."
          checked={contrast === 'high'}
          onChange={({ currentTarget }) => setPreferences({ contrast: currentTarget.checked ? 'high' : 'normal' })}
        />
      </Stack>
    </Section>
  )
}

function Keyboard() {
  const { shortcuts } = usePreferences()
  const { showShortcuts } = useShell()
  return (
    <Section title="Keyboard">
      <Stack align="flex-start">
        <Switch
          label="Shortcuts of single keys"
          description="Switch them off if you write by voice, or hit keys by accident."
          checked={shortcuts}
          onChange={({ currentTarget }) => setPreferences({ shortcuts: currentTarget.checked })}
        />
        <Button variant="default" onClick={showShortcuts}>
          Show all shortcuts
        </Button>
      </Stack>
    </Section>
  )
}

function Account() {
  const session = useSession()
  const { leave } = useShell()
  return (
    <Section title="Account">
      <Loaded query={session}>
        {({ user, session: current }) => (
          <Stack align="flex-start">
            <FactList
              facts={[
                ['E-mail', user.email],
                ['Role', user.isOwner ? 'Owner of this server' : 'User'],
                ...(current === null
                  ? []
                  : ([
                      ['Signed in', formatMoment(current.createdAt)],
                      ['Signed out by itself', `${formatMoment(current.expiresAt)}, or after 12 hours without use`],
                    ] as const)),
              ]}
            />
            <Button variant="default" leftSection={<LogOut size={16} aria-hidden />} onClick={leave}>
              Sign out
            </Button>
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function System() {
  const system = useOperation('system', {})
  return (
    <Section title="This server">
      <Loaded query={system}>{(found) => <FactList facts={systemFacts(found)} />}</Loaded>
    </Section>
  )
}

function systemFacts({ version, embeddings, server }: SystemOutput): (readonly [string, ReactNode])[] {
  const missing = server?.vectorsMissing ?? 0
  return [
    ['Version', version],
    ['Search by meaning', <EmbeddingsState key="embeddings" embeddings={embeddings} />],
    ...(server === null
      ? []
      : ([
          [
            'Records',
            `${formatCount(server.records)}${missing > 0 ? `, ${formatCount(missing)} without a vector yet` : ''}`,
          ],
          ['Users', formatCount(server.users)],
          ['Database', server.dialect === 'sqlite' ? 'SQLite, in the data folder' : 'PostgreSQL'],
          ['Data folder', <code key="data">{server.dataDir}</code>],
          ['Root key', <code key="key">{server.rootKeyOrigin}</code>],
        ] as const)),
  ]
}
