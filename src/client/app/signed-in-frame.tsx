import { Frame } from './frame.tsx'
import { RequireSession } from './require-session.tsx'

/** The frame with its door. */
export default function SignedInFrame() {
  return (
    <RequireSession>
      <Frame />
    </RequireSession>
  )
}
