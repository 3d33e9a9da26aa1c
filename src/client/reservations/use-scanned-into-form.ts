import { useCallbackRef } from '@mantine/hooks'

import { useFindScan } from '../find/find-scan.ts'
import { nobodysWords } from '../find/found.ts'
import { say, sayError } from '../page/messages.ts'
import { useScans } from '../scanner/scan-source.tsx'
import type { ReservationFormFields } from './reservation-fields.ts'

/** A card chooses the reader, and a copy its title and itself; nothing is saved by a scan. */
export function useScannedIntoForm({ write }: Pick<ReservationFormFields, 'write'>): void {
  const find = useFindScan()
  const take = useCallbackRef(async (code: string) => {
    try {
      const found = await find(code)
      if (found.kind === 'reader') {
        write('beneficiary_id', found.chosen.reader.id)
      } else if (found.kind === 'copy' && found.copy.known) {
        write('reference_id', found.copy.known.copy.reference)
        write('copy_id', found.copy.known.copy.id)
      } else {
        say(found.kind === 'copy' ? `${found.copy.title} n’est pas connu ici.` : nobodysWords(found), 'warn')
      }
    } catch (error) {
      sayError(error)
    }
  })
  useScans((code) => void take(code))
}
