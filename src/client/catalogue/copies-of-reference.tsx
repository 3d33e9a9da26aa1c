import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import type { Copy } from '../../contract/catalogue.ts'
import { membersOf } from '../../contract/list.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { nameAndNumber } from '../../domain/person-names.ts'
import { inWords } from '../page/house-words.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { mayRun, useRunOnce } from '../ui/lists/row-actions.ts'
import { ActionMenu } from '../ui/lists/row-buttons.tsx'
import { useShortList } from '../ui/lists/short-list.tsx'
import { UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import styles from './copies-of-reference.module.css'
import { CopyStatus } from './copy-status.tsx'
import { asideFor } from './free-words.ts'
import { copiesOfReferenceQuery } from './reference-data.ts'
import { useCopyActions } from './use-copy-actions.tsx'

/** More would push down who waits for the title. */
const mostShown = 12

/** The same, for who has the title alone. */
export function FetchedCopies({ reference }: { reference: number }) {
  const { data, error, refetch } = useQuery(copiesOfReferenceQuery(reference))
  if (!data) return <UnreadState error={error} onRetry={refetch} height="6rem" />
  return <CopiesOfReference copies={membersOf(data)} />
}

/** The copies of a title that are in sight, each with where it is and what can be done with it. */
export function CopiesOfReference({ copies }: { copies: readonly Copy[] }) {
  const { actions, dialog } = useCopyActions()
  const runOnce = useRunOnce()
  const isMultisite = useIsMultisite()
  const { shown, more } = useShortList(copies, undefined, mostShown)
  if (copies.length === 0) return <Text c="dimmed">{inWords('Aucun exemplaire pour l’instant.')}</Text>
  return (
    <>
      <ul className={styles['copies']} aria-label={inWords('Exemplaires')}>
        {shown.map((copy) => {
          const offered = actions.filter((action) => mayRun(action, copy))
          return (
            <li key={copy.id} className={styles['copy']}>
              <span className={styles['code']}>{copy.bar_code}</span>
              <span className={styles['where']}>
                <Status copy={copy} />
                <span>{placeOf(copy, isMultisite)}</span>
                <OnLoan loaning={copy.loaning} />
              </span>
              {offered.length > 0 ? (
                <ActionMenu
                  label={`Actions\u202f: exemplaire ${copy.bar_code}`}
                  actions={offered}
                  onRun={(action) => runOnce(`${action.key} ${copy.id}`, () => action.run(copy))}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
      {more}
      {dialog}
    </>
  )
}

/** One that waits on the shelf for somebody is not to be had by others. */
function Status({ copy }: { copy: Copy }) {
  const kept = asideFor(copy)
  if (kept === undefined) return <CopyStatus copy={copy} />
  const [name] = nameAndNumber(kept.beneficiary_name ?? 'la personne qui l’attend')
  return <StatusTag tone="wait">{`Mis de côté pour ${name}`}</StatusTag>
}

const placeOf = (
  { site_name, sent_from, date, location_label, state_name, own_price }: Copy,
  isMultisite: boolean,
) =>
  [
    isMultisite ? (sent_from ? `de ${sent_from.name} à ${site_name}` : site_name) : null,
    date === null ? null : `envoyé le ${frenchDay(date)}`,
    location_label,
    state_name,
    own_price ? `prix ${own_price.replace('.', ',')}\u00a0€` : null,
  ]
    .filter(Boolean)
    .join(' · ')

function OnLoan({ loaning }: Pick<Copy, 'loaning'>) {
  if (!loaning) return null
  const until = `jusqu’au ${frenchDay(loaning.end_date)}`
  return (
    <Link to={`/loanings/view/${loaning.id}`}>
      {loaning.beneficiary_name ? `${loaning.beneficiary_name}, ${until}` : `Prêté ${until}`}
    </Link>
  )
}
