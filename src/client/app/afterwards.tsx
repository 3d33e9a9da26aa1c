import { useEffect } from 'react'

import './print.css'

import MessageArea from '../ui/message-area.tsx'
import { leaveOldSteps } from '../ui/dialogs/use-back-closes.ts'
import { fetchAhead } from './fetch-ahead.ts'
import { focusScreens } from './focus-screens.ts'
import { followLaunches } from './follow-launches.ts'
import type { createRouter } from './router.tsx'
import UpdatePrompt from './update-prompt.tsx'

/** Loads what the first screen does not need: messages, new versions, launches, the next screens. */
export default function Afterwards({ router }: { router: ReturnType<typeof createRouter> }) {
  useEffect(() => followLaunches((address) => void router.navigate(address)), [router])
  useEffect(() => fetchAhead(router), [router])
  useEffect(() => focusScreens(router), [router])
  useEffect(() => leaveOldSteps(router), [router])
  return (
    <>
      <MessageArea />
      <UpdatePrompt />
    </>
  )
}
