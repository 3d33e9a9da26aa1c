import type { JobKind } from '../../contract/jobs.ts'
import { massMails, sayMailed } from '../mail/say-mailed.ts'
import JobProgress from '../ui/job-progress.tsx'

export default function MassMailProgress(props: { kind: JobKind; title: string }) {
  return <JobProgress {...props} onDone={(count) => void sayMailed(massMails(count))} />
}
