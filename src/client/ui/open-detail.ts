import { useCallbackRef } from '@mantine/hooks'
import { useLocation, useNavigate, useResolvedPath } from 'react-router-dom'

type Left = { isFromList?: boolean } | null

/**
 * How a list opens the detail of a row and leaves it. What the list shows stays in the address, and « back » leads to the list whatever was
 * opened since.
 */
export function useOpenDetail() {
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const list = useResolvedPath('.').pathname
  const isOpen = pathname !== list
  // One detail takes the place of another.
  const how = { replace: isOpen, state: isOpen ? (state as Left) : { isFromList: true } }
  return {
    search,
    how,
    open: useCallbackRef((path: string) => navigate(path + search, how)),
    close: useCallbackRef(() => {
      if ((state as Left)?.isFromList) void navigate(-1)
      else void navigate(list + search, { replace: true })
    }),
  }
}
