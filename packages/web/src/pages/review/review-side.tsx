import type { ReviewedMemory } from '@holdfast/client/dashboard'
import { Anchor, Group, Menu, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Archive, BellOff, Check, ExternalLink, Pencil, ShieldCheck, X } from 'lucide-react'
import { RowMenu } from '../../components/lists/row-menu.tsx'
import { ByLine } from '../../components/records/by-line.tsx'
import { MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { RatingDots } from '../../components/records/rating-dots.tsx'
import { markDifferences } from '../../components/text/mark-differences.ts'
import { CardButton, SkipButton } from './record-card.tsx'
import classes from './review-card.module.css'
import { OnlyFor } from '../../components/frame/only-for.tsx'

interface Props {
  memory: ReviewedMemory
  /** The memory to compare it with word by word. */
  other: ReviewedMemory | undefined
  /** One of two: then the card has the buttons about both, and the menu says that one of them is wrong. */
  isPair: boolean
  /** Marks the first link of a card, which `j` and `k` move to. */
  row: string | undefined
  /** The button that says that it is right. */
  accept: string
  acceptKey: 'a' | '1' | '2'
  /** The name of its agent, if the agent's guesses can be accepted. */
  agent: string | undefined
  onSkip: () => void
  onRight: () => void
  onEdit: () => void
  /** It is archived. */
  onWrong: () => void
  onTrust: () => void
  /** Stops asking about a guess, which stays unsure. */
  onDismiss: (() => void) | undefined
  onFocus: () => void
}

const wrong = 'This is wrong'

/** One memory of a card: its text, its agent, and the actions on it. */
export function ReviewSide({ memory, other, isPair, row, accept, acceptKey, agent, ...on }: Props) {
  const { id, memoryType, title, confidence } = memory
  return (
    <div className={classes.side}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <span className={classes.facts}>
          <MemoryTypeMark type={memoryType} />
          <span>
            <span className={classes.word}>Confidence </span>
            <RatingDots value={confidence} what="Confidence" />
          </span>
          <ByLine size="inherit" record={memory} />
        </span>
        <RowMenu className={classes.more} label={`More about ${title}`}>
          <OnlyFor needs="editor">
            <Menu.Item leftSection={<Pencil size={14} aria-hidden />} onClick={on.onEdit}>
              Edit
            </Menu.Item>
            {isPair && (
              <Menu.Item leftSection={<Archive size={14} aria-hidden />} onClick={on.onWrong}>
                {wrong}
              </Menu.Item>
            )}
            {on.onDismiss !== undefined && (
              <Menu.Item leftSection={<BellOff size={14} aria-hidden />} onClick={on.onDismiss}>
                Don’t ask again
              </Menu.Item>
            )}
            {agent !== undefined && (
              <Menu.Item leftSection={<ShieldCheck size={14} aria-hidden />} onClick={on.onTrust}>
                Always accept from {agent}
              </Menu.Item>
            )}
          </OnlyFor>
          <Menu.Item
            leftSection={<ExternalLink size={14} aria-hidden />}
            renderRoot={(props) => <Link {...props} to={`/memories/${id}`} />}
          >
            Open
          </Menu.Item>
        </RowMenu>
      </Group>
      <Excerpt memory={memory} other={other} row={row} onFocus={on.onFocus} />
      <OnlyFor needs="editor">
        <span className={classes.buttons}>
          <CardButton isMain={!isPair} icon={Check} shortcut={acceptKey} onClick={on.onRight}>
            {accept}
            {isPair && <VisuallyHidden>: {title}</VisuallyHidden>}
          </CardButton>
          {!isPair && (
            <>
              <CardButton icon={X} shortcut="w" onClick={on.onWrong}>
                {wrong}
              </CardButton>
              <SkipButton onSkip={on.onSkip} />
            </>
          )}
        </span>
      </OnlyFor>
    </div>
  )
}

function Excerpt({ memory, other, row, onFocus }: Pick<Props, 'memory' | 'other' | 'row' | 'onFocus'>) {
  const { id, excerpt, isWhole } = memory
  return (
    <p className={classes.text}>
      <Anchor
        c="inherit"
        underline="hover"
        onFocus={onFocus}
        {...(row !== undefined && { 'data-row': row })}
        renderRoot={(props) => <Link {...props} to={`/memories/${id}`} />}
      >
        {other === undefined
          ? withoutTicks(excerpt)
          : markDifferences(withoutTicks(excerpt), withoutTicks(other.excerpt)).map(({ at, text, isDifferent }) =>
              isDifferent ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
            )}
      </Anchor>
      {!isWhole && ' …'}
    </p>
  )
}

/** Code in a sentence reads well without its marks. */
const withoutTicks = (text: string) => text.replaceAll(/`([^`\n]+)`/g, '$1')
