import { Button, Group, Modal, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useOperation, usePage } from '../../api/queries.ts'
import { Loaded, SkeletonList } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import { toastUndo } from '../../shell/toasts.tsx'
import { CompareTexts } from './compare-texts.tsx'
import type { NoteDraft } from './note-draft.ts'
import classes from './note-view.module.css'
import type { OpenNoteProps } from './open-note.ts'

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
              No earlier versions. Each change keeps the previous text, up to 50 versions.
            </Text>
          ) : (
            page.versions.map(({ version, characters, updatedAt }) => (
              <UnstyledButton key={version} className={classes.version} onClick={() => setFilter({ version })}>
                <span>Version {version}</span>
                <Text span size="xs" c="dimmed">
                  <Moment at={updatedAt} />, {formatCount(characters)} characters
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
  const restore = ({ content, tags }: { content: string; tags: readonly string[] }) => {
    draft.change({ content, tags })
    void draft.saveNow()
    onClose()
    toastUndo(`Version ${version} restored`, () => {
      draft.change({ content: now.content, tags: now.tags })
      void draft.saveNow()
    })
  }
  return (
    <Loaded query={found} skeleton={<SkeletonList rows={3} />}>
      {(answer) => {
        if (!('version' in answer)) return null
        const { title, content, tags } = answer.version
        return (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {title !== now.title && `Its title was “${title}”. `}
              {tags.length > 0 && `Its tags were ${tags.join(', ')}.`}
            </Text>
            <CompareTexts
              left={{ label: `Version ${version}`, text: content }}
              right={{ label: 'Current', text: now.content }}
            />
            <Group justify="flex-end" mt="md">
              <Button variant="default" onClick={onClose}>
                Close
              </Button>
              {note.status === 'active' && (
                <Button onClick={() => restore(answer.version)}>Restore text and tags</Button>
              )}
            </Group>
          </>
        )
      }}
    </Loaded>
  )
}
