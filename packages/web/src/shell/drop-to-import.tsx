import { useNavigate, useRouter } from '@tanstack/react-router'
import { Import } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import classes from './drop-to-import.module.css'
import { useMay } from './role.ts'
import { useVaults } from './vault.ts'

/**
 * Files dropped anywhere open the import page, which shows what they contain. Nothing is imported without a click there. The page's
 * button does the same for keyboards. Text editors take dropped files themselves.
 */
export function DropToImport() {
  const [isOver, setIsOver] = useState(false)
  const { vault } = useVaults()
  const mayImport = useMay('owner')
  const navigate = useNavigate()
  const router = useRouter()
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (vault === undefined || event.dataTransfer?.types.includes('Files') !== true) return
    if (isInEditor(event)) return setIsOver(false)
    event.preventDefault()
    // Without this, the browser would leave the page to show the files.
    event.dataTransfer.dropEffect = mayImport ? 'copy' : 'none'
    setIsOver(mayImport)
  })
  const onLeave = useEffectEvent(({ relatedTarget }: DragEvent) => {
    // It has left the window, not only an element in it.
    if (relatedTarget === null) setIsOver(false)
  })
  const onDrop = useEffectEvent(async (event: DragEvent) => {
    setIsOver(false)
    if (isInEditor(event) || !mayImport || vault === undefined || event.dataTransfer === null) return
    // The browser forgets them after the event.
    const dropped = [...event.dataTransfer.items]
      .filter(({ kind }) => kind === 'file')
      .flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? [])
    if (dropped.length === 0) return
    event.preventDefault()
    await navigate({ to: '/transfer' })
    // The person stayed, because of unsaved text.
    if (router.state.location.pathname !== '/transfer') return
    const { previewDropped } = await import('../pages/transfer/dropped-files.ts')
    await previewDropped(vault.id, dropped)
  })
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    for (const name of ['dragenter', 'dragover'] as const)
      window.addEventListener(name, (event) => onDrag(event), { signal })
    window.addEventListener('dragleave', (event) => onLeave(event), { signal })
    window.addEventListener('drop', (event) => void onDrop(event), { signal })
    return () => listening.abort()
  }, [])
  if (!isOver || vault === undefined) return null
  return (
    <div className={classes.overlay} aria-hidden>
      <div className={classes.box}>
        <Import size={28} strokeWidth={1.5} />
        <div className={classes.title}>Drop to import</div>
        <div className={classes.text}>You see a preview of what goes into “{vault.name}” first.</div>
      </div>
    </div>
  )
}

const isInEditor = ({ target }: DragEvent): boolean =>
  target instanceof Element && target.closest('.cm-editor') !== null
