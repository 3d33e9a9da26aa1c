import { useCallbackRef } from '@mantine/hooks'
import { useLocation, useNavigate, useResolvedPath } from 'react-router-dom'

/** `list`: what the list showed when a detail was opened from it. `isFromDetail`: a form that was opened from its detail. */
type Left = { list?: string; isFromDetail?: true } | null

/**
 * How a list opens the detail of a row and leaves it. What the list shows stays in the address, and « back » leads to the list whatever was
 * opened since.
 */
export function useOpenDetail() {
  const navigate = useNavigate()
  const { pathname, search, state: written } = useLocation()
  const state = written as Left
  const list = useResolvedPath('.').pathname
  const isOpen = pathname !== list
  // One detail takes the place of another.
  const how = { replace: isOpen, state: isOpen ? state : { list: search } }
  return {
    search,
    how,
    /** How the list shows something else, a detail beside it or not. */
    stay: { replace: isOpen, state },
    open: useCallbackRef((path: string) => navigate(path + search, how)),
    /** The form of a thing, which comes back to its detail. */
    openForm: useCallbackRef((path: string, detail: string) =>
      navigate(path + search, pathname === detail ? { state: { isFromDetail: true } } : how),
    ),
    close: useCallbackRef(() => {
      // What the list was asked meanwhile stays.
      if (state?.list === search) void navigate(-1)
      else void navigate(list + search, { replace: true })
    }),
  }
}

/** Leaves a form for the detail of what it is about: « back » does not open the form again, and leads to the list. */
export function useLeaveForm(detail: string): () => void {
  const navigate = useNavigate()
  const { search, state: written } = useLocation()
  const state = written as Left
  return () => void (state?.isFromDetail ? navigate(-1) : navigate(detail + search, { replace: true, state }))
}
