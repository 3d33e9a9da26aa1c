import { useEffect } from 'react'

import './print.css'

import MessageArea from '../ui/message-area.tsx'
import { fetchAhead } from './fetch-ahead.ts'
import { followLaunches } from './follow-launches.ts'
import UpdatePrompt from './update-prompt.tsx'

/** What is not needed to show the first screen: messages, the offer of a new version, what was launched, which waits, and the next screens. */
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
