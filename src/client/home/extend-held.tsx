import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import ExtendDialog from '../loans/extend-dialog.tsx'
import { loanQuery } from '../loans/loan-data.ts'
import { sayError } from '../page/messages.ts'

/** Extends a loan of which only the id is known here. */
export default function ExtendHeld({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useQuery(loanQuery(id))
  useEffect(() => {
    if (!error) return
    sayError(error)
    onClose()
    // oxlint-disable-next-line react/exhaustive-deps -- said once
  }, [error])
  return data ? <ExtendDialog loan={data} onClose={onClose} /> : null
}
