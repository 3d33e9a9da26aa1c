import type { Picked } from '../../contract/reservations.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { useSession } from '../api/session.ts'
import { useToday } from '../loans/use-today.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { PrintSheet } from '../ui/print-sheet.tsx'
import { counted } from '../ui/words.ts'
import { inWords } from '../page/house-words.ts'

/** The walk along the shelves on paper, each line with a box to tick. */
export default function PickingSheet({ rows }: { rows: readonly Picked[] }) {
  const site = useSession()?.site?.name
  const isMultisite = useIsMultisite()
  const today = useToday()
  const count = counted(rows.length, 'exemplaire à prendre', 'exemplaires à prendre', 'Aucun exemplaire')
  return (
    <PrintSheet paper="upright" title="À chercher en rayon">
      <h1>À chercher en rayon</h1>
      <p>{[isMultisite ? site : null, frenchDay(today), count].filter(Boolean).join(' · ')}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Pris</th>
            <th scope="col">{inWords('Emplacement')}</th>
            <th scope="col">Cote</th>
            <th scope="col">Titre</th>
            <th scope="col">{inWords('Code-barres')}</th>
            <th scope="col">Pour</th>
            {isMultisite ? <th scope="col">À retirer à</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.reservation}>
              <td>☐</td>
              <td>{row.location ?? ''}</td>
              <td>{row.call_number ?? ''}</td>
              <td>{row.reference_name}</td>
              <td data-role="day">{row.bar_code}</td>
              <td>{row.beneficiary_name}</td>
              {isMultisite ? <td>{row.pickup_site?.name ?? ''}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </PrintSheet>
  )
}
