import { Radio, SimpleGrid, Text } from '@mantine/core'
import { Code } from 'lucide-react'
import { clientIcons } from './client-icons.ts'
import { ownCode, type ClientInfo } from './client-guide.tsx'
import classes from './client-tiles.module.css'

interface Props {
  clients: readonly ClientInfo[]
  value: string | null
  onChange: (clientId: string) => void
}

/** The programs to choose from, as a group of radio buttons. */
export function ClientTiles({ clients, value, onChange }: Props) {
  return (
    <Radio.Group value={value} onChange={onChange} label="Which program does your agent run in?" labelProps={{ mb: 8 }}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs">
        {clients.map(({ id, title }) => (
          <Radio.Card key={id} value={id} className={classes.tile}>
            <ClientIcon clientId={id} title={title} />
            <Text span inherit>
              {title}
            </Text>
          </Radio.Card>
        ))}
        <Radio.Card value={ownCode.id} className={classes.tile}>
          <Code size={16} strokeWidth={1.8} aria-hidden />
          <Text span inherit>
            {ownCode.title}
          </Text>
        </Radio.Card>
      </SimpleGrid>
    </Radio.Group>
  )
}

/** The mark of a program, or the first letter of its name if it has none that may be used. */
function ClientIcon({ clientId, title }: { clientId: string; title: string }) {
  const path = clientIcons[clientId]
  if (path === undefined)
    return (
      <span className={classes.letter} aria-hidden>
        {title.slice(0, 1)}
      </span>
    )
  return (
    <svg width={16} height={16} viewBox="0 0 24 24" fill="currentColor" aria-hidden>
      <path d={path} />
    </svg>
  )
}
