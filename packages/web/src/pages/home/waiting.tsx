import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleCheck, ClipboardCheck, KeyRound, Mail, Webhook, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Moment } from '../../components/text/moment.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { hasPage } from '../../shell/navigation.ts'
import classes from './home-page.module.css'
import type { Overview } from './overview.ts'
import { useWaitingReview } from './use-waiting-review.ts'
import { WaitingMessages } from './waiting-messages.tsx'

/** In the order in which the review lists them. Duplicates aren't counted. */
const reviewKinds = ['proposal', 'contradiction', 'unsure', 'changed', 'removed'] as const

/** What needs the user's attention, in all vaults. */
export function Waiting({
  vaultId,
  waiting: { messages, failedDeliveries, review, expiringKeys },
}: Pick<Overview, 'waiting'> & { vaultId: string }) {
  const { WaitingReview } = useWaitingReview(vaultId)
  const toReview = reviewKinds.reduce((sum, kind) => sum + review[kind], 0)
  const reviewKind = reviewKinds.find((kind) => review[kind] > 0)
  const isClear = messages === 0 && failedDeliveries === 0 && toReview === 0 && expiringKeys.length === 0
  return (
    <section>
      <Title order={2} mb="xs">
        Needs your attention
      </Title>
      <ul className={classes.list}>
        {isClear && (
          <Item icon={CircleCheck} isDone>
            You’re all caught up.
          </Item>
        )}
        {messages > 0 && (
          <GroupHead icon={Mail} title={`${countOf(messages, 'message')} to acknowledge`} path="/messages" />
        )}
        <WaitingMessages count={messages} />
        {toReview > 0 && (
          <GroupHead
            icon={ClipboardCheck}
            title={`${countOf(toReview, 'item')} to review in this vault`}
            path="/review"
            search={reviewKind === undefined || reviewKind === 'proposal' ? {} : { kind: reviewKind }}
          />
        )}
        {WaitingReview !== undefined && <WaitingReview vaultId={vaultId} review={review} />}
        {failedDeliveries > 0 && (
          <Item icon={Webhook}>
            <PageLink path="/webhooks">{countOf(failedDeliveries, 'webhook event')}</PageLink> not delivered
          </Item>
        )}
        {expiringKeys.map(({ id, integrationId, label, last4, expiresAt }) => (
          <Item key={id} icon={KeyRound}>
            Key{' '}
            <Anchor underline="always" renderRoot={(props) => <Link {...props} to={`/agents/${integrationId}`} />}>
              {label ?? `ending in ${last4}`}
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

interface HeadProps {
  icon: LucideIcon
  title: string
  path: string
  search?: object
}

/** Leads to all items of a group; the first ones follow it. */
function GroupHead({ icon: Icon, title, path, search }: HeadProps) {
  return (
    <li className={classes.item} data-head>
      <Icon size={17} aria-hidden />
      <Text fw={600} className={classes.text}>
        {title}
      </Text>
      <PageLink path={path} {...(search !== undefined && { search })} label={`View all: ${title}`}>
        View all
      </PageLink>
    </li>
  )
}

const noSearch = {}

interface LinkProps {
  path: string
  search?: object
  /** For screen readers, if the text says too little on its own. Such a link isn't part of a sentence. */
  label?: string
  children: string
}

/** A link, or plain text if this dashboard has no such page. */
function PageLink({ path, search = noSearch, label, children }: LinkProps) {
  return hasPage(path) ? (
    <Anchor
      underline={label === undefined ? 'always' : 'hover'}
      aria-label={label}
      renderRoot={(props) => <Link {...props} to={path} search={search} />}
    >
      {children}
    </Anchor>
  ) : (
    children
  )
}
