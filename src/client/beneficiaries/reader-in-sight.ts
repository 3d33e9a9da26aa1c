import { isInSight } from '../ui/in-sight.ts'

export const readerName = (id: number) => ({ 'data-reader-name': id })

/** Whether this name can be read on the screen now. */
export const isReaderInSight = (id: number): boolean =>
  isInSight(document.querySelector(`[data-reader-name="${id}"]`))
