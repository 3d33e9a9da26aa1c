import { ReasonListScreen } from './reason-list-screen.tsx'

/** Paramètres, « Motifs de gratuité ». */
export default function FreeReasonScreen() {
  return <ReasonListScreen type="free" />
}
