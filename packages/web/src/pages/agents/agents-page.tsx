import { usePage } from '../../api/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'

export function AgentsPage() {
  const integrations = usePage('list-integrations', {})
  return (
    <Page title="Agents & keys">
      <Loaded query={integrations}>
        {({ integrations: all }) => (
          <ul>
            {all.map(({ id, label }) => (
              <li key={id}>{label}</li>
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  )
}
