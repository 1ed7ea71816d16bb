import { Box, Button, Group, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { CallError } from '../../api/call-error.ts'
import { refresh } from '../../api/queries.ts'
import { formatCount } from '../../components/text/time-text.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { DocumentConflict } from './document-conflict.tsx'
import { maxCharacters } from './document-looks.ts'
import classes from './documents-page.module.css'
import type { DocumentDraft } from './use-document-draft.ts'
import { documentReads, useWriteText, type WrittenText } from './written-text.ts'
import { useMay } from '../../shell/role.ts'

interface Props {
  /** Undefined for the text for all vaults. */
  vaultId: string | undefined
  written: WrittenText
  draft: DocumentDraft
  label: string
  /** Shown next to the editor. */
  preview: ReactNode
}

export function DocumentEditor({ vaultId, written, draft, label, preview }: Props) {
  const { documentType, text } = written
  const [isOutdated, setOutdated] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const client = useQueryClient()
  // Of the text for all vaults, everyone has their own.
  const mayWrite = useMay('admin') || vaultId === undefined
  useShortcut(mayWrite ? 'e' : undefined, 'Edit text', () => field.current?.focus())
  const { write, isPending } = useWriteText(vaultId, written)
  const save = () =>
    write(
      { content: draft.text, expectedVersion: draft.version },
      {
        onSuccess(saved, updated) {
          draft.rebaseOn(saved)
          toast(updated ? (saved.text === '' ? 'Text removed' : 'Saved') : 'No changes to save')
        },
        onError(error) {
          if (!(error instanceof CallError && error.status === 409)) return toastError(error)
          setOutdated(true)
          void refresh(client, documentReads)
        },
      },
    )
  const resolveWith = (choose: (newest: WrittenText) => void) => (newest: WrittenText) => {
    choose(newest)
    setOutdated(false)
  }
  return (
    <>
      {isOutdated && (
        <Box mb="md">
          <DocumentConflict
            vaultId={vaultId}
            documentType={documentType}
            version={draft.version}
            onKeepMine={resolveWith(draft.rebaseOn)}
            onTakeTheirs={resolveWith(draft.startFrom)}
          />
        </Box>
      )}
      <div className={classes.sides}>
        <div className={classes.side}>
          <Textarea
            ref={field}
            label={label}
            description={mayWrite && describeField(text)}
            // Below, so the field starts level with the preview.
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            className={classes.text}
            autosize
            minRows={8}
            maxRows={30}
            maxLength={maxCharacters}
            readOnly={!mayWrite}
            value={draft.text}
            onChange={({ currentTarget }) => draft.write(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault()
                if (draft.isDirty && !isOutdated) save()
              }
              // Leaves the field, so single-letter shortcuts work again.
              if (event.key === 'Escape') event.currentTarget.blur()
            }}
          />
          <div className={classes.bar}>
            <Text size="sm" c="dimmed">
              {formatCount(draft.text.length)} of {formatCount(maxCharacters)} characters
              {draft.isDirty && ', not saved'}
            </Text>
            {mayWrite && (
              <EditorButtons written={written} draft={draft} isOutdated={isOutdated} isBusy={isPending} onSave={save} />
            )}
          </div>
        </div>
        {preview}
      </div>
    </>
  )
}

const describeField = (text: string) =>
  text === '' ? 'Markdown supported.' : 'Markdown supported. Save it empty to remove the text.'

interface ButtonsProps extends Pick<Props, 'written' | 'draft'> {
  isOutdated: boolean
  isBusy: boolean
  onSave: () => void
}

function EditorButtons({ written: { text, template }, draft, isOutdated, isBusy, onSave }: ButtonsProps) {
  return (
    <Group gap="xs">
      {draft.text !== template && (
        <Button variant={text === '' ? 'default' : 'subtle'} onClick={() => draft.write(template)}>
          Start from template
        </Button>
      )}
      {draft.isDirty && (
        <Button variant="default" onClick={() => draft.write(text)}>
          Discard
        </Button>
      )}
      <Button onClick={onSave} disabled={!draft.isDirty || isOutdated} loading={isBusy}>
        Save
      </Button>
    </Group>
  )
}
