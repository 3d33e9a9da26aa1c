import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import type { OutNow } from '../../contract/stats.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { useToday } from '../loans/use-today.ts'
import { EmptyState } from '../ui/states.tsx'
import { lateBy, outNow, useLoansLink } from './counted-loans.ts'
import { Figure, Figures } from './figure.tsx'
import { FiguresTable } from './figures-table.tsx'
import { outNowQuery } from './stat-data.ts'
import { byId } from './part-rows.ts'
import { MediaPanel, Panels, SitesPanel, StatPanel } from './stat-panel.tsx'
import { OfSite, StatScreen } from './stat-screen.tsx'
import { shareWords } from './stat-words.ts'
import { inWords } from '../page/house-words.ts'

/** What is out at this moment. */
export default function OutNowScreen() {
  const told = useQuery(outNowQuery)
  return (
    <StatScreen title="En ce moment" asked={told} figures={2} isLinked about={<OfSite />}>
      {(now) => <Told {...now} />}
    </StatScreen>
  )
}

function Told({ total, late, media, sites, delays }: OutNow) {
  const loansLink = useLoansLink()
  const today = useToday()
  const lent = loansLink(outNow)
  const overdue = loansLink({ ...outNow, 'islate|eq': '1' })
  return (
    <>
      <Figures label="Totaux">
        <Figure
          label={inWords('Exemplaires dehors')}
          value={frenchNumber(total)}
          link={lent === undefined || total === 0 ? null : <Link to={lent}>{inWords('Voir ces prêts')}</Link>}
        />
        <Figure
          label="En retard"
          value={frenchNumber(late)}
          more={total === 0 ? null : `${shareWords(late, total)} de ce qui est dehors`}
          link={overdue === undefined || late === 0 ? null : <Link to={overdue}>Voir les retards</Link>}
        />
      </Figures>
      {total === 0 ? (
        <EmptyState message="Rien n’est dehors en ce moment." />
      ) : (
        <Panels>
          <MediaPanel
            counted="Prêts"
            parts={media}
            total={total}
            linkOf={byId((medium) => loansLink({ ...outNow, 'medium|in': String(medium) }))}
          />
          <StatPanel title="Par retard">
            <FiguresTable
              label="Par retard"
              titles={['Retard', 'Prêts', 'Part']}
              rows={delays.map(({ band, count }) => ({
                key: band,
                name: delayWords[band],
                to: count > 0 ? loansLink(lateBy(band, today)) : undefined,
                values: [frenchNumber(count), shareWords(count, total)],
              }))}
            />
          </StatPanel>
          <SitesPanel
            counted="Prêts"
            parts={sites}
            total={total}
            linkOf={byId((site) => loansLink({ ...outNow, 'site|in': String(site) }))}
          />
        </Panels>
      )}
    </>
  )
}

const delayWords: Record<OutNow['delays'][number]['band'], string> = {
  none: 'À l’heure',
  '7': '1 à 7 jours',
  '30': '8 à 30 jours',
  '90': '31 à 90 jours',
  more: 'Plus de 90 jours',
}
