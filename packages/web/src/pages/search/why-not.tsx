import { Alert, Button, Group, TextInput } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { isId, type Answer, type Found } from './lab-state.ts'
import { LostList } from './lost-list.tsx'

interface Props {
  /** The id that was asked about. */
  why: string
  onAsk: (id: string) => void
  answer: Answer
  records: ReadonlyMap<string, Found>
}

/** Asks what became of one item. */
export function WhyNot({ why, onAsk, answer, records }: Props) {
  const [typed, setTyped] = useState(why)
  const [error, setError] = useState<string>()
  const place = answer.hits.findIndex(({ id }) => id === why)
  const ask = () => {
    const isAsked = typed.trim() === '' || isId(typed)
    setError(isAsked ? undefined : 'An id, as the memory’s page shows it')
    if (isAsked) onAsk(typed.trim())
  }
  return (
    <section aria-label="Why is this item not here?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          ask()
        }}
      >
        <Group align="end" gap="xs" mb="sm">
          <TextInput
            label="Why is this item not here?"
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
            Ask
          </Button>
        </Group>
      </form>
      {place >= 0 && (
        <Alert color="kelp" variant="light" icon={<CircleCheck size={16} aria-hidden />}>
          It is here, at place {place + 1}.
        </Alert>
      )}
      <LostList lost={answer.explanation.asked} records={records} />
    </section>
  )
}
