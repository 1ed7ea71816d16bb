import { Title, UnstyledButton } from '@mantine/core'
import { ArrowRight } from 'lucide-react'
import { useOperation } from '../../api/queries.ts'
import classes from './example-queries.module.css'

interface Props {
  vaultId: string
  /** Each makes a query of the name of an entity. */
  patterns: readonly ((name: string) => string)[]
  isDisabled?: boolean
  onChoose: (query: string) => void
}

/** Queries about what most memories of the vault are about, to try with a click. Nothing while the vault has no entities. */
export function ExampleQueries({ vaultId, patterns, isDisabled = false, onChoose }: Props) {
  const { data } = useOperation('count-memories', { vaultId, state: 'live' })
  const entities = data?.entities ?? []
  const queries = patterns.slice(0, entities.length).map((print, at) => print(entities[at]?.value ?? ''))
  if (queries.length === 0) return null
  return (
    <section aria-label="Examples" className={classes.examples}>
      <Title order={2} size="h5" mb={6}>
        Try one of these
      </Title>
      <ul>
        {queries.map((query) => (
          <li key={query}>
            <UnstyledButton className={classes.example} disabled={isDisabled} onClick={() => onChoose(query)}>
              {query}
              <ArrowRight size={15} aria-hidden />
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
