import type { Task } from '@holdfast/client/dashboard'
import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  Combobox,
  Group,
  Input,
  Menu,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Ellipsis, ListTodo, Mail, OctagonX, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { isNotFound } from '../../api/call-error.ts'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { CodeBlock, CopyButton } from '../../components/text/code-block.tsx'
import { EntityChip } from '../../components/records/entity-chip.tsx'
import { EraseRecord } from '../../components/records/erase-record.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonRecord } from '../../components/feedback/skeletons.tsx'
import { Markdown } from '../../components/text/markdown.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { PanelActions, RecordTitle } from '../../components/lists/record-panel.tsx'
import { NodeLinks } from '../../components/records/node-links.tsx'
import { PriorityIcon, PriorityMark, priorityOptions } from '../../components/records/priority-mark.tsx'
import { RecordId } from '../../components/records/record-id.tsx'
import { RecordMissing } from '../../components/records/record-missing.tsx'
import { RecordVersions } from '../../components/records/record-versions.tsx'
import { ByLine, ChangedMark } from '../../components/records/by-line.tsx'
import { useTask } from '../../components/records/use-task.ts'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { useTaskActions } from './task-actions.tsx'
import classes from './task-detail.module.css'
import { TaskEditor } from './task-form.tsx'
import { TaskHistory } from './task-history.tsx'
import { AssigneeIcon, nameBlocker, StatusIcon, StatusMark, statusOptions } from './task-looks.tsx'
import { RunLink } from './task-run.tsx'
import { taskReads } from './use-task-mutations.ts'
import { useMay } from '../../shell/role.ts'
import { OnlyFor } from '../../components/frame/only-for.tsx'

interface Props {
  vaultId: string
  id: string
  isEditing: boolean
  onEdited: () => void
  onGone: () => void
}

export function TaskDetail({ vaultId, id, isEditing, onEdited, onGone }: Props) {
  const found = useTask(vaultId, id)
  if (isNotFound(found.error, 'taskIds.0'))
    return (
      <RecordMissing id={id} path="/tasks" icon={ListTodo} action={<Button onClick={onGone}>All tasks</Button>}>
        Task not found. It may have been deleted, or changed to another memory type.
      </RecordMissing>
    )
  return (
    <Loaded query={found} skeleton={<SkeletonRecord />}>
      {(task) =>
        isEditing ? (
          <TaskEditor vaultId={vaultId} task={task} onClose={onEdited} />
        ) : (
          <Stack gap="lg">
            <div>
              <RecordTitle>{task.title}</RecordTitle>
              <Group gap="md">
                {/* Its state changes more often than its text. */}
                <ByLine size="sm" record={{ ...task, updatedAt: task.createdAt }} />
                <ChangedMark record={task} />
              </Group>
            </div>
            <PanelActions>
              <Actions vaultId={vaultId} task={task} onGone={onGone} />
            </PanelActions>
            <Place task={task} />
            <Passage title="Description" text={task.description} />
            <Passage title="Done when" text={task.doneWhen} />
            <Tags entities={task.entities} />
            <RecordVersions vaultId={vaultId} id={id} version={task.version} />
            <NodeLinks vaultId={vaultId} type="memory" id={id} />
            <TaskHistory vaultId={vaultId} task={task} />
            <Facts task={task} />
          </Stack>
        )
      }
    </Loaded>
  )
}

function Actions({ vaultId, task, onGone }: { vaultId: string; task: Task; onGone: () => void }) {
  const actions = useTaskActions()
  const [isErasing, erasing] = useDisclosure()
  const { taskId, archivedAt, assignedAgentId } = task
  const isArchived = archivedAt !== null
  const to = assignedAgentId === null || assignedAgentId === 'user' ? {} : { to: assignedAgentId }
  const [mayEdit, mayErase] = [useMay('editor'), useMay('admin')]
  if (!mayEdit) return null
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Pencil size={14} aria-hidden />}
        onClick={() => actions.edit(task)}
      >
        Edit
      </Button>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={30} aria-label="More actions">
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <OnlyFor needs="owner">
            <Menu.Item
              leftSection={<Mail size={14} aria-hidden />}
              renderRoot={(props) => <Link {...props} to="/messages" search={{ new: true, task: taskId, ...to }} />}
            >
              Send message
            </Menu.Item>
          </OnlyFor>
          <Menu.Item
            leftSection={isArchived ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />}
            disabled={actions.isBusy}
            onClick={() => (isArchived ? actions.restore([taskId]) : actions.archive([taskId]))}
          >
            {isArchived ? 'Restore' : 'Archive'}
          </Menu.Item>
          {isArchived && mayErase && (
            <Menu.Item leftSection={<Trash2 size={14} aria-hidden />} c="var(--hf-danger)" onClick={erasing.open}>
              Delete permanently
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <EraseRecord
        vaultId={vaultId}
        id={taskId}
        what="task"
        isOpen={isErasing}
        onClose={erasing.close}
        refreshes={taskReads}
        onGone={onGone}
      />
    </>
  )
}

