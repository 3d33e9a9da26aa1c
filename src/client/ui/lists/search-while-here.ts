import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router-dom'

/** Changes a list's address after a change of its views, unless the person has moved on meanwhile. */
export function useSearchWhileHere(): { location: Location; go: (search: string, asked: Location) => void } {
  const location = useLocation()
  const navigate = useNavigate()
  const here = useRef<Location | null>(null)
  useEffect(() => {
    here.current = location
    return () => {
      here.current = null
    }
  }, [location])
  const go = useCallbackRef((search: string, asked: Location) => {
    if (here.current?.pathname === asked.pathname && here.current.search === asked.search) {
      void navigate({ search }, { replace: true, state: asked.state as unknown })
    }
  })
  return { location, go }
}
