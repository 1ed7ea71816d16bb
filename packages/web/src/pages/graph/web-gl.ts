let answer: boolean | undefined

/** Whether this browser draws WebGL, which some have switched off. */
export function canDraw(): boolean {
  answer ??= hasWebGl()
  return answer
}

function hasWebGl(): boolean {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl')
  // Browsers allow a page some sixteen at a time.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}
