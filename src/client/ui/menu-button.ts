import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'

/** What the menu of a button (menu-of-button.tsx) is told of it. */
export type ButtonOfMenu = {
  id: string
  button: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}

/** For a button that stands before the program of its menu, which is heavy, has come. Draw the menu after the button. */
export function useMenuButton() {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const of: ButtonOfMenu = { id, button, isOpen, setOpen }
  const attributes = {
    id,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? `${id}-dropdown` : undefined,
    onClick: () => setOpen(!isOpen),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' || isOpen) return
      event.preventDefault()
      setOpen(true)
    },
  } as const
  return { button, attributes, of }
}
