import { useCallbackRef } from '@mantine/hooks'
import { askForCamera } from './camera-ahead.ts'
import { useLocation, useNavigate } from 'react-router-dom'

type Opened = { isOverScreen?: true; over?: string } | null

/** The camera is part of the address, so that « back » closes it; it leaves no step behind. */
export function useCameraAddress() {
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const address = new URLSearchParams(search)
  const isOpen = address.get('scanner') === '1'
  return {
    isOpen,
    /** Call it in a tap. */
    open: (screen = pathname) => {
      if (!isOpen) askForCamera()
      if (screen !== pathname) return void navigate(`${screen}?scanner=1`)
      address.set('scanner', '1')
      void navigate(`${pathname}?${address}`, {
        // The step of a sheet that it takes the place of is its own now.
        replace: isOpen || (state as Opened)?.over !== undefined,
        state: isOpen ? (state as Opened) : { isOverScreen: true },
      })
    },
    close: () => {
      if ((state as Opened)?.isOverScreen) return void navigate(-1)
      address.delete('scanner')
      void navigate({ search: String(address) }, { replace: true })
    },
    /** Coming back from there must not open the camera again. */
    leave: useCallbackRef((to: string) => navigate(to, { replace: isOpen })),
  }
}
