import { useCallbackRef } from '@mantine/hooks'
import { useLocation, useNavigate } from 'react-router-dom'

/** Written where opening the camera made a step of its own over the screen without it. */
type Opened = { isOverScreen?: true } | null

/** The camera is in the address: « Scanner » of the frame opens it, and back closes it. Opened and closed, it leaves no step behind. */
export function useCameraAddress() {
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const address = new URLSearchParams(search)
  const isOpen = address.get('scanner') === '1'
  return {
    isOpen,
    /** The camera of this screen, with what is being done there, or of another one. */
    open: (screen = pathname) => {
      if (screen !== pathname) return void navigate(`${screen}?scanner=1`)
      address.set('scanner', '1')
      void navigate(`${pathname}?${address}`, {
        replace: isOpen,
        state: isOpen ? (state as Opened) : { isOverScreen: true },
      })
    },
    close: () => {
      if ((state as Opened)?.isOverScreen) return void navigate(-1)
      address.delete('scanner')
      void navigate({ search: String(address) }, { replace: true })
    },
    /** Goes to another screen: nobody who comes back from there asked for the camera. */
    leave: useCallbackRef((to: string) => navigate(to, { replace: isOpen })),
  }
}
