import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Ellipsis } from 'lucide-react'
import { useEffect, useRef, useState, type ComponentProps, type MouseEvent, type ReactNode } from 'react'

interface Props {
  /** Names the button. */
  label: string
  className?: string | undefined
  /** The items. */
  children: ReactNode
}

/** The menu of a row. A list has dozens of them, so each is only a button until it is opened for the first time. */
export function RowMenu({ children, ...button }: Props) {
  const [wasOpened, setOpened] = useState(false)
  if (wasOpened) return <OpenedMenu {...button}>{children}</OpenedMenu>
  return <MenuButton {...button} aria-haspopup="menu" aria-expanded={false} onClick={() => setOpened(true)} />
}

function OpenedMenu({ children, ...button }: Props) {
  const [isOpen, { open, close }] = useDisclosure()
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The button that was clicked is gone. The focus returns to this one when the menu closes.
    target.current?.focus({ preventScroll: true })
    open()
  }, [open])
  return (
    <Menu position="bottom-end" shadow="md" opened={isOpen} onChange={(opens) => (opens ? open() : close())}>
      <Menu.Target>
        <MenuButton ref={target} {...button} />
      </Menu.Target>
      <Menu.Dropdown onClick={stop}>{children}</Menu.Dropdown>
    </Menu>
  )
}

type ButtonProps = Omit<Props, 'children'> &
  Pick<ComponentProps<'button'>, 'ref' | 'onClick' | 'aria-haspopup' | 'aria-expanded'>

/** A click on it doesn't open the row. */
const MenuButton = ({ label, onClick, ...rest }: ButtonProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={28}
    aria-label={label}
    {...rest}
    onClick={(event: MouseEvent<HTMLButtonElement>) => {
      stop(event)
      onClick?.(event)
    }}
  >
    <Ellipsis size={16} aria-hidden />
  </ActionIcon>
)

const stop = (event: MouseEvent) => event.stopPropagation()
