import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

import { useOpenDetail } from './open-detail.ts'

export function DetailLink({ to, children }: { to: string; children: ReactNode }) {
  const { search, how } = useOpenDetail()
  return (
    <Link to={to + search} {...how}>
      {children}
    </Link>
  )
}
