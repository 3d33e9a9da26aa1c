import { ReasonListScreen } from './reason-list-screen.tsx'

export default function DelayReasonScreen() {
  return <ReasonListScreen type="delay" />
}
