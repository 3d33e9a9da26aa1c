import { findIsbn13, type Symbology, writtenForms } from '../../domain/bar-code.ts'
import { findReader } from '../../offline/counter.ts'
import { findReaderByNumber } from '../beneficiaries/beneficiary-data.ts'
import { nobodysWords } from './found.ts'

// What every lane that takes copies says of a code that no copy carries.

export const cardSentence = 'C’est une carte de lecteur, pas un exemplaire.'

export const noCopySentence = (code: string): string =>
  findIsbn13(code) === null
    ? `Aucun exemplaire ne porte le code «\u00a0${code}\u00a0».`
    : nobodysWords({ kind: 'isbn', code })

type NotACopy = { isCard: boolean; sentence: string }

/** Asks the device, then the server: whoever may not see readers is told of no card. */
export const whyNotACopy = async (code: string, symbology: Symbology | undefined): Promise<NotACopy> =>
  (await isCard(code, symbology, findOfServer))
    ? { isCard: true, sentence: cardSentence }
    : { isCard: false, sentence: noCopySentence(code) }

/** Where a scan is written down at once, only the device is asked. */
export const isCardOfDevice = (code: string, symbology: Symbology | undefined): Promise<boolean> =>
  isCard(code, symbology, findOfDevice)

type Carrier = { reader_id: string | null; isRelative: boolean } | null

async function findOfServer(form: string): Promise<Carrier> {
  const found = await findReaderByNumber(form)
  return found && { reader_id: found.reader.reader_id, isRelative: found.relative !== null }
}

async function findOfDevice(form: string): Promise<Carrier> {
  const found = await findReader(form)
  return found && { reader_id: found.beneficiary.reader_id, isRelative: found.relative !== null }
}

/** A matricule is written on no card: what carries it may still be a copy's label. */
async function isCard(
  code: string,
  symbology: Symbology | undefined,
  find: (form: string) => Promise<Carrier>,
): Promise<boolean> {
  for (const form of writtenForms(code, symbology)) {
    const found = await find(form).catch(() => null)
    if (found && (found.isRelative || found.reader_id === form)) return true
  }
  return false
}
