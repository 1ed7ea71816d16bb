import { Text, Title, UnstyledButton } from '@mantine/core'
import { ArrowRight } from 'lucide-react'
import { useOperation } from '../../api/queries.ts'
import classes from './ask-page.module.css'

const patterns: readonly ((name: string) => string)[] = [
  (name) => `What do we know about ${name}?`,
  (name) => `What did we decide about ${name}?`,
  (name) => `What is new about ${name}?`,
]

interface Props {
  vaultId: string
  /** Another question is being answered. */
  isBusy: boolean
  onAsk: (question: string) => void
}

/** Before the first question: what appears here, and questions about what most memories of the vault are about. */
export function ExampleQuestions({ vaultId, isBusy, onAsk }: Props) {
  const { data } = useOperation('count-memories', { vaultId, state: 'live' })
  const entities = data?.entities ?? []
  const questions = patterns.slice(0, entities.length).map((ask, at) => ask(entities[at]?.value ?? ''))
  return (
    <section aria-label="Examples">
      {questions.length > 0 && (
        <>
          <Title order={2} size="h5" mb={6}>
            Try one of these
          </Title>
          <ul className={classes.examples}>
            {questions.map((question) => (
              <li key={question}>
                <UnstyledButton className={classes.example} disabled={isBusy} onClick={() => onAsk(question)}>
                  {question}
                  <ArrowRight size={15} aria-hidden />
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </>
      )}
      <Text c="dimmed" size="sm">
        Answers appear here, with links to the records they come from. They are gone when you close this tab.
      </Text>
    </section>
  )
}
