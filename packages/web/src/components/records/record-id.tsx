import { Code, Group } from '@mantine/core'
import { CopyButton } from '../text/code-block.tsx'

const [startChars, endChars] = [8, 12]

/** An id in one line. It is shortened in the middle; the button copies all of it. */
export const RecordId = ({ id }: { id: string }) => (
  <Group gap={4} wrap="nowrap">
    <Code title={id}>{`${id.slice(0, startChars)}…${id.slice(-endChars)}`}</Code>
    <CopyButton text={id} what="id" />
  </Group>
)
