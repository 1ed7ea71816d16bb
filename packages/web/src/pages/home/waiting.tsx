import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleCheck, ClipboardCheck, KeyRound, Mail, Webhook, type LucideIcon } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { Moment } from '../../components/text/moment.tsx'
import { countOf } from '../../components/text/time-text.ts'
import classes from './home-page.module.css'
import type { Overview } from './overview.ts'
import { useWaitingReview } from './use-waiting-review.ts'
import { WaitingMessages } from './waiting-messages.tsx'
import { useWaitingChecks, WaitingCheck } from './waiting-checks.tsx'

/** In the order in which the review lists them. Duplicates aren't counted. */
const reviewKinds = ['proposal', 'contradiction', 'unsure', 'changed', 'removed'] as const

/** What needs the user's attention, in all vaults. */
export function Waiting({
  vaultId,
  waiting: { messages, failedDeliveries, review, expiringKeys },
}: Pick<Overview, 'waiting'> & { vaultId: string }) {
  const { WaitingReview } = useWaitingReview(vaultId)
  const checks = useWaitingChecks()
  const list = useRef<HTMLUListElement>(null)
  const toReview = reviewKinds.reduce((sum, kind) => sum + review[kind], 0)
  const reviewKind = reviewKinds.find((kind) => review[kind] > 0)
  const isClear =
    messages + failedDeliveries + toReview + expiringKeys.length === 0 && !checks.isPending && checks.found.length === 0
  return (
    <section>
      <Title order={2} mb="xs">
        Needs your attention
      </Title>
      <ul ref={list} tabIndex={-1} className={classes.list} aria-label="Needs your attention">
        {checks.found.map((check) => (
          <WaitingCheck key={check.check + check.text} check={check} list={list} />
        ))}
        {isClear && (
          <li className={classes.item} data-done>
            <CircleCheck size={17} aria-hidden />
            <Text>You’re all caught up.</Text>
          </li>
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
          <GroupHead
            icon={Webhook}
            title={`${countOf(failedDeliveries, 'webhook event')} not delivered`}
            path="/webhooks"
            link="View"
          />
        )}
        {expiringKeys.map(({ id, integrationId, label, last4, expiresAt }) => {
          const name = `Key ${label ?? `ending in ${last4}`}`
          return (
            <GroupHead key={id} icon={KeyRound} title={name} path={`/agents/${integrationId}`} link="View">
              {' expires '}
              <Moment at={expiresAt} />
            </GroupHead>
          )
        })}
      </ul>
    </section>
  )
}

interface HeadProps {
  icon: LucideIcon
  title: string
  /** Follows the title. */
  children?: ReactNode
  path: string
  search?: object
  link?: string
}

const noSearch = {}

/** Leads to all items of a group; the first ones follow it. */
function GroupHead({ icon: Icon, title, children, path, search = noSearch, link = 'View all' }: HeadProps) {
  return (
    <li className={classes.item} data-head>
      <Icon size={17} aria-hidden />
      <Text fw={600} className={classes.text}>
        {title}
        {children}
      </Text>
      <Anchor aria-label={`${link}: ${title}`} renderRoot={(props) => <Link {...props} to={path} search={search} />}>
        {link}
      </Anchor>
    </li>
  )
}
