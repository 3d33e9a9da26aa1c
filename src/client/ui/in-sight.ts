/** For a question's `ref`: it takes no focus, so that no scan answers it. */
export const showAtOnce = (question: HTMLElement | null): void =>
  question?.scrollIntoView({ block: 'nearest' })

/** Whether an element is on the screen and under nothing else. */
export function isInSight(element: Element | null): boolean {
  if (!element) return false
  const { left, top, width, height } = element.getBoundingClientRect()
  const seen = document.elementFromPoint(left + width / 2, top + height / 2)
  return seen !== null && element.contains(seen)
}
