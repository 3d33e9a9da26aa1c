/** For a line's `ref`: bars at a page's foot keep clear of `--notice`, how high the line reaches from below. */
export function tellNotice(line: HTMLElement | null) {
  if (!line) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    const { bottom } = getComputedStyle(line)
    style.setProperty('--notice', `calc(${line.offsetHeight}px + ${bottom} + 0.5rem)`)
  })
  observer.observe(line)
  return () => {
    observer.disconnect()
    style.removeProperty('--notice')
  }
}
