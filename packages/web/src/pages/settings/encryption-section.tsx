import type { ReadEncryptionKeysOutput } from '@holdfast/client/dashboard'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { KeyRound, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf, formatMoment } from '../../components/text/time-text.ts'
import { CommandAside } from './command-aside.tsx'
import { RotateKey } from './rotate-key.tsx'
import { Section } from './section.tsx'
import { StoredKeysSection } from './stored-keys-section.tsx'
import { useServerCommand } from '../../shell/server-command.ts'
import styles from './settings-page.module.css'

export function EncryptionSection() {
  const holdfast = useServerCommand()
  const found = useOperation('read-encryption-keys', {})
  return (
    <>
      <Section
        title="Root key"
        lead="All stored content is encrypted. The root key decrypts the keys of all users and agents."
      >
        <Loaded query={found}>
          {({ rootKey }) =>
            rootKey === null ? (
              <Text>Only the owner of this server can see this.</Text>
            ) : (
              <>
                <RootKey rootKey={rootKey} />
                <CommandAside title="Rotate on the command line" code={holdfast('rotate-keys')} />
              </>
            )
          }
        </Loaded>
      </Section>
      {found.data?.storedKeys != null && <StoredKeysSection stored={found.data.storedKeys} />}
    </>
  )
}

type Key = NonNullable<ReadEncryptionKeysOutput['rootKey']>

const actions = { settled: 'Rotate key', prepared: 'Activate new key', unfinished: 'Finish rotation' }

/** What the button does. */
const effects = {
  settled: 'Creates a new root key while the server keeps running. You then have to save a copy of the new one.',
  prepared: 'Puts the new root key to use while the server keeps running.',
  unfinished: 'Goes on where the rotation stopped, while the server keeps running.',
}

function RootKey({ rootKey }: { rootKey: Key }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Stack align="stretch">
      <Alert
        color="gray"
        variant="light"
        icon={<ShieldAlert size={18} aria-hidden />}
        title="Keep a copy of the root key elsewhere"
        classNames={{ icon: styles.noticeIcon, title: styles.noticeTitle }}
      >
        Without it, no one can read this server’s data or its backups. Store the copy away from your backups, such as in
        a password manager. The dashboard never shows the key itself.
      </Alert>
      <CodeBlock
        code={rootKey.origin}
        label={rootKey.isFile ? 'Key file on the server' : 'The setting that provides the key'}
        isWrapped
      />
      <FactList
        facts={[
          ['State', <KeyState key="state" rootKey={rootKey} />],
          ['In use since', formatMoment(rootKey.since)],
          ['Id', <code key="id">{rootKey.id}</code>],
        ]}
      />
      <Group gap="sm">
        <Button variant="default" leftSection={<KeyRound size={16} aria-hidden />} onClick={() => setIsAsking(true)}>
          {actions[rootKey.state]}
        </Button>
        <Text size="sm" c="dimmed" flex="1 1 260px">
          {effects[rootKey.state]}
        </Text>
      </Group>
      {isAsking && <RotateKey keys="root" label={actions[rootKey.state]} onClose={() => setIsAsking(false)} />}
    </Stack>
  )
}

function KeyState({ rootKey: { state, wrapsLeft } }: { rootKey: Key }) {
  if (state === 'settled') return <StateBadge tone="good">Healthy</StateBadge>
  if (state === 'prepared') return <StateBadge tone="warning">A new key is ready but not in use yet</StateBadge>
  const left = wrapsLeft === 0 ? 'one step left' : `${countOf(wrapsLeft, 'key')} left`
  return <StateBadge tone="warning">{`Rotation not finished: ${left}`}</StateBadge>
}
