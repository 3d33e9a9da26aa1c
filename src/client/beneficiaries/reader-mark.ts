import { isInSight } from '../ui/in-sight.ts'

export const readerMark = (id: number) => ({ 'data-reader-name': id })

/** Whether this name can be read on the screen now. */
export const isReaderNameVisible = (id: number): boolean =>
  isInSight(document.querySelector(`[data-reader-name="${id}"]`))
