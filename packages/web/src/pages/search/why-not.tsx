import { Alert, Button, Group, TextInput } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { isId, type Answer, type Found } from './lab-state.ts'
import { DroppedList } from './dropped-list.tsx'

interface Props {
  /** The id to check. */
  why: string
  onCheck: (id: string) => void
  answer: Answer
  records: ReadonlyMap<string, Found>
}

/** Explains why one item was or wasn't returned. */
export function WhyNot({ why, onCheck, answer, records }: Props) {
  const [typed, setTyped] = useState(why)
  const [error, setError] = useState<string>()
  const place = answer.hits.findIndex(({ id }) => id === why)
  const check = () => {
    const isValid = typed.trim() === '' || isId(typed)
    setError(isValid ? undefined : 'Enter the id that the memory’s page shows')
    if (isValid) onCheck(typed.trim())
  }
  return (
    <section aria-label="Why isn’t this item here?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          check()
        }}
      >
        <Group align="end" gap="xs" mb="sm">
          <TextInput
            label="Why isn’t this item here?"
            placeholder="Id of a memory or note"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={error}
            autoComplete="off"
            spellCheck={false}
            flex="1 1 240px"
            maw={420}
          />
          <Button type="submit" variant="default">
            Check
          </Button>
        </Group>
      </form>
      {place >= 0 && (
        <Alert color="kelp" variant="light" icon={<CircleCheck size={16} aria-hidden />}>
          This is result {place + 1}.
        </Alert>
      )}
      <DroppedList dropped={answer.explanation.asked} hits={answer.hits} records={records} />
    </section>
  )
}
