import { startSendingScans } from '../inventories/send-work.ts'
import { startDeviceReports } from '../session/report-device.ts'
import { sayDrafts, sweepDrafts } from '../ui/forms/drafts.ts'

/** What runs behind every screen and the first one does not need; `counts`: the person does inventories. */
export function startLaterWork(counts: boolean): () => void {
  sweepDrafts()
  sayDrafts()
  const stops = [startDeviceReports(), ...(counts ? [startSendingScans()] : [])]
  return () => stops.forEach((stop) => stop())
}