/** All three fields fit in one line of the panel. */
const narrow = { leftSectionWidth: 32, rightSectionWidth: 26 }

/** State, priority and assignee, each editable in place. */
function EditedPlace({ task }: { task: Task }) {
  const actions = useTaskActions()
  const { status, priority } = task
  return (
    <div className={classes.place}>
      <Select
        label="State"
        data={statusOptions}
        value={status}
        allowDeselect={false}
        {...narrow}
        leftSection={<StatusIcon status={status} />}
        onChange={(value) => value !== null && actions.move([task], value)}
      />
      <Select
        label="Priority"
        data={priorityOptions}
        value={String(priority)}
        allowDeselect={false}
        {...narrow}
        leftSection={<PriorityIcon priority={priority} />}
        onChange={(value) => actions.prioritise([task], Number(value))}
      />
      <Input.Wrapper label="Assignee" labelElement="div">
        <Button
          variant="default"
          fullWidth
          justify="flex-start"
          className={classes.field}
          pl={10}
          pr={6}
          styles={{
            section: { marginInline: 0 },
            label: { flex: 1, paddingInline: 7, fontWeight: 400, textOverflow: 'ellipsis' },
          }}
          leftSection={<AssigneeIcon agentId={task.assignedAgentId} size={15} />}
          rightSection={<Combobox.Chevron aria-hidden />}
          onClick={() => actions.ask('assignee', [task])}
        >
          {nameOfAssignee(task)}
        </Button>
      </Input.Wrapper>
    </div>
  )
}

const nameOfAssignee = ({ assignedAgentId }: Task) =>
  assignedAgentId === null ? 'Unassigned' : nameOfAgent(assignedAgentId)

function Place({ task }: { task: Task }) {
  const { status, priority, blockedReason, blockedBy, archivedAt } = task
  return (
    <div>
      {useMay('editor') ? (
        <EditedPlace task={task} />
      ) : (
        <FactList
          facts={[
            ['State', <StatusMark key="state" status={status} />],
            ['Priority', <PriorityMark key="priority" priority={priority} />],
            ['Assignee', nameOfAssignee(task)],
          ]}
        />
      )}
      {archivedAt !== null && (
        <Group gap="xs" mt="sm">
          <StateBadge tone="off">Archived</StateBadge>
          <Text span size="sm" c="dimmed">
            <Moment at={archivedAt} />. Agents can’t find it.
          </Text>
        </Group>
      )}
      {blockedReason !== null && (
        <Alert color="red" variant="light" mt="sm" icon={<OctagonX size={16} aria-hidden />} title="Blocked">
          <div className={classes.prose}>{blockedReason}</div>
          {blockedBy !== undefined && (
            <Text size="xs" mt={4}>
              By {nameBlocker(task)}
            </Text>
          )}
        </Alert>
      )}
    </div>
  )
}

function Passage({ title, text }: { title: string; text: string | null }) {
  if (text === null) return null
  return (
    <section>
      <Group justify="space-between" mb={4}>
        <Title order={3}>{title}</Title>
        <CopyButton text={text} what={title} />
      </Group>
      <Markdown text={text} />
    </section>
  )
}

function Tags({ entities }: { entities: readonly string[] }) {
  if (entities.length === 0) return null
  return (
    <div className={classes.tags}>
      <Text c="dimmed">Tags</Text>
      {entities.map((entity) => (
        <EntityChip key={entity} name={entity} />
      ))}
    </div>
  )
}

function Facts({ task }: { task: Task }) {
  const { taskId, agentRunId, updatedAt, completedAt, version, externalWriteId, metadata } = task
  const facts: (readonly [string, ReactNode])[] = [
    ['Created in', agentRunId === null ? null : <RunLink key="run" runId={agentRunId} />],
    ['Updated', version === 1 ? null : <Moment key="updated" at={updatedAt} />],
    ['Done', completedAt === null ? null : <Moment key="done" at={completedAt} />],
    [
      'Memory',
      <Anchor key="memory" renderRoot={(props) => <Link {...props} to={`/memories/${taskId}`} />}>
        Open as a memory
      </Anchor>,
    ],
    ['Id', <RecordId key="id" id={taskId} />],
    ['External id', externalWriteId],
  ]
  return (
    <section>
      <Title order={3} mb="xs">
        Details
      </Title>
      <FactList facts={facts.filter(([, value]) => value !== null)} />
      {Object.keys(metadata).length > 0 && (
        <CodeBlock label="Metadata" isWrapped code={JSON.stringify(metadata, undefined, 2)} />
      )}
    </section>
  )
}
