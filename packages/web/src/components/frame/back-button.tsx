import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import classes from './back-button.module.css'

type Props = { children: string } & ({ to: string } | { onClick: () => void })

/** Leads from a record to the list that it is in. */
export const BackButton = ({ children, ...props }: Props) => (
  <Button
    size="xs"
    fz="sm"
    variant="subtle"
    className={classes.back}
    leftSection={<ChevronLeft size={14} aria-hidden />}
    {...('to' in props
      ? { renderRoot: (root: object) => <Link {...root} to={props.to} /> }
      : { onClick: props.onClick })}
  >
    {children}
  </Button>
)
