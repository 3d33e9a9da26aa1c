import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

import { useOpenDetail } from './open-detail.ts'

/** A row's link to its detail, which keeps what the list shows. */
export function DetailLink({ to, children }: { to: string; children: ReactNode }) {
  const { search, how } = useOpenDetail()
  return (
    <Link to={to + search} {...how}>
      {children}
    </Link>
  )
}
