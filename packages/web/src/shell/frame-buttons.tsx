import { Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { ChevronsUpDown, CircleUser } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { askForParts, useParts } from './later.ts'
import { labelRole, namePerson } from './role.ts'
import { useSession } from './session.ts'
import { useVaults } from './vault.ts'
import classes from './frame-buttons.module.css'

type ButtonProps = ComponentProps<'button'>

/** The button of the account's menu. A click before the menu has loaded opens it as soon as it has. */
export function AccountMenu() {
  const parts = useParts()
  const [isAsked, setAsked] = useState(false)
  if (parts !== undefined) return <parts.UserMenu startsOpen={isAsked} />
  return <AccountButton aria-haspopup="menu" aria-expanded={false} onClick={() => ask(setAsked)} />
}

/** The button of the vault switcher, in the same way. */
export function VaultMenu() {
  const parts = useParts()
  const [isAsked, setAsked] = useState(false)
  const { vault, isMissing } = useVaults()
  if (vault === undefined && !isMissing) return <Skeleton height={40} mx={4} width="auto" />
  if (parts !== undefined) return <parts.VaultSwitcher startsOpen={isAsked} />
  return <VaultButton aria-haspopup="listbox" aria-expanded={false} onClick={() => ask(setAsked)} />
}

function ask(setAsked: (isAsked: boolean) => void): void {
  setAsked(true)
  void askForParts()
}

export function AccountButton(props: ButtonProps) {
  const { data } = useSession()
  return (
    <UnstyledButton {...props} className={classes.button} data-opens="account">
      <CircleUser size={18} aria-hidden style={{ margin: 0 }} />
      <VisuallyHidden>Account</VisuallyHidden>
      <span className={classes.name} style={{ fontWeight: 400 }}>
        {data?.user.name ?? data?.user.email}
      </span>
    </UnstyledButton>
  )
}

const letters = new Intl.Segmenter('en')

const initialOf = (name: string) => letters.segment(name).containing(0)?.segment.toUpperCase()

export function VaultButton(props: ButtonProps) {
  const { vault } = useVaults()
  const name = vault?.name ?? 'Choose a vault'
  return (
    <UnstyledButton {...props} className={classes.button} data-opens="vaults">
      <span className={classes.initial} data-initial={initialOf(name)} aria-hidden />
      <VisuallyHidden>Vault</VisuallyHidden>
      <span className={classes.names}>
        <span className={classes.name}>{name}</span>
        {/* The role first, because there is little room. */}
        {vault?.role !== undefined && vault.owner !== undefined && (
          <span className={classes.sharing} data-sharing>
            {labelRole(vault.role)} · {namePerson(vault.owner)}
          </span>
        )}
      </span>
      <ChevronsUpDown size={14} aria-hidden />
    </UnstyledButton>
  )
}
