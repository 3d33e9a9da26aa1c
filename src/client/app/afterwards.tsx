import { useEffect } from 'react'

import './print.css'

import MessageArea from '../ui/message-area.tsx'
import { fetchAhead } from './fetch-ahead.ts'
import { followLaunches } from './follow-launches.ts'
import UpdatePrompt from './update-prompt.tsx'

/** Loads what the first screen does not need: messages, new versions, launches, the next screens. */
export default function Afterwards({ open }: { open: (address: string) => void }) {
  useEffect(() => followLaunches(open), [open])
  useEffect(fetchAhead, [])
  return (
    <>
      <MessageArea />
      <UpdatePrompt />
    </>
  )
}
