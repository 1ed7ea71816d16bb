import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMay, type Role } from '../../shell/role.ts'

interface Props {
  role: Role
  children: ReactNode
}

/** What only people with this role in the vault can use. */
export const OnlyFor = ({ role, children }: Props) => (useMay(role) ? children : null)

/** Says what people lack who can't change what the page shows. */
export const RoleNote = ({ role, children }: Props) =>
  useMay(role) ? null : (
    <Text c="dimmed" mb="md" role="note">
      {children}
    </Text>
  )

/** For pages that editors can change. */
export const ViewerNote = () => (
  <RoleNote role="editor">You can read this vault. Ask its owner for the role editor to change it.</RoleNote>
)
