import type { GraphNode, NodeLink } from '@holdfast/client/dashboard'
import { ActionIcon, Text, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { X } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useAction, usePage } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { describeOrigin, describeRelation } from '../../components/records/relations.ts'
import { Moment } from '../../components/text/moment.tsx'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import { nameOf } from './graph-model.ts'
import classes from './graph-page.module.css'
import { RelationMark } from './graph-legend.tsx'
import { OnlyFor } from '../../components/frame/only-for.tsx'

interface Props {
  vaultId: string
  node: GraphNode
  onChoose: (id: string) => void
  onUnlinked: (linkId: string) => void
  onLinked: (sourceId: string, targetId: string) => void
}

const pageSize = 10

/** All links of a node in pages, including the ones that aren't on the map. */
export function PanelLinks({ vaultId, node, onChoose, onUnlinked, onLinked }: Props) {
  const [offset, setOffset] = useState(0)
  const links = usePage('get-links', { vaultId, nodeType: node.type, nodeId: node.id, limit: pageSize, offset })
  const unlink = useAction('remove-link', { refreshes: ['get-links'] })
  const remove = (link: NodeLink) =>
    unlink.mutate(
      { vaultId, linkId: link.linkId },
      {
        onError: (error) => toastError(error),
        onSuccess() {
          onUnlinked(link.linkId)
          toastUndo('Link removed', () => void undo(link).catch(toastError))
        },
      },
    )
  const undo = async (link: NodeLink) => {
    await linkAgain(vaultId, link)
    onLinked(link.sourceId, link.targetId)
  }
  return (
    <section>
      <Title order={3} mb="xs">
        Links
      </Title>
      <Loaded query={links}>
        {(page) => (
          <>
            {page.total === 0 && <Text c="dimmed">No links yet.</Text>}
            <ul className={classes.links}>
              {page.links.map((link) => (
                <LinkEntry key={link.linkId} link={link} onChoose={onChoose} onRemove={() => remove(link)} />
              ))}
            </ul>
            <Pager page={page} onOffset={setOffset} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function LinkEntry({
  link,
  onChoose,
  onRemove,
}: {
  link: NodeLink
  onChoose: (id: string) => void
  onRemove: () => void
}) {
  const { other, relationType, label, origin } = link
  const name = nameOf(other)
  return (
    <li>
      <div className={classes.linkText}>
        <span className={classes.linkRelation}>
          <RelationMark relation={relationType} /> {describeRelation(link)}
        </span>
        <UnstyledButton className={classes.linkEnd} onClick={() => onChoose(other.id)}>
          {name}
        </UnstyledButton>
        <Text size="xs" c="dimmed">
          {describeOrigin(origin)}, <Moment at={link.createdAt} />
        </Text>
        {(label !== null || !other.live) && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {label !== null && `“${label}” `}
            {!other.live && '(no longer current)'}
          </Text>
        )}
      </div>
      {origin === 'wiki' ? (
        <Text size="xs" c="dimmed">
          in the text
        </Text>
      ) : (
        <OnlyFor needs="editor">
          <Tooltip label="Remove link">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove link: ${describeRelation(link)} ${name}`}
              onClick={onRemove}
            >
              <X size={15} />
            </ActionIcon>
          </Tooltip>
        </OnlyFor>
      )}
    </li>
  )
}

async function linkAgain(
  vaultId: string,
  { sourceType, sourceId, targetType, targetId, relationType, label }: NodeLink,
) {
  await call('add-link', {
    vaultId,
    sourceType,
    sourceId,
    targetType,
    targetId,
    relationType,
    label: label ?? undefined,
  })
  toast('Link restored')
}
