import { LockGate } from '../lock/lock-gate.tsx'
import { Frame } from './frame.tsx'
import { RequireSession } from './require-session.tsx'

/** The frame with its door, and its lock. */
export default function SignedInFrame() {
  return (
    <LockGate>
      <RequireSession>
        <Frame />
      </RequireSession>
    </LockGate>
  )
}
