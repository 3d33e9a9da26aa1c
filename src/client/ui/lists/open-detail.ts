import { useCallbackRef } from '@mantine/hooks'
import { useLocation, useNavigate, useResolvedPath } from 'react-router-dom'

/**
 * `list` is what the list showed before; `isFromDetail` marks a form opened from its detail, `isLed` a detail that follows the keyboard
 * from row to row.
 */
type Left = { list?: string; isFromDetail?: true; isLed?: true } | null

export const isLed = (state: unknown): boolean => (state as Left)?.isLed === true

/** A detail's own part of the address: its tab, and the lists in it. */
export const partOfDetail = 'part'

/** What the list shows, without what only its detail looks at. */
export function searchOfList(search: string): string {
  const all = [...new URLSearchParams(search)]
  const kept = all.filter(([name]) => name !== partOfDetail && !name.startsWith(`${partOfDetail}.`))
  if (kept.length === all.length) return search
  return kept.length > 0 ? `?${new URLSearchParams(kept)}` : ''
}

/** The next detail opens at the same tab, and its lists at their beginning. */
function searchOfNext(search: string): string {
  const part = new URLSearchParams(search).get(partOfDetail)
  const list = searchOfList(search)
  return part === null ? list : `${list}${list === '' ? '?' : '&'}${partOfDetail}=${encodeURIComponent(part)}`
}

/** Opens and leaves a row's detail: the address keeps the list, and « back » always leads to it. */
export function useOpenDetail() {
  const navigate = useNavigate()
  const { pathname, search, state: written } = useLocation()
  const { isLed: _, ...state } = (written ?? {}) as NonNullable<Left>
  const list = useResolvedPath('.').pathname
  const isOpen = pathname !== list
  const how = { replace: isOpen, state: isOpen ? state : { list: search } }
  const next = searchOfNext(search)
  return {
    search: next,
    how,
    stay: { replace: isOpen, state: written as Left },
    open: useCallbackRef((path: string) => navigate(path + next, how)),
    lead: useCallbackRef((path: string) =>
      navigate(path + next, { replace: true, state: { ...state, isLed: true } }),
    ),
    openForm: useCallbackRef((path: string, detail: string) =>
      navigate(path + search, pathname === detail ? { state: { isFromDetail: true } } : how),
    ),
    close: useCallbackRef(() => {
      // The list's later changes stay.
      const shown = searchOfList(search)
      if (state.list === shown) void navigate(-1)
      else void navigate(list + shown, { replace: true })
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
