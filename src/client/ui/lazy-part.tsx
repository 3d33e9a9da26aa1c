import { type ComponentType, useEffect, useState } from 'react'

import { useConnection } from '../api/connection.ts'

/**
 * A part that its screen can do without: where its program cannot be fetched nothing stands there, until the network is back. A
 * `lazy` one would take the whole screen away.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  let known: ComponentType<Props> | null = null
  return function LazyPart(props: Props) {
    const [Loaded, setLoaded] = useState(() => known)
    const connection = useConnection()
    useEffect(() => {
      if (Loaded !== null) return undefined
      let isThere = true
      load().then(
        (part) => {
          known = part.default
          if (isThere) setLoaded(() => part.default)
        },
        () => undefined,
      )
      return () => {
        isThere = false
      }
    }, [Loaded, connection])
    return Loaded === null ? null : <Loaded {...props} />
  }
}
