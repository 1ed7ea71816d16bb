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

interface Props {
  /** Undefined: for all vaults. */
  vaultId: string | undefined
  written: WrittenText
  draft: DocumentDraft
  label: string
  /** Beside it. */
  preview: ReactNode
}

export function DocumentEditor({ vaultId, written, draft, label, preview }: Props) {
  const { documentType, text, template } = written
  const [isOutdated, setOutdated] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const client = useQueryClient()
  useShortcut('e', 'Write', () => field.current?.focus())
  const { write, isPending } = useWriteText(vaultId, documentType)
  const save = () =>
    write(
      { content: draft.text, expectedVersion: draft.version },
      {
        onSuccess(saved, updated) {
          draft.keepOn(saved)
          toast(updated ? (saved.text === '' ? 'Taken away' : 'Saved') : 'Nothing was to change')
        },
        onError(error) {
          if (!(error instanceof CallError && error.status === 409)) return toastError(error)
          setOutdated(true)
          void refresh(client, documentReads)
        },
      },
    )
  const goOn = (choose: (newest: WrittenText) => void) => (newest: WrittenText) => {
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
            onKeepMine={goOn(draft.keepOn)}
            onTakeTheirs={goOn(draft.beginFrom)}
          />
        </Box>
      )}
      <div className={classes.sides}>
        <div className={classes.side}>
          <Textarea
            ref={field}
            label={label}
            description={text === '' ? 'Nothing yet.' : 'Markdown is shown as such. Save it empty to take it away.'}
            className={classes.text}
            autosize
            minRows={14}
            maxRows={30}
            maxLength={maxCharacters}
            value={draft.text}
            onChange={({ currentTarget }) => draft.write(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault()
                if (draft.isDirty && !isOutdated) save()
              }
              // The way out for keys, which single-letter shortcuts need.
              if (event.key === 'Escape') event.currentTarget.blur()
            }}
          />
          <div className={classes.bar}>
            <Text size="sm" c="dimmed">
              {formatCount(draft.text.length)} of {formatCount(maxCharacters)} characters
              {draft.isDirty && ', not saved'}
            </Text>
            <Group gap="xs">
              {draft.text !== template && (
                <Button variant="default" onClick={() => draft.write(template)}>
                  Start from template
                </Button>
              )}
              {draft.isDirty && (
                <Button variant="default" onClick={() => draft.write(text)}>
                  Discard
                </Button>
              )}
              <Button onClick={save} disabled={!draft.isDirty || isOutdated} loading={isPending}>
                Save
              </Button>
            </Group>
          </div>
        </div>
        {preview}
      </div>
    </>
  )
}
