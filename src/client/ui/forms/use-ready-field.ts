import { useMediaQuery } from '@mantine/hooks'
import { type RefObject, useEffect } from 'react'

/**
 * Work goes on in this field once a pressed control is gone (../focus-place.ts), and begins there if it is the `first`. Only where a
 * keyboard is likely, because a soft one would hide what is scanned; null for a field elsewhere.
 */
export function useReadyField(
  input: RefObject<HTMLInputElement | null>,
  order: 'first' | 'next' | null,
): void {
  const hasKeyboard = useMediaQuery('(any-pointer: fine)', false, { getInitialValueInEffect: false })
  useEffect(() => {
    if (order === null) return
    if (hasKeyboard && order === 'first') input.current?.focus({ preventScroll: true })
    input.current?.toggleAttribute('data-next-field', hasKeyboard)
  }, [hasKeyboard, input, order])
}
