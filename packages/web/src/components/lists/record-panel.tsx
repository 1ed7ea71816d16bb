import { ActionIcon, Box, Title, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Maximize2, X } from 'lucide-react'
import {
  createContext,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { createPortal } from 'react-dom'
import { useShortcut } from '../../shell/shortcuts.ts'
import { isEscape } from '../forms/is-escape.ts'
import { BackButton } from '../frame/back-button.tsx'
import classes from './record-panel.module.css'
import { useListPlace } from './use-list-place.ts'
import type { OpenRecord } from './use-open-record.ts'
import { useMay } from '../../shell/role.ts'

interface Props {
  record: OpenRecord
  /** What a record is, such as "Memory". */
  title: string
  /** What leads back to the list, such as "All memories". */
  back: string
  /** Above both, so that the list keeps its place when a record opens. */
  filters: ReactNode
  list: ReactNode
  /** `wide`: the record gets more room than the list. */
  size?: 'normal' | 'wide'
  canEdit?: boolean
  children: (id: string) => ReactNode
}

/** A list and the open record next to it. In a narrow window, and on the full page, the record replaces the list. */
export function ListWithPanel({
  record,
  title,
  back,
  filters,
  list,
  size = 'normal',
  canEdit = false,
  children,
}: Props) {
  const { id, isFull } = record
  const isNarrow = useMediaQuery('(max-width: 1199px)', window.innerWidth < 1200)
  const isAlone = isFull || isNarrow
  const place = useRef<HTMLDivElement>(null)
  useListPlace(place, id, isAlone)
  return (
    <div className={classes.split} data-full data-open={id !== undefined} data-alone={isAlone} data-size={size}>
      <div className={classes.filters}>{filters}</div>
      <div ref={place} className={classes.list}>
        {list}
      </div>
      {id !== undefined && (
        <Panel record={record} title={title} back={back} isAlone={isAlone} canEdit={canEdit}>
          <div key={id} className={classes.body}>
            {children(id)}
          </div>
        </Panel>
      )}
    </div>
  )
}

const HeadContext = createContext<HTMLElement | null>(null)
const AloneContext = createContext(false)

/** Whether the open record takes the place of the list, so it needs a heading. */
export const useIsAlone = () => use(AloneContext)

/** Buttons of the open record, in the panel's head: they stay in view next to a long text. */
export function PanelActions({ children }: { children: ReactNode }) {
  const head = use(HeadContext)
  return head === null ? null : createPortal(children, head)
}

/** The title of the open record, which is the heading of the full page. */
export const RecordTitle = ({ children }: { children: ReactNode }) => (
  <Title order={2} className={classes.recordTitle}>
    {children}
  </Title>
)

type PanelProps = Pick<Props, 'record' | 'title' | 'back'> & { isAlone: boolean; canEdit: boolean; children: ReactNode }

function Panel({ record, title, back, isAlone, canEdit, children }: PanelProps) {
  const { id = '', isEditing, close, edit, showFull } = record
  const panel = useRef<HTMLElement>(null)
  const [head, setHead] = useState<HTMLElement | null>(null)
  useFittingHeight(panel)
  useFocusAfterEdit(panel, id, isEditing)
  useShortcut('Escape', `Close the ${title.toLowerCase()}`, close)
  useShortcut('f', `Focus the open ${title.toLowerCase()}`, () => panel.current?.focus())
  const mayEdit = useMay('editor')
  useShortcut(canEdit && mayEdit ? 'e' : undefined, 'Edit', () => edit(id))
  return (
    <Box
      component="section"
      ref={panel}
      className={classes.panel}
      data-raised={isAlone ? undefined : true}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={leaveField}
    >
      <div className={classes.head}>
        {isAlone ? <BackButton onClick={close}>{back}</BackButton> : <h2 className={classes.title}>{title}</h2>}
        <div ref={setHead} className={classes.actions} />
        {!isAlone && (
          <>
            <PanelButton label="Open full page" onClick={showFull}>
              <Maximize2 size={15} />
            </PanelButton>
            <PanelButton label="Close" onClick={close}>
              <X size={17} />
            </PanelButton>
          </>
        )}
      </div>
      <HeadContext value={head}>
        <AloneContext value={isAlone}>{children}</AloneContext>
      </HeadContext>
    </Box>
  )
}

const PanelButton = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" size={30} aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
)

/** Escape in a field leaves the field; once more, it closes the panel. */
function leaveField(event: KeyboardEvent<HTMLElement>): void {
  const isField = event.target instanceof HTMLElement && event.target.matches('input, textarea')
  if (!isEscape(event) || !isField) return
  event.preventDefault()
  event.currentTarget.focus({ preventScroll: true })
}

const edgePx = 16

/**
 * The panel ends at the bottom of the window, wherever the page is scrolled to. At the end of the page, its height decides how far the
 * page can be scrolled, so following each pixel could go on forever.
 */
function useFittingHeight(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    let fitted = -Infinity
    const fit = () => {
      const element = panel.current
      if (element === null) return
      const top = Math.max(edgePx, Math.round(element.getBoundingClientRect().top))
      if (Math.abs(top - fitted) < 2) return
      fitted = top
      element.style.setProperty('--panel-top', `${top}px`)
    }
    fit()
    window.addEventListener('scroll', fit, { passive: true })
    window.addEventListener('resize', fit)
    return () => {
      window.removeEventListener('scroll', fit)
      window.removeEventListener('resize', fit)
    }
  }, [panel])
}

/** The form that had the focus is gone after an edit. The record's row gets it, or the panel if there is no such row. */
function useFocusAfterEdit(panel: RefObject<HTMLElement | null>, id: string, isEditing: boolean): void {
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    const hasEnded = wasEditing.current && !isEditing
    wasEditing.current = isEditing
    if (!hasEnded || document.activeElement !== document.body) return
    const row = document.querySelector<HTMLElement>(`[data-row="${id}"]`)
    const isShown = row !== null && row.offsetParent !== null
    if (isShown) row.focus({ preventScroll: true })
    else panel.current?.focus({ preventScroll: true })
  }, [panel, id, isEditing])
}
