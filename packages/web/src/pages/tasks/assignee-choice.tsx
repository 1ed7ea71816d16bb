import { Autocomplete, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { useAgentNames } from '../../components/records/agent-names.ts'

/** The names to choose an assignee from: known agents and current assignees. */
export function useAssignees(vaultId: string): string[] {
  const { data } = useOperation('count-tasks', { vaultId, state: 'all' })
  return useAgentNames(vaultId, data?.assignees.map(({ value }) => value) ?? [])
}

interface Props {
  vaultId: string
  value: string
  onChoose: (name: string) => void
}

const maxNameChars = 200

/** Chooses an agent, or any other name, since a task can wait for an agent that hasn't connected yet. */
export function AssigneeChoice({ vaultId, value, onChoose }: Props) {
  const names = useAssignees(vaultId)
  const [name, setName] = useState(value === 'user' ? '' : value)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') onChoose(name.trim())
      }}
    >
      <Group align="flex-end" gap="xs" mt="md" wrap="nowrap">
        <Autocomplete
          label="Agent"
          flex={1}
          data={names}
          value={name}
          onChange={setName}
          onOptionSubmit={onChoose}
          maxLength={maxNameChars}
        />
        <Button type="submit" disabled={name.trim() === ''}>
          Assign
        </Button>
      </Group>
    </form>
  )
}
