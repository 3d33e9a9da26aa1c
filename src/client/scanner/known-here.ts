import { writtenForms } from '../../domain/bar-code.ts'
import { readLibrary } from '../../offline/known-library.ts'
import type { Read } from './scan-agreement.ts'

/** Whether the snapshot has it as the code of a copy, of a card or of a person. */
export const isKnownHere = ({ text, symbology }: Read): Promise<boolean> =>
  readLibrary(async (library) => {
    if (library === null) return false
    for (const form of writtenForms(text, symbology)) {
      if ((await library.copyByBarCode(form)) !== undefined) return true
      if ((await library.beneficiariesByCode(form)).length > 0) return true
    }
    return false
  })
