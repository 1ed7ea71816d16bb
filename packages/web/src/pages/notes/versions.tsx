import { Button, Modal, Stack, Text, UnstyledButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { call } from '../../api/call.ts'
import { useOperation, usePage } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { nameWriter } from '../../components/records/writers.ts'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import { CompareTexts } from './compare-texts.tsx'
import type { NoteDraft } from './note-draft.ts'
import classes from './note-view.module.css'
import type { OpenNoteProps } from './open-note.ts'
import { refreshNotes } from './use-note-actions.ts'
import { useIsFixed } from './use-is-fixed.ts'

const pageSize = 20

/** The earlier versions of the note. */
export function Versions({ vaultId, id, setFilter }: Pick<OpenNoteProps, 'vaultId' | 'id' | 'setFilter'>) {
  const [offset, setOffset] = useState(0)
  const found = usePage('read-note-versions', { vaultId, id, limit: pageSize, offset })
  return (
    <Loaded query={found} skeleton={<SkeletonList rows={3} />}>
      {(page) => (
        <>
          {page.total === 0 ? (
            <Text size="sm" c="dimmed">
              No earlier versions. Each change keeps the previous text: 50 versions, and the last one by each writer.
            </Text>
          ) : (
            page.versions.map(({ version, characters, updatedAt, agentId, source }) => (
              <UnstyledButton key={version} className={classes.version} onClick={() => setFilter({ version })}>
                <span>Version {version}</span>
                <Text span size="xs" c="dimmed">
                  by {nameWriter({ ...source, agentId })}, <Moment at={updatedAt} />, {formatCount(characters)}{' '}
                  characters
                </Text>
              </UnstyledButton>
            ))
          )}
          <Pager page={page} onOffset={setOffset} />
        </>
      )}
    </Loaded>
  )
}

type Props = Pick<OpenNoteProps, 'vaultId' | 'id' | 'note' | 'filter' | 'setFilter'> & { draft: NoteDraft }

/** Compares a version with the current text, and can restore it. */
export function VersionDialog(props: Props) {
  const { filter, setFilter } = props
  const { version } = filter
  const close = () => setFilter({ version: 0 })
  return (
    <Modal opened={version > 0} onClose={close} title={`Version ${version}`} size="min(1000px, 96vw)">
      {version > 0 && <Compared {...props} version={version} onClose={close} />}
    </Modal>
  )
}

function Compared({ vaultId, id, note, draft, version, onClose }: Props & { version: number; onClose: () => void }) {
  const found = useOperation('read-note-versions', { vaultId, id, version })
  const now = draft.snapshot.mine
  const isFixed = useIsFixed(note)
  const { isBusy, restore } = useRestore({ vaultId, id, draft })
  return (
    <Loaded query={found} skeleton={<SkeletonList rows={3} />}>
      {(answer) => {
        if (!('version' in answer)) return null
        const { title, content, tags, agentId, source } = answer.version
        return (
          <Stack>
            <Text size="sm" c="dimmed">
              Written by {nameWriter({ ...source, agentId })}. {title !== now.title && `Its title was “${title}”. `}
              {tags.length > 0 && `Its tags were ${tags.join(', ')}.`}
            </Text>
            <CompareTexts
              left={{ label: `Version ${version}`, text: content }}
              right={{ label: 'Current', text: now.content }}
            />
            <DialogButtons>
              <Button variant="default" onClick={onClose}>
                Close
              </Button>
              {!isFixed && (
                <Button loading={isBusy} onClick={() => restore(version, onClose)}>
                  Restore this version
                </Button>
              )}
            </DialogButtons>
          </Stack>
        )
      }}
    </Loaded>
  )
}

/** Gives the note the title, text and tags of a version. The text that it had becomes a version too, so this can be undone. */
function useRestore({ vaultId, id, draft }: Pick<Props, 'vaultId' | 'id' | 'draft'>) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    async mutationFn(version: number) {
      await draft.saveNow()
      if (draft.isUnsaved) throw new Error('Your changes to this note aren’t saved yet.')
      const replaced = draft.snapshot.stored.version
      const { updated } = await call('update-note', {
        vaultId,
        noteId: id,
        fromVersion: version,
        expectedVersion: replaced,
      })
      return { updated, replaced }
    },
    onError: (error) => toastError(error),
    onSettled: () => refreshNotes(client),
  })
  const restore = (version: number, onDone: () => void) =>
    mutate(version, {
      onSuccess({ updated, replaced }) {
        onDone()
        if (updated) toastUndo(`Version ${version} restored`, () => mutate(replaced))
        else toast('The note already has this text')
      },
    })
  return { isBusy: isPending, restore }
}
