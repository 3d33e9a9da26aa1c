import type { Steps } from './jobs/run-jobs.ts'
import { massMailStep } from './mail/mass-mail-step.ts'

export const jobSteps: Steps = { 'mail.reminders': massMailStep, 'mail.recap': massMailStep }
