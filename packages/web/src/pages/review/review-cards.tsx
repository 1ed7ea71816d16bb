import type { ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useOne } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { useSelection } from '../../components/lists/selection.tsx'
import { useRowFocus } from '../../components/lists/use-row-keys.ts'
import { MemoryForm } from '../../components/records/memory-form.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { toastError } from '../../shell/toasts.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { canAccept } from './can-accept.ts'
import { isWhole, type Decision } from './perform.ts'
import { ReviewCard } from './review-card.tsx'
import classes from './review-card.module.css'
import { keyOfItem, titleOfItem } from './use-judged.ts'
import { useAgents, useTrust, useUpdateDuplicate } from './use-review.ts'
import type { ReviewActions } from './use-review-actions.ts'
import { useWholeProposals } from './use-whole-proposals.ts'
import { useMay } from '../../shell/role.ts'

interface Props {
  vaultId: string
  items: readonly ReviewItem[]
  actions: ReviewActions
  skip: (items: readonly ReviewItem[]) => void
}

/** The items of one kind, with the keys and buttons that decide one or several of them. */
export function ReviewCards({ vaultId, items: listed, actions, skip }: Props) {
  const { items, showWhole, isLoading } = useWholeProposals(vaultId, listed)
  const agentOf = useAgents()
  const trust = useTrust(vaultId)
  const accept = ({ integrationId }: ReviewedMemory) => {
    const agent = agentOf(integrationId)
    if (agent !== undefined) trust(agent.id, agent.label, true)
  }
  const updateDuplicate = useUpdateDuplicate(vaultId)
  const mayEdit = useMay('editor')
  const [editedId, setEdited] = useState<string>()
  const keys = items.map(keyOfItem)
  const selection = useSelection(keys)
  const { current, setCurrent } = useRowFocus(keys, { beginsAtFirst: true })
  const selected = items.filter((one) => selection.ids.includes(keyOfItem(one)))
  const decide = (some: readonly ReviewItem[], decision: Decision) => {
    const [only, ...others] = some
    const isPartial =
      only !== undefined && others.length === 0 && only.kind === 'proposal' && canAccept(only) && !isWhole(only)
    // Nobody accepts what they haven't seen: the key shows it first.
    if (decision === 'accept' && isPartial) showWhole(only)
    else actions.decide(some, decision)
  }
  useReviewKeys({
    item: items.find((one) => keyOfItem(one) === current),
    selected,
    actions,
    decide,
    skip,
    onToggle: () => current !== undefined && selection.toggle(current),
    onEdit: ({ id }) => setEdited(id),
    onTrust: accept,
  })
  const close = () => {
    setEdited(undefined)
    if (editedId !== undefined && items.some(({ kind }) => kind === 'duplicate'))
      updateDuplicate(editedId).catch(toastError)
  }
  return (
    <>
      <BulkBar selected={selected} onDecide={decide} onSkip={skip} onClear={selection.clear} />
      <Stack gap="md">
        {items.map((one) => (
          <div key={keyOfItem(one)} className={classes.row} data-current={keyOfItem(one) === current}>
            {mayEdit && (
              <input
                type="checkbox"
                aria-label={`Select ${titleOfItem(one)}`}
                aria-keyshortcuts="x"
                checked={selection.ids.includes(keyOfItem(one))}
                onChange={() => selection.toggle(keyOfItem(one))}
              />
            )}
            <ReviewCard
              item={one}
              actions={actions}
              agentOf={agentOf}
              onEdit={({ id }) => setEdited(id)}
              onTrust={accept}
              onFocus={() => setCurrent(keyOfItem(one))}
              onSkip={() => skip([one])}
              onShowWhole={() => showWhole(one)}
              isLoadingWhole={isLoading}
            />
          </div>
        ))}
      </Stack>
      {editedId !== undefined && <EditById vaultId={vaultId} id={editedId} onClose={close} />}
    </>
  )
}

interface Keyed {
  /** The focused item. */
  item: ReviewItem | undefined
  /** The selected items, which keys act on if there are any. */
  selected: readonly ReviewItem[]
  actions: ReviewActions
  decide: (items: readonly ReviewItem[], decision: Decision) => void
  skip: (items: readonly ReviewItem[]) => void
  onToggle: () => void
  onEdit: (memory: ReviewedMemory) => void
  onTrust: (memory: ReviewedMemory) => void
}

/** Viewers have none of these keys. */
function useReviewKeys({ item, selected, actions, decide, skip, ...on }: Keyed): void {
  const mayEdit = useMay('editor')
  const key = (keys: string) => (mayEdit ? keys : undefined)
  const meant = selected.length > 0 ? selected : item === undefined ? [] : [item]
  const [first, second] = item?.memories ?? []
  const onMeant = (act: (items: readonly ReviewItem[]) => void) => () => {
    if (meant.length > 0) act(meant)
  }
  const wrong = () => {
    const [only, ...others] = meant
    if (only === undefined) return
    const isPair = only.kind === 'contradiction' || only.kind === 'duplicate'
    if (!isPair) decide(meant, 'reject')
    // Of several pairs, it isn't said which sides are wrong.
    else if (others.length === 0 && first !== undefined) actions.archive(only, first)
  }
  useShortcut(key('x'), 'Select the item', on.onToggle)
  useShortcut(
    key('a'),
    'Accept: it is right',
    onMeant((items) => decide(items, 'accept')),
  )
  useShortcut(
    key('1'),
    'The first one is right',
    () => item !== undefined && first !== undefined && second !== undefined && actions.prefer(item, first),
  )
  useShortcut(
    key('2'),
    'The second one is right',
    () => item !== undefined && second !== undefined && actions.prefer(item, second),
  )
  useShortcut(
    key('r'),
    'Reject',
    onMeant((items) => decide(items, 'reject')),
  )
  useShortcut(key('w'), 'It is wrong', wrong)
  useShortcut(key('s'), 'Skip', onMeant(skip))
  useShortcut(key('e'), 'Edit the first', () => first !== undefined && on.onEdit(first))
  useShortcut(
    key('t'),
    'Always accept from this agent',
    () => item?.kind === 'unsure' && first !== undefined && on.onTrust(first),
  )
}

function EditById({ vaultId, id, onClose }: { vaultId: string; id: string; onClose: () => void }) {
  const found = useOne('list-memories', { vaultId, id })
  return (
    <Loaded query={found} skeleton={null}>
      {({ memory }) => <MemoryForm isOpen onClose={onClose} vaultId={vaultId} memory={memory} />}
    </Loaded>
  )
}
