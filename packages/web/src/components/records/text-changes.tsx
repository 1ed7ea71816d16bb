import type { TextChange } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import { formatMoment } from '../text/time-text.ts'
import { TextDiff } from '../text/text-diff.tsx'
import { titleOfType } from './memory-marks.tsx'
import classes from './record-versions.module.css'

const titles: Readonly<Record<TextChange['field'], string>> = {
  content: 'Text',
  summary: 'Summary',
  memoryType: 'Type',
  importance: 'Importance',
  confidence: 'Confidence',
  entities: 'Entities',
  metadata: 'Metadata',
  writeReason: 'Reason',
  expiresAt: 'Expires',
  occurredAt: 'Occurred',
  doneWhen: 'Done when',
  title: 'Title',
  tags: 'Tags',
}

/** Fields with values of a few words, which need no lines. */
const short = new Set<TextChange['field']>(['memoryType', 'importance', 'confidence', 'expiresAt', 'occurredAt'])

/** What differs between two versions of a memory or task, field by field. */
export function TextChanges({ changes }: { changes: readonly TextChange[] }) {
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The same text as now.
      </Text>
    )
  return (
    <dl className={classes.changes}>
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          {/* A change of the text alone needs no name. */}
          <dt className={changes.length === 1 && field === 'content' ? classes.unnamed : undefined}>{titles[field]}</dt>
          <dd>
            {short.has(field) ? (
              <>
                <del>{printValue(field, before)}</del> <span aria-hidden>→</span> <ins>{printValue(field, after)}</ins>
              </>
            ) : (
              <TextDiff older={before ?? ''} newer={after ?? ''} label={`Changes of ${titles[field]}`} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function printValue(field: TextChange['field'], value: string | null): string {
  if (value === null) return field === 'expiresAt' ? 'never' : 'none'
  if (field === 'memoryType') return titleOfType(value)
  return field.endsWith('At') ? formatMoment(value) : value
}
