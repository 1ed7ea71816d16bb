import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMay, type Role } from '../../shell/role.ts'

interface Props {
  needs: Role
  children: ReactNode
}

/** What only people with at least this role in the vault can use. */
export const OnlyFor = ({ needs, children }: Props) => (useMay(needs) ? children : null)

/** Says what people lack who can't change what the page shows. */
export const RoleNote = ({ needs, children }: Props) =>
  useMay(needs) ? null : (
    <Text c="dimmed" mb="md" role="note">
      {children}
    </Text>
  )

/** For pages that editors can change. */
export const ViewerNote = () => (
  <RoleNote needs="editor">You can read this vault. Ask its owner for the role editor to change it.</RoleNote>
)
