let answer: boolean | undefined

/** Whether WebGL is available. It can be turned off. */
export function canDraw(): boolean {
  answer ??= hasWebGl()
  return answer
}

function hasWebGl(): boolean {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl')
  // Released at once, because browsers allow a page only about 16 contexts.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}
