import { Button } from '@mantine/core'
import { IconTruck } from '@tabler/icons-react'
import { useState } from 'react'

import { changeCopy } from '../../contract/copies.ts'
import { useConnection } from '../api/connection.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { sayError } from '../page/messages.ts'
import { useIsPhone } from '../ui/screen-width.ts'
import { StatusTag } from '../ui/status-tag.tsx'

type SendHomeProps = {
  /** The return by which it came here. */
  of: string
  copy: number
  site: { id: number; name: string }
  /** « Renvoyer à … » unless said. */
  label?: string
  /** A phone has room for its picture alone. */
  isBrief?: boolean
  onSent?: () => void
}

/** What was sent since this page was opened, because a line leaves the screen and comes back. */
const sent = new Set<string>()

export const wasSent = (of: string): boolean => sent.has(of)

/** Sends a copy that came back here to its own site, or to where somebody fetches it, by one tap. */
export default function SendHome({ of, copy, site, label, isBrief = false, onSent }: SendHomeProps) {
  const mayTransfer = useRight('COPY_TRANSFER')
  const isOnline = useConnection() === 'online'
  const { mutateAsync, isPending } = useChange(changeCopy)
  const isPicture = useIsPhone() && isBrief
  const [isSent, setSent] = useState(wasSent(of))
  if (isSent) return <StatusTag tone="wait">{`En transfert vers ${site.name}`}</StatusTag>
  if (!mayTransfer || !isOnline) return null
  const send = async () => {
    try {
      await mutateAsync({ params: { id: copy }, body: { site: site.id } })
      sent.add(of)
      setSent(true)
      onSent?.()
    } catch (error) {
      sayError(error)
    }
  }
  const act = label ?? `Renvoyer à ${site.name}`
  return (
    <Button
      variant="light"
      loading={isPending}
      onClick={() => void send()}
      {...(isPicture ? { px: 'sm', title: act, 'aria-label': act } : {})}
    >
      {isPicture ? <IconTruck size="1.2em" aria-hidden /> : act}
    </Button>
  )
}
