import type { AfterFailures, Steps } from './jobs/run-jobs.ts'
import { undoStep } from './acts/undo-act.ts'
import { closeStep } from './closures/close-step.ts'
import { eraseStep } from './forgetting/erase-inactive.ts'
import { importStep } from './imports/run-import.ts'
import { applyStep, reopenAfterFailure } from './inventories/apply-step.ts'
import { syncStep } from './sync/sync-step.ts'
import { massMailStep } from './mail/mass-mail-step.ts'
import { keepInCart, withdrawStep } from './weeding/withdraw-step.ts'

export const jobSteps: Steps = {
  'mail.reminders': massMailStep,
  'mail.recap': massMailStep,
  'acts.undo': undoStep,
  'imports.check': importStep,
  'imports.run': importStep,
  'sync.run': syncStep,
  'inventories.apply': applyStep,
  'closures.close': closeStep,
  'weeding.withdraw': withdrawStep,
  'readers.erase': eraseStep,
}

export const afterFailures: AfterFailures = {
  'inventories.apply': reopenAfterFailure,
  'weeding.withdraw': keepInCart,
}
