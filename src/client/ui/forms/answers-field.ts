import type { ComboboxStore } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'

type OnKey = (event: KeyboardEvent<HTMLInputElement>) => void

/** What the kit's `Combobox.Target` gives a field, for one that stands before the program of its list, which is heavy. `onKey` hears keys first. */
export function useAnswersField(store: ComboboxStore, onKey: OnKey) {
  const [marked, setMarked] = useState<string | null>(null)
  const { dropdownOpened: isOpen, listId } = store
  const mark = (select: () => string | null) => {
    if (!isOpen) store.openDropdown('keyboard')
    setMarked(isOpen ? select() : store.selectActiveOption())
  }
  const onKeyDown: OnKey = (event) => {
    onKey(event)
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') return store.closeDropdown('keyboard')
    if (event.key === 'ArrowDown') mark(store.selectNextOption)
    else if (event.key === 'ArrowUp') mark(store.selectPreviousOption)
    else if (event.key === 'Enter' && isOpen && store.getSelectedOptionIndex() >= 0)
      store.clickSelectedOption()
    else return
    event.preventDefault()
  }
  return {
    'aria-haspopup': 'listbox',
    'aria-controls': (isOpen && listId) || undefined,
    'aria-activedescendant': (isOpen && marked) || undefined,
    // Dialogs leave Escape to what bears this.
    'data-mantine-stop-propagation': isOpen || undefined,
    onKeyDown,
  } as const
}
