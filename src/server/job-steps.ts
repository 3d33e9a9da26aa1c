import type { Steps } from './jobs/run-jobs.ts'
import { massMailStep } from './mail/mass-mail-step.ts'

/** Every kind of job with what does it. */
export const jobSteps: Steps = { 'mail.reminders': massMailStep, 'mail.recap': massMailStep }
