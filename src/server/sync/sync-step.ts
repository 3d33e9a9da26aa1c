import { bringIn } from '../imports/run-import.ts'
import type { Step } from '../jobs/job.ts'
import { ofWholeLibrary, syncRefusal } from './whole-library.ts'

/** Some lines of the file, as an import's, for the whole library. */
export const syncStep: Step = (trx, { input, cursor }, { exchange }) =>
  bringIn(
    trx,
    {
      input,
      cursor,
      isDry: false,
      may: () => syncRefusal(exchange) === null,
      whole: ofWholeLibrary(exchange),
    },
    exchange,
  )
