import { Group, Text, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import classes from './page.module.css'
import type { Vault } from '@holdfast/client/dashboard'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../shell/session.ts'
import { useVaults } from '../../shell/vault.ts'
import { showPeople } from '../records/people.ts'
import { SkeletonList } from '../feedback/skeletons.tsx'
import { BackButton } from './back-button.tsx'

interface Props {
  title: string
  /** Of a page about one record: leads to all of them. */
  back?: { to: string; label: string }
  /** One sentence about the page. */
  lead?: ReactNode
  /** Whether phones show the sentence, too, because it says more than what the page is for. */
  keepsLead?: boolean
  /** Buttons in the line of the title. On phones, those of a record are below its title and lead. */
  actions?: ReactNode
  children: ReactNode
}

/** Characters. A longer one is a sentence, such as what a run did, and needs no shouting. */
const longTitle = 60

/** Sets the tab's title and announces it to screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Holdfast`
    const announcer = document.querySelector('#announcer')
    if (announcer !== null) announcer.textContent = title
  }, [title])
}

export function Page({ title, lead, keepsLead = false, back, actions, children }: Props) {
  usePageTitle(title)
  return (
    <>
      <header className={classes.header}>
        {back !== undefined && <BackButton to={back.to}>{back.label}</BackButton>}
        <div className={classes.top} data-record={back !== undefined}>
          <Title order={1} className={classes.title} data-long={title.length > longTitle}>
            {title}
          </Title>
          {Boolean(actions) && <Group gap="xs">{actions}</Group>}
        </div>
        {lead !== undefined && (
          <Text c="dimmed" className={classes.lead} data-kept={keepsLead}>
            {lead}
          </Text>
        )}
      </header>
      {children}
    </>
  )
}

/** Names those who write in this vault, for everything that is rendered in it. */
function usePeople(vault: Vault | undefined): void {
  const { data: session } = useSession()
  const isShared = vault !== undefined && (vault.role !== undefined || (vault.memberCount ?? 0) > 0)
  const { data } = useOperation('list-vault-members', { vaultId: vault?.id ?? '' }, { enabled: isShared })
  showPeople({ ownId: session?.user.userId, owner: vault?.owner, members: data?.members ?? [] })
}

/** Renders its children for the selected vault. Their state is reset when another vault is selected. */
export function InVault({ children }: { children: (vault: Vault) => ReactNode }) {
  const { vault } = useVaults()
  usePeople(vault)
  if (vault === undefined) return <SkeletonList />
  return <div key={vault.id}>{children(vault)}</div>
}
