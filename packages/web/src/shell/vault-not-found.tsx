import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePageTitle } from '../components/frame/page.tsx'
import { copyText } from '../components/text/copy-text.ts'
import { firstWords } from '../components/text/first-words.ts'
import { listUnsavedTexts, type UnsavedText } from './session.ts'

/** For an address whose vault doesn’t exist, or that the person can’t see. */
export function VaultNotFound({ vaultId }: { vaultId: string }) {
  usePageTitle('Vault not found')
  // A vault can go away while someone writes in it.
  const [texts] = useState(() => listUnsavedTexts(vaultId))
  return (
    <Stack maw={560} p="xl" mx="auto" mt="xl" gap="sm">
      <Title order={1}>Vault not found</Title>
      <Text>
        Check the address. The vault may have been deleted, or it may belong to someone who doesn’t share it with you.
      </Text>
      {texts.length > 0 && <Text>You have text that couldn’t be saved. Copy what you want to keep.</Text>}
      {texts.map((unsaved) => (
        <Unsaved key={unsaved.id} {...unsaved} />
      ))}
      <Group>
        <Button renderRoot={(props) => <Link to="/vaults" {...props} />}>Your vaults</Button>
      </Group>
    </Stack>
  )
}

function Unsaved({ title, text }: UnsavedText) {
  const name = `text of “${firstWords(title)}”`
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea label={`Your ${name}`} readOnly value={text} autosize minRows={2} maxRows={12} w="100%" />
      <Button variant="default" aria-label={`Copy your ${name}`} onClick={() => void copyText(text)}>
        Copy
      </Button>
    </Stack>
  )
}
