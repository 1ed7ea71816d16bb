import type { GraphNode } from '@holdfast/client/dashboard'
import { Button, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/loaded.tsx'
import { relationTypes, titleOfRelation, type Relation } from '../../components/records/relations.ts'
import { toast } from '../../shell/toasts.tsx'
import { nameOf } from './graph-model.ts'
import { NodePicker, type PickedNode } from './node-picker.tsx'

interface Props {
  vaultId: string
  /** The node to link; undefined if the form is closed. */
  node: GraphNode | undefined
  onClose: () => void
  onLinked: (sourceId: string, targetId: string) => void
}

export function LinkForm({ vaultId, node, onClose, onLinked }: Props) {
  return (
    <FormDialog opened={node !== undefined} onClose={onClose} title="New link" zIndex={300}>
      {(close) =>
        node !== undefined && <Fields key={node.id} vaultId={vaultId} node={node} onClose={close} onLinked={onLinked} />
      }
    </FormDialog>
  )
}

/** Only a note's text creates wiki links. */
const byHand = relationTypes.filter((relation) => relation !== 'wiki_link')

function Fields({ vaultId, node, onClose, onLinked }: Props & { node: GraphNode }) {
  const [other, setOther] = useState<PickedNode>()
  const [relation, setRelation] = useState<Relation>('references')
  const [direction, setDirection] = useState('to')
  const [label, setLabel] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const link = useAction('add-link', {
    onDone({ sourceId, targetId, created }) {
      toast(created ? 'Link added' : 'This link already exists')
      onLinked(sourceId, targetId)
      onClose()
    },
  })
  const send = () => {
    setSubmitted(true)
    if (other === undefined) return
    const [source, target] = direction === 'to' ? [node, other] : [other, node]
    link.mutate({
      vaultId,
      sourceType: source.type,
      sourceId: source.id,
      targetType: target.type,
      targetId: target.id,
      relationType: relation,
      label: label.trim() === '' ? undefined : label.trim(),
    })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Stack>
        {link.error !== null && <ErrorNotice error={link.error} retry={send} isBusy={link.isPending} />}
        <Text fw={550} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {nameOf(node)}
        </Text>
        <SegmentedControl
          aria-label="Direction of the link"
          value={direction}
          onChange={setDirection}
          data={[
            { value: 'to', label: 'From this node' },
            { value: 'from', label: 'To this node' },
          ]}
        />
        <Select
          label={direction === 'to' ? 'How this node relates to the other' : 'How the other node relates to this one'}
          allowDeselect={false}
          value={relation}
          onChange={(value) => setRelation(byHand.find((each) => each === value) ?? relation)}
          data={byHand.map((value) => ({ value, label: titleOfRelation(value) }))}
        />
        <NodePicker
          vaultId={vaultId}
          label="Other node"
          placeholder="Search for a note, memory or task"
          picked={other}
          onPick={setOther}
          exceptId={node.id}
          error={isSubmitted && other === undefined ? 'Choose the other node.' : undefined}
        />
        <TextInput
          label="Label"
          description="Optional. Up to 500 characters."
          maxLength={500}
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={link.isPending}>
            Add link
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
