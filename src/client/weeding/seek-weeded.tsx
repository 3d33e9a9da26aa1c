import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { membersOf } from '../../contract/list.ts'
import { type ExaminedCopy, listWeeding } from '../../contract/weeding.ts'
import { listQuery } from '../api/queries.ts'
import { sayIgnored } from '../scanner/ignored-scan.ts'
import SeekInPicture from '../shelf/seek-in-picture.tsx'
import { useListAddress } from '../ui/lists/use-list-address.ts'

/** As many as one walk along the shelves looks for, the first of the list. */
const mostSought = 500

type SeekWeededProps = { put: (copies: readonly ExaminedCopy[]) => Promise<void>; onClose: () => void }

/** Lights up, on the shelf, what the list holds under its filters. */
export default function SeekWeeded({ put, onClose }: SeekWeededProps) {
  const { list } = useListAddress(listWeeding.list, { cycle: 'asc-first' })
  const { data } = useQuery(listQuery(listWeeding, { ...list, page: 1, limit: mostSought }))
  const copies = membersOf(data)
  if (copies === undefined) return null
  return (
    <SeekInPicture
      title="Désherbage en rayon"
      doneWord="Au panier"
      sought={copies.map(({ bar_code, name, call_number, location_label, in_cart }) => ({
        bar_code,
        name,
        words: [call_number, location_label].filter(Boolean).join(' · '),
        isDone: in_cart,
      }))}
      actsOf={({ bar_code }) => {
        const copy = copies.find((one) => one.bar_code === bar_code)
        return copy === undefined ? null : (
          <Button variant="default" onClick={() => void put([copy])}>
            Mettre au panier
          </Button>
        )
      }}
      onScan={(code, symbology) => sayIgnored(code, { symbology })}
      onClose={onClose}
    />
  )
}
