import { Anchor, Button, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { OneOf } from '../../api/queries.ts'
import { useOperation } from '../../api/queries.ts'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { Markdown } from '../../components/text/markdown.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import classes from './memory-detail.module.css'

interface Props {
  vaultId: string
  id: string
  chain: OneOf<'list-memories'>['chain']
  chainCount: number
}

/** The memories that this one superseded or was superseded by, newest first. Their texts load on demand. */
export function MemoryChain({ vaultId, id, chain, chainCount }: Props) {
  const [isOpen, open] = useDisclosure()
  if (chainCount < 2) return null
  return (
    <section>
      <Title order={3} mb="xs">
        Replacement history
      </Title>
      <ol className={classes.chain}>
        {chain.map(({ memoryId, title, live }) => (
          <li key={memoryId} className={classes.step} data-live={live}>
            {memoryId === id ? (
              <Text span fw={550}>
                {title} (this memory)
              </Text>
            ) : (
              <Anchor
                renderRoot={(props) => <Link {...props} to={`/memories/${memoryId}`} search resetScroll={false} />}
              >
                {title}
              </Anchor>
            )}{' '}
            {live && <StateBadge tone="good">Current</StateBadge>}
          </li>
        ))}
      </ol>
      {chainCount > chain.length && (
        <Text size="sm" c="dimmed" mb="xs">
          and {chainCount - chain.length} older
        </Text>
      )}
      <Button size="xs" variant="default" onClick={open.toggle} aria-expanded={isOpen}>
        {isOpen ? 'Hide full texts' : 'Show full texts'}
      </Button>
      {isOpen && <History vaultId={vaultId} id={id} />}
    </section>
  )
}

const historyLimit = 20

function History({ vaultId, id }: { vaultId: string; id: string }) {
  const history = useOperation('read-memory-history', { vaultId, id, limit: historyLimit })
  return (
    <Loaded query={history} skeleton={<SkeletonList rows={2} />}>
      {(answer) =>
        'history' in answer && (
          <>
            <LeftOut pages={[answer]} />
            <ol className={classes.plain} style={{ marginTop: 12 }}>
              {answer.history.map((memory) => (
                <li key={memory.id} className={classes.content}>
                  <Text size="xs" c="dimmed" mb={6}>
                    <Moment at={memory.createdAt} />, by {memory.agentId ?? 'an unknown author'}
                  </Text>
                  <Markdown text={memory.content} />
                </li>
              ))}
            </ol>
          </>
        )
      }
    </Loaded>
  )
}
