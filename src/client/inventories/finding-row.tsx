import { Checkbox, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'

import type { Finding } from '../../contract/inventories.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { refreshChanged } from '../api/refresh-changed.ts'
import { Cover } from '../ui/cover.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { frenchInstant } from '../ui/words.ts'
import { root } from './inventory-data.ts'
import styles from './inventory.module.css'
import { actionWords, noShelf } from './inventory-words.ts'

const OfferCopy = lazy(() => import('../catalogue/offer-copy.tsx'))

type RowProps = { finding: Finding; isTicked: boolean | null; onTick: () => void }

/** A finding, with what is noted of the copy beside what was seen. */
export function FindingRow({ finding, isTicked: ticked, onTick }: RowProps) {
  const { name, medium, image_path, bar_code, call_number, group, action, outcome } = finding
  const title = name ?? bar_code
  return (
    <li className={styles['finding']}>
      <span className={styles['box']}>
        {ticked === null ? null : (
          <Checkbox checked={ticked} onChange={onTick} aria-label={`Choisir\u202f: ${title}`} />
        )}
      </span>
      <div className={styles['faced']}>
        {name === null ? null : <Cover title={name} medium={medium} image={image_path} />}
        <div>
          <span className={styles['title']}>{title}</span>{' '}
          <Text span c="dimmed">
            {[call_number, name === null ? null : bar_code].filter(Boolean).join(' · ')}
          </Text>
        </div>
      </div>
      <dl className={styles['facts']}>
        {factsOf(finding).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {action === null || outcome === null ? null : (
        <div>
          <StatusTag tone={outcome === 'done' ? 'good' : 'warn'}>
            {outcome === 'done' ? actionWords[action] : 'Changé entre-temps, laissé tel quel'}
          </StatusTag>
        </div>
      )}
      {group === 'unknown' ? (
        <Suspense fallback={null}>
          <div>
            <OfferCopy code={bar_code} onAdded={() => void refreshChanged(root)} />
          </div>
        </Suspense>
      ) : null}
    </li>
  )
}

/** What is noted of it, and what was seen. */
function factsOf(finding: Finding): [string, string][] {
  const { group, location_label, seen_location_label, scanned_at, scanned_by, note } = finding
  const { last_seen_on, last_loan_on, last_borrower, site_name } = finding
  const place: [string, string][] = [
    ...(site_name === '' ? [] : ([['Autre site', site_name]] satisfies [string, string][])),
    ['Sa place', location_label ?? noShelf],
  ]
  const seen = [seen_location_label, scanned_at && frenchInstant(scanned_at), scanned_by]
  const sight: [string, string][] = scanned_at ? [['Vu', seen.filter(Boolean).join(', ')]] : []
  const written: [string, string][] = note === '' ? [] : [['Écrit dessus', note]]
  if (group === 'unknown') return [...sight, ...written]
  const loan = last_loan_on ? [frenchDay(last_loan_on), last_borrower].filter(Boolean).join(', ') : 'jamais'
  if (group === 'missing') {
    return [
      ...place,
      ['Vu en dernier', last_seen_on ? frenchDay(last_seen_on) : 'jamais'],
      ['Dernier prêt', loan],
    ]
  }
  return [
    ...place,
    ...sight,
    ...(group === 'on_shelf' ? ([['Prêt', loan]] satisfies [string, string][]) : []),
  ]
}
