import { ReasonListScreen } from './reason-list-screen.tsx'

/** Paramètres, « Motifs de retard ». */
export default function DelayReasonScreen() {
  return <ReasonListScreen type="delay" />
}
