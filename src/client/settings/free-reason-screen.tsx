import { ReasonListScreen } from './reason-list-screen.tsx'

export default function FreeReasonScreen() {
  return <ReasonListScreen type="free" />
}
