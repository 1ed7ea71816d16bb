import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { usePageTitle } from '../components/frame/page.tsx'
import { firstWords } from '../components/text/first-words.ts'
import { listUnsavedTexts, type UnsavedText } from './session.ts'
import { useVaults } from './vault.ts'

/** The pages of the vault in the address. */
export function VaultPages() {
  const { isMissing } = useVaults()
  return isMissing ? <VaultNotFound /> : <Outlet />
}

function VaultNotFound() {
  usePageTitle('Vault not found')
  // A vault can go away while someone writes in it.
  const [texts] = useState(listUnsavedTexts)
  return (
    <Stack maw={560} p="xl" mx="auto" mt="xl" gap="sm">
      <Title order={1}>Vault not found</Title>
      <Text>
        Check the address. The vault may have been deleted, or it may belong to someone who doesn’t share it with you.
      </Text>
      {texts.length > 0 && <Text>You have text that couldn’t be saved. Copy what you want to keep.</Text>}
      {texts.map((unsaved) => (
        <CopyUnsaved key={unsaved.id} {...unsaved} />
      ))}
      <Group>
        <Button renderRoot={(props) => <Link to="/vaults" {...props} />}>Your vaults</Button>
      </Group>
    </Stack>
  )
}

function CopyUnsaved({ title, text }: UnsavedText) {
  const { copied, copy } = useClipboard()
  return (
    <Button variant="default" maw="100%" style={{ alignSelf: 'start' }} onClick={() => copy(text)}>
      {copied ? 'Copied' : `Copy your text of “${firstWords(title)}”`}
    </Button>
  )
}
