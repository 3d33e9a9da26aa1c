import { useLocation, useNavigate } from 'react-router-dom'

type Opened = { isHelpOver?: true } | null

/** The help is part of the address, so that « back » closes it; it leaves no step behind. */
export function useHelpAddress() {
  const navigate = useNavigate()
  const { search, hash, state } = useLocation()
  const isOpen = hash === '#aide'
  return {
    isOpen,
    open: () => {
      if (!isOpen)
        void navigate({ search, hash: '#aide' }, { state: { ...(state as object), isHelpOver: true } })
    },
    close: () =>
      void ((state as Opened)?.isHelpOver ? navigate(-1) : navigate({ search }, { replace: true, state })),
  }
}
