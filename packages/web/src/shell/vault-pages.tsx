import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link, Outlet } from '@tanstack/react-router'
import { usePageTitle } from '../components/frame/page.tsx'
import { useVaults } from './vault.ts'

/** The pages of the vault in the address. */
export function VaultPages() {
  const { isMissing } = useVaults()
  return isMissing ? <VaultNotFound /> : <Outlet />
}

function VaultNotFound() {
  usePageTitle('Vault not found')
  return (
    <Stack maw={560} p="xl" mx="auto" mt="xl" gap="sm">
      <Title order={1}>Vault not found</Title>
      <Text>
        Check the address. The vault may have been deleted, or it may belong to someone who doesn’t share it with you.
      </Text>
      <Group>
        <Button renderRoot={(props) => <Link to="/vaults" {...props} />}>Your vaults</Button>
      </Group>
    </Stack>
  )
}
