import {
  ActionIcon,
  Button,
  Group as Row,
  Text,
  TextInput,
  Title,
  Tooltip,
  useComputedColorScheme,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { schemeOf } from './graph-look.ts'
import type { Shown } from './graph-model.ts'
import classes from './graph-page.module.css'
import { findGroup, groupsByNode, keepGroups, maxGroups, nameOfGroup, readGroups, type Group } from './groups.ts'

export function useGroups(vaultId: string) {
  const [groups, setGroups] = useState(() => readGroups(vaultId))
  const set = (next: readonly Group[]) => {
    setGroups(next)
    keepGroups(vaultId, next)
  }
  const byNode = useMemo(() => groupsByNode(groups), [groups])
  return { groups, byNode, setGroups: set }
}

/** The group color of each node in a group. It replaces the color of its type. */
export function useGroupColors(byNode: ReadonlyMap<string, Group>): ReadonlyMap<string, string> {
  const { groups } = schemeOf(useComputedColorScheme('light'))
  return useMemo(
    () => new Map(Array.from(byNode, ([id, { color }]) => [id, groups[color] ?? groups[0]] as const)),
    [byNode, groups],
  )
}

interface Props extends Omit<ReturnType<typeof useGroups>, 'byNode'> {
  vaultId: string
  shown: Shown
}

/** The groups of colored nodes, and a form to add one. */
export function GroupList({ vaultId, groups, setGroups, shown }: Props) {
  const [typed, setTyped] = useState('')
  const query = typed.trim()
  const add = useMutation({
    mutationFn: () => findGroup(vaultId, query, groups),
    onError: (error) => toastError(error),
    onSuccess(group) {
      if (group.nodeIds.length === 0) return toast('No memories or notes match this search.')
      setGroups([...groups, group])
      setTyped('')
    },
  })
  return (
    <section aria-label="Groups">
      <Title order={2} size="h3" mt="md" mb="xs">
        Groups
      </Title>
      <Text size="xs" c="dimmed" mb={6}>
        Color the nodes that match a search.
      </Text>
      {groups.length > 0 && (
        <ul className={classes.groups}>
          {groups.map((group, place) => (
            <li key={group.id}>
              <GroupMark group={group} place={place} />
              <span className={classes.groupName}>
                {nameOfGroup(group, place)}
                <Text span size="xs" c="dimmed">
                  {' '}
                  {countOf(group.nodeIds.filter((id) => shown.nodes.has(id)).length, 'node')} here
                </Text>
              </span>
              <Tooltip label="Remove group">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove group ${nameOfGroup(group, place)}`}
                  onClick={() => setGroups(groups.filter(({ id }) => id !== group.id))}
                >
                  <X size={15} />
                </ActionIcon>
              </Tooltip>
            </li>
          ))}
        </ul>
      )}
      {groups.length < maxGroups && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (query !== '' && !add.isPending) add.mutate()
          }}
        >
          <Row gap={6} wrap="nowrap">
            <TextInput
              size="xs"
              flex={1}
              miw={0}
              aria-label="Search for nodes to color"
              placeholder="Search"
              maxLength={1000}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <Button size="xs" variant="default" type="submit" disabled={query === ''} loading={add.isPending}>
              Color
            </Button>
          </Row>
        </form>
      )}
    </section>
  )
}

export function GroupMark({ group, place }: { group: Group; place: number }) {
  const { groups } = schemeOf(useComputedColorScheme('light'))
  const color = groups[group.color] ?? groups[0]
  return (
    <svg
      width={18}
      height={16}
      viewBox="0 0 18 16"
      role="img"
      aria-label={nameOfGroup(group, place)}
      style={{ flex: 'none' }}
    >
      <rect x={1} y={1} width={16} height={14} rx={4} fill={color} />
      <text x={9} y={11.5} textAnchor="middle" fontSize={10} fontWeight={700} fill={schemeInk}>
        {place + 1}
      </text>
    </svg>
  )
}

/** Readable on all group colors, in both schemes. */
const schemeInk = '#ffffff'
