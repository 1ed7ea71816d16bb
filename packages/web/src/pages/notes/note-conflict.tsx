import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { GitMerge } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useOperation } from '../../api/queries.ts'
import { Loaded, SkeletonList } from '../../components/feedback/loaded.tsx'
import { CompareTexts } from './compare-texts.tsx'
import { storedOf } from './drafts.ts'
import type { DraftSnapshot, NoteDraft, StoredText } from './note-draft.ts'

interface Props {
  vaultId: string
  id: string
  draft: NoteDraft
  snapshot: DraftSnapshot
}

/** Somebody else changed the note while it was written here: both texts beside each other, and one made of them. */
export function NoteConflict({ vaultId, id, draft, snapshot }: Props) {
  const newest = useOperation('read-note', { vaultId, noteId: id })
  return (
    <Stack gap="sm">
      <Loaded query={newest} skeleton={<SkeletonList rows={2} />}>
        {({ note }) =>
          // Until the newer one is here, what is known is what was edited.
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
        title="It was changed elsewhere meanwhile"
        role="alert"
      >
        <Text mb="sm">
          Yours is not saved yet. Take over from theirs what is to stay, write on where you like, then save the one that
          results. Theirs is kept as a version.
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={() => void draft.settle(theirs, merged)}>
            Save mine as it is below
          </Button>
          <Button size="xs" variant="default" onClick={() => void draft.settle(theirs, theirs)}>
            Take theirs
          </Button>
        </Group>
        {merged.title !== theirs.title && (
          <Text size="sm" mt="sm">
            Its title is now “{theirs.title}”; yours is “{merged.title}”.
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
