import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { GitMerge } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { CompareTexts } from './compare-texts.tsx'
import { storedOf } from './drafts.ts'
import type { DraftSnapshot, NoteDraft, StoredText } from './note-draft.ts'

interface Props {
  vaultId: string
  id: string
  draft: NoteDraft
  snapshot: DraftSnapshot
}

/** Someone else changed the note during the edit. Shows both texts side by side, so the person can merge them. */
export function NoteConflict({ vaultId, id, draft, snapshot }: Props) {
  const newest = useOperation('read-note', { vaultId, noteId: id })
  return (
    <Stack gap="sm">
      <Loaded query={newest} skeleton={<SkeletonList rows={2} />}>
        {({ note }) =>
          // The newer version is still loading.
          note.version === snapshot.stored.version ? (
            <Waiting refetch={() => void newest.refetch()} />
          ) : (
            <Merge theirs={storedOf(note)} draft={draft} snapshot={snapshot} />
          )
        }
      </Loaded>
    </Stack>
  )
}

function Waiting({ refetch }: { refetch: () => void }) {
  const ask = useEffectEvent(refetch)
  useEffect(() => ask(), [])
  return <SkeletonList rows={2} />
}

interface MergeProps extends Pick<Props, 'draft' | 'snapshot'> {
  theirs: StoredText
}

function Merge({ theirs, draft, snapshot: { stored, mine } }: MergeProps) {
  const merged = {
    title: mine.title === stored.title ? theirs.title : mine.title,
    tags: mine.tags.join('\n') === stored.tags.join('\n') ? theirs.tags : mine.tags,
    content: mine.content,
  }
  return (
    <>
      <Alert
        color="yellow"
        variant="light"
        icon={<GitMerge size={18} aria-hidden />}
        title="Changed by someone else"
        role="alert"
      >
        <Text mb="sm">
          Your changes aren’t saved yet. Merge the changes you want to keep into your text, then save it. Their text is
          kept as a version.
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={() => void draft.settle(theirs, merged)}>
            Save my text
          </Button>
          <Button size="xs" variant="default" onClick={() => void draft.settle(theirs, theirs)}>
            Use theirs
          </Button>
        </Group>
        {merged.title !== theirs.title && (
          <Text size="sm" mt="sm">
            Their title is “{theirs.title}”. Yours is “{merged.title}”.
          </Text>
        )}
      </Alert>
      <CompareTexts
        left={{ label: `Theirs, version ${theirs.version}`, text: theirs.content }}
        right={{ label: 'Mine', text: mine.content }}
        onChange={(content) => draft.change({ content })}
      />
    </>
  )
}
