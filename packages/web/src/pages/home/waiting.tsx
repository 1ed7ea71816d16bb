import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleCheck, ClipboardCheck, KeyRound, Mail, Webhook, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Moment } from '../../components/text/moment.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { hasPage } from '../../shell/navigation.ts'
import classes from './home-page.module.css'
import type { Overview } from './overview.ts'

/** What somebody has to look at, in all vaults. */
export function Waiting({ waiting: { messages, failedDeliveries, review, expiringKeys } }: Pick<Overview, 'waiting'>) {
  const toReview = review.contradiction + review.unsure
  const isClear = messages === 0 && failedDeliveries === 0 && toReview === 0 && expiringKeys.length === 0
  return (
    <section>
      <Title order={2} mb="xs">
        Waiting for you
      </Title>
      <ul className={classes.list}>
        {isClear && (
          <Item icon={CircleCheck} isDone>
            Nothing waits.
          </Item>
        )}
        {messages > 0 && (
          <Item icon={Mail}>
            <Led path="/messages">{countOf(messages, 'message')}</Led> to you {messages === 1 ? 'is' : 'are'} not
            acknowledged
          </Item>
        )}
        {toReview > 0 && (
          <Item icon={ClipboardCheck}>
            <Led path="/review" search={review.contradiction > 0 ? {} : { kind: 'unsure' }}>
              {countOf(toReview, 'memory', 'memories')}
            </Led>{' '}
            of this vault {toReview === 1 ? 'waits' : 'wait'} for your judgement
          </Item>
        )}
        {failedDeliveries > 0 && (
          <Item icon={Webhook}>
            <Led path="/webhooks">{countOf(failedDeliveries, 'delivery', 'deliveries')}</Led> of webhooks failed for
            good
          </Item>
        )}
        {expiringKeys.map(({ id, integrationId, label, last4, expiresAt }) => (
          <Item key={id} icon={KeyRound}>
            The key{' '}
            <Anchor underline="always" renderRoot={(props) => <Link {...props} to={`/agents/${integrationId}`} />}>
              {label ?? `that ends with ${last4}`}
            </Anchor>{' '}
            expires <Moment at={expiresAt} />
          </Item>
        ))}
      </ul>
    </section>
  )
}

function Item({ icon: Icon, isDone = false, children }: { icon: LucideIcon; isDone?: boolean; children: ReactNode }) {
  return (
    <li className={classes.item} data-done={isDone}>
      <Icon size={17} aria-hidden />
      <Text>{children}</Text>
    </li>
  )
}

const nothing = {}

/** A link, where there is a page to lead to. */
function Led({ path, search = nothing, children }: { path: string; search?: object; children: string }) {
  return hasPage(path) ? (
    <Anchor underline="always" renderRoot={(props) => <Link {...props} to={path} search={search} />}>
      {children}
    </Anchor>
  ) : (
    children
  )
}
