import type { ReadRootKeyOutput } from '@holdfast/client/dashboard'
import { Button, Stack, Text } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { RotateKey } from './rotate-key.tsx'
import { Section } from './section.tsx'

export function EncryptionSection() {
  const found = useOperation('read-root-key', {})
  return (
    <Section
      title="Encryption key"
      lead="Everything that is stored here is sealed. One key, the root key, opens the keys of all people and agents."
    >
      <Loaded query={found}>
        {({ rootKey }) =>
          rootKey === null ? <Text>The owner of this server keeps the key.</Text> : <RootKey rootKey={rootKey} />
        }
      </Loaded>
    </Section>
  )
}

type Key = NonNullable<ReadRootKeyOutput['rootKey']>

const actions = { settled: 'Change the key', prepared: 'Put the new key into use', unfinished: 'Finish the change' }

function RootKey({ rootKey }: { rootKey: Key }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Stack align="stretch">
      <div>
        <KeyState rootKey={rootKey} />
      </div>
      <FactList
        facts={[
          ['In use since', <Moment key="since" at={rootKey.since} />],
          ['Id', <code key="id">{rootKey.id}</code>],
        ]}
      />
      <CodeBlock
        code={rootKey.origin}
        label={rootKey.isFile ? 'The key, on the server’s machine' : 'The setting that gives the key'}
        isWrapped
      />
      <Text>
        Keep a copy of it away from the backups, such as in a password manager: a backup cannot be read without it.
        After a change the copy must be made anew. The key itself is shown nowhere here.
      </Text>
      <div>
        <Button variant="default" leftSection={<KeyRound size={16} aria-hidden />} onClick={() => setIsAsking(true)}>
          {actions[rootKey.state]}
        </Button>
      </div>
      <CodeBlock code="npm run -s holdfast -- rotate-key" label="The same, on the server’s machine" />
      {isAsking && <RotateKey label={actions[rootKey.state]} onClose={() => setIsAsking(false)} />}
    </Stack>
  )
}

function KeyState({ rootKey: { state, wrapsLeft } }: { rootKey: Key }) {
  if (state === 'settled') return <StateBadge tone="good">In order</StateBadge>
  if (state === 'prepared') return <StateBadge tone="warning">A new key is there, and not in use yet</StateBadge>
  const left = wrapsLeft === 0 ? 'the last step is left' : `${countOf(wrapsLeft, 'key')} left to wrap anew`
  return <StateBadge tone="warning">{`A change is not finished: ${left}`}</StateBadge>
}
