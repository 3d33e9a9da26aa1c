import { useCallbackRef } from '@mantine/hooks'
import { useLocation, useNavigate, useResolvedPath } from 'react-router-dom'

/** `list` is what the list showed before; `isFromDetail` marks a form opened from its detail. */
type Left = { list?: string; isFromDetail?: true } | null

/** Opens and leaves a row's detail: the address keeps the list, and « back » always leads to it. */
export function useOpenDetail() {
  const navigate = useNavigate()
  const { pathname, search, state: written } = useLocation()
  const state = written as Left
  const list = useResolvedPath('.').pathname
  const isOpen = pathname !== list
  const how = { replace: isOpen, state: isOpen ? state : { list: search } }
  return {
    search,
    how,
    stay: { replace: isOpen, state },
    open: useCallbackRef((path: string) => navigate(path + search, how)),
    openForm: useCallbackRef((path: string, detail: string) =>
      navigate(path + search, pathname === detail ? { state: { isFromDetail: true } } : how),
    ),
    close: useCallbackRef(() => {
      // The list's later changes stay.
      if (state?.list === search) void navigate(-1)
      else void navigate(list + search, { replace: true })
    }),
  }
}

/** Leaves a form for its detail, so that « back » leads to the list rather than the form. */
export function useLeaveForm(detail: string): () => void {
  const navigate = useNavigate()
  const { search, state: written } = useLocation()
  const state = written as Left
  return () => void (state?.isFromDetail ? navigate(-1) : navigate(detail + search, { replace: true, state }))
}
