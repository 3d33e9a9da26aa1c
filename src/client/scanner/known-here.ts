import { type Symbology, writtenForms } from '../../domain/bar-code.ts'
import { fullName } from '../../domain/person-names.ts'
import { readLibrary } from '../../offline/known-library.ts'

type Scan = { text: string; symbology?: Symbology | undefined }

/** The name of the copy or the person that the snapshot has by that code; null for none. */
export const nameHere = ({ text, symbology }: Scan): Promise<string | null> =>
  readLibrary(async (library) => {
    if (library === null) return null
    for (const form of writtenForms(text, symbology)) {
      const copy = await library.copyByBarCode(form)
      if (copy) return copy.name
      const [reader] = await library.beneficiariesByCode(form)
      if (reader) return fullName(reader)
    }
    return null
  })

export const isKnownHere = async (scan: Scan): Promise<boolean> => (await nameHere(scan)) !== null
