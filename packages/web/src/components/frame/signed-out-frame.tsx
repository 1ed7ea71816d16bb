import { Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import mark from '../../shell/mark.svg'
import classes from './signed-out-frame.module.css'

/** The frame of pages for people who are not signed in yet. */
export function SignedOutFrame({
  title,
  children,
  isSetup = false,
}: {
  title: string
  children: ReactNode
  /** A wider card, which has the same size in each step. */
  isSetup?: boolean
}) {
  useEffect(() => void (document.title = `${title} · Holdfast`), [title])
  return (
    <main className={classes.frame}>
      <div className={isSetup ? classes.setup : classes.panel}>
        <div className={classes.brand}>
          <img src={mark} alt="" width={32} height={32} />
          <span>Holdfast</span>
        </div>
        <Title order={1} mb="lg">
          {title}
        </Title>
        {children}
      </div>
    </main>
  )
}
