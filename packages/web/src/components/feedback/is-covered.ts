let hasModal = false

// Captured before the dialogs' own listeners, because the first of them may already close a dialog.
for (const type of ['keydown', 'pointerdown'])
  window.addEventListener(
    type,
    () => {
      hasModal = document.querySelector('.mantine-Modal-content') !== null
    },
    { capture: true },
  )

/**
 * Whether a dialog was open over a drawer when the person last pressed a key or a button. Each open dialog and drawer listens to
 * Escape by itself, so one key would close them all.
 */
export const isCovered = (): boolean => hasModal
