import { useEffect, useRef, useState } from 'react'

import { type FoundReference, getFoundImage, type LookUpSource } from '../../contract/external-codes.ts'
import { call } from '../api/call.ts'

export type FoundImage = { file: File; source: LookUpSource }

/** Asks each source that may have a cover of a notice, until one gives it; none is no trouble to anybody. Without a notice, there is none. */
export function useFoundImage(onFound: (file: File) => void) {
  const [image, setImage] = useState<FoundImage | null>(null)
  const asking = useRef<AbortController | null>(null)
  useEffect(() => () => asking.current?.abort(), [])
  const seek = async (notice: Pick<FoundReference, 'code' | 'covers'> | null) => {
    asking.current?.abort()
    if (notice === null) return setImage(null)
    const { code, covers } = notice
    const { signal } = (asking.current = new AbortController())
    for (const source of covers) {
      const content = await call(getFoundImage, { params: { code }, query: { source }, signal }).catch(
        () => null,
      )
      if (signal.aborted) return
      if (content === null) continue
      const file = new File([content], `${code}.webp`, { type: content.type })
      setImage({ file, source })
      onFound(file)
      return
    }
  }
  return { image, seek }
}
