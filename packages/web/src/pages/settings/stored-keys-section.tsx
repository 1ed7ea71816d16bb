import type { ReadEncryptionKeysOutput } from '@holdfast/client/dashboard'
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Moment, useNow } from '../../components/text/moment.tsx'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { describeRotation, type VaultKeys } from './describe-rotation.ts'
import { RotateKey } from './rotate-key.tsx'
import { Section } from './section.tsx'

const labels = { users: 'Rotate user keys', vaults: 'Rotate vault keys' }

type StoredKeys = NonNullable<ReadEncryptionKeysOutput['storedKeys']>

/** The keys in the database, which the root key protects, and how far their rotation is. */
export function StoredKeysSection({ stored }: { stored: StoredKeys }) {
  const [asking, setAsking] = useState<'users' | 'vaults'>()
  const { users, vaults } = stored
  const isRotating = users.left > 0 || vaults.left > 0
  return (
    <Section
      title="User and vault keys"
      lead="Each user and each vault has its own key. Rotate these keys if someone may have seen the root key together with a copy of the database."
    >
      <Stack align="stretch">
        <FactList
          facts={[
            ['User keys', <KeyState key="users" {...users} />],
            [
              'Vault keys',
              <Stack key="vaults" gap={0} align="flex-start">
                <div>
                  <KeyState {...vaults} />
                </div>
                <Text size="sm" c="dimmed">
                  Includes one per user, for data outside of vaults.
                </Text>
              </Stack>,
            ],
          ]}
        />
        {vaults.left > 0 && <RotationProgress vaults={vaults} />}
        {isRotating && <Refresh />}
        <Group>
          <Button variant="default" onClick={() => setAsking('users')}>
            {labels.users}
          </Button>
          <Button variant="default" onClick={() => setAsking('vaults')}>
            {labels.vaults}
          </Button>
        </Group>
      </Stack>
      {asking !== undefined && <RotateKey keys={asking} label={labels[asking]} onClose={() => setAsking(undefined)} />}
    </Section>
  )
}

type Keys = Pick<StoredKeys['users'], 'askedAt' | 'total' | 'left' | 'stuck'>

function KeyState({ askedAt, total, left, stuck }: Keys): ReactNode {
  const damaged = stuck > 0 ? `, ${formatCount(stuck)} of them damaged (see the server’s log)` : ''
  if (left > 0)
    return (
      <StateBadge tone="warning">{`${formatCount(left)} of ${countOf(total, 'key')} left to replace${damaged}`}</StateBadge>
    )
  if (askedAt === null) return `${countOf(total, 'key')}, never rotated`
  return (
    <>
      {countOf(total, 'key')}, rotated <Moment at={askedAt} />
    </>
  )
}

function RotationProgress({ vaults }: { vaults: VaultKeys }) {
  const { rowsDone, rowsTotal } = vaults
  const nowMs = useNow()
  return (
    <Stack gap={4}>
      {rowsTotal > 0 && <Progress value={(rowsDone / rowsTotal) * 100} aria-label="Rows encrypted with the new keys" />}
      <Text size="sm">{describeRotation(vaults, nowMs)}</Text>
    </Stack>
  )
}

/** Asks for the progress while it is mounted. */
function Refresh() {
  useOperation('read-encryption-keys', {}, { refetchInterval: 2_000 })
  return null
}
