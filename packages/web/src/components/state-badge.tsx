import { Badge } from '@mantine/core'
import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, Clock, type LucideIcon } from 'lucide-react'

/** A state by icon and word, never by colour alone. */
type Tone = 'good' | 'bad' | 'off' | 'waiting' | 'neutral'

const looks: Record<Tone, { icon: LucideIcon; color: string }> = {
  good: { icon: CircleCheck, color: 'kelp' },
  bad: { icon: CircleAlert, color: 'red' },
  off: { icon: CircleSlash, color: 'gray' },
  waiting: { icon: Clock, color: 'yellow' },
  neutral: { icon: CircleDashed, color: 'gray' },
}

export function StateBadge({ tone, children }: { tone: Tone; children: string }) {
  const { icon: Icon, color } = looks[tone]
  return (
    <Badge
      variant="light"
      color={color}
      radius="sm"
      tt="none"
      fw={500}
      leftSection={<Icon size={13} aria-hidden />}
      className="hf-badge"
    >
      {children}
    </Badge>
  )
}
