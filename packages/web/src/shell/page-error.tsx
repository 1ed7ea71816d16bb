import { Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { CallError, messageOf } from '../api/call-error.ts'

/** A page of an older build asks for files that the newer one does not have; or the server is away. */
const isNotLoaded = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script/i.test(error.message)

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
      <Title order={1}>{isNotLoaded(error) ? 'This page could not be loaded' : 'This page could not be shown'}</Title>
      <Text>
        {isNotLoaded(error) ? 'The server was updated in the meantime, or cannot be reached.' : messageOf(error)}
      </Text>
      {requestId !== undefined && (
        <Text size="sm" c="dimmed">
          The log of the server says more about request <Code>{requestId}</Code>
        </Text>
      )}
      <Group>
        <Button onClick={retry}>{isNotLoaded(error) ? 'Load again' : 'Try again'}</Button>
      </Group>
    </Stack>
  )
}

export function PageNotFound() {
  return (
    <Stack maw={560} p="xl" mx="auto" mt="xl" gap="sm">
      <Title order={1}>There is no such page</Title>
      <Text>The address may be mistyped, or what it led to is gone.</Text>
      <Group>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>To the start</Button>
      </Group>
    </Stack>
  )
}
