import { useSearchParams } from 'react-router-dom'

/** The camera is in the address: « Scanner » of the frame opens it, and back closes it. */
export function useCameraAddress() {
  const [search, setSearch] = useSearchParams()
  const put = (isOpen: boolean) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (isOpen) next.set('scanner', '1')
        else next.delete('scanner')
        return next
      },
      { replace: !isOpen },
    )
  return { isOpen: search.get('scanner') === '1', open: () => put(true), close: () => put(false) }
}
