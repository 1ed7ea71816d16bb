import { Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { CallError, messageOf } from '../api/call-error.ts'
import { usePageTitle } from '../components/frame/page.tsx'
import { openPalette } from './later.ts'

/** A page of an older build requests files that the newer build doesn't have, or the server can't be reached. */
const isNotLoaded = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script|preload css/i.test(error.message)

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const requestId = error instanceof CallError ? error.requestId : undefined
  const retry = () => {
    if (isNotLoaded(error)) return location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <Stack role="alert" maw={560} p="xl" mx="auto" mt="xl" gap="sm">
      <Title order={1}>{isNotLoaded(error) ? 'This page couldn’t be loaded' : 'This page couldn’t be shown'}</Title>
      <Text>{isNotLoaded(error) ? 'The server was updated, or it can’t be reached.' : messageOf(error)}</Text>
      {requestId !== undefined && (
        <Text size="sm" c="dimmed">
          For details, look for request <Code>{requestId}</Code> in the server log.
        </Text>
      )}
      <Group>
        <Button onClick={retry}>{isNotLoaded(error) ? 'Reload' : 'Try again'}</Button>
      </Group>
    </Stack>
  )
}

export function PageNotFound() {
  usePageTitle('Page not found')
  return (
    <Stack mih="60dvh" align="center" justify="center" gap="sm">
      <Compass size={28} strokeWidth={1.5} color="var(--mantine-color-dimmed)" aria-hidden />
      <Title order={1}>Page not found</Title>
      <Text c="dimmed" ta="center" mb="xs">
        Check the address. The page may have been moved or deleted.
      </Text>
      <Group gap="xs">
        <Button renderRoot={(props) => <Link to="/" {...props} />}>Go to Home</Button>
        <Button variant="default" onClick={openPalette}>
          Search
        </Button>
      </Group>
    </Stack>
  )
}
