import { isInSight } from '../ui/in-sight.ts'

/** Marks the name of a reader on the screen. */
export const readerName = (id: number) => ({ 'data-reader-name': id })

/** Whether the name of this reader can be read now. */
export const isReaderInSight = (id: number): boolean =>
  isInSight(document.querySelector(`[data-reader-name="${id}"]`))
