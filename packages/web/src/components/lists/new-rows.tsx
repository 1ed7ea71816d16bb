import { Button } from '@mantine/core'
import { ArrowUp } from 'lucide-react'
import { formatCount } from '../text/time-text.ts'
import classes from './new-rows.module.css'

/** Says that a list has grown while it was read, and shows it on demand. */
export function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className={classes.place}>
      {count > 0 && (
        <Button size="compact-sm" radius="xl" leftSection={<ArrowUp size={14} aria-hidden />} onClick={onShow}>
          {formatCount(count)} new
        </Button>
      )}
    </div>
  )
}
