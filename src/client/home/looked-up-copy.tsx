import { Button, CloseButton, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'

import { dueWords } from '../../domain/due-words.ts'
import { fullName } from '../../domain/person-names.ts'
import { findCounterCopyById } from '../catalogue/copy-data.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import { useRight } from '../api/session.ts'
import styles from './home.module.css'
import type { FindScan } from '../find/find-scan.ts'
import type { ScannedCopy } from '../find/found.ts'
import { type LaneReader, type May, nameWithin } from './lane.ts'
import { inWords } from '../page/house-words.ts'
import { useToday } from '../loans/use-today.ts'
import { say, sayError } from '../page/messages.ts'
import { type Awaited, awaitedBy } from '../reservations/awaited.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const AwaitedCopy = lazyPart(() => import('../reservations/awaited-copy.tsx'))

type LookedUpCopyProps = {
  copy: CounterCopy
  find: FindScan
  reader: LaneReader | null
  may: May
  onLend: (bar_code: string, to: LaneReader | null) => void
  onReturn: (bar_code: string) => void
  onClose: () => void
}

/** A copy found by its title, which only its buttons lend or return. */
export default function LookedUpCopy({
  copy,
  find,
  reader,
  may,
  onLend,
  onReturn,
  onClose,
}: LookedUpCopyProps) {
  const { bar_code } = copy
  const maySee = useRight('LIST_LOANINGS')
  const today = useToday()
  const { data: found } = useQuery({
    queryKey: ['copies', 'looked-up', bar_code],
    queryFn: () => find(bar_code),
    staleTime: 0,
  })
  const known = found?.kind === 'copy' ? found.copy : null
  const isOut = known !== null && (known.loan !== null || known.known?.copy.status === 'En Location')
  const isFree = !isOut && known?.known?.copy.status === 'Disponible' && known.known.copy.type === 'Location'
  const here = isFree ? known.known : null
  const awaited = here && awaitedBy(here.reservations, here.copy.id, today)
  const act = (doIt: () => void) => () => {
    onClose()
    doIt()
  }
  return (
    <section
      className={`panel ${styles['looked']}`}
      aria-label={inWords('Exemplaire cherché')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div>
        <div className={styles['title']}>{copy.name}</div>
        <Text c="dimmed" role="status">
          {known
            ? whereItIs(known, awaited)
            : found
              ? `${bar_code} · ${copy.status}`
              : `${bar_code} · Recherche…`}
        </Text>
        {here && awaited ? (
          <AwaitedCopy
            of={`looked-up ${bar_code}`}
            copy={here.copy.id}
            bar_code={bar_code}
            title={copy.name}
            awaited={awaited}
            isRecorded
          />
        ) : null}
      </div>
      <div className={styles['verbs']}>
        {isFree && may.lend ? (
          <Button onClick={act(() => onLend(bar_code, reader))}>
            {reader ? `Prêter à ${nameWithin(reader)}` : 'Prêter'}
          </Button>
        ) : null}
        {isOut && may.return ? <Button onClick={act(() => onReturn(bar_code))}>Rendre</Button> : null}
        {known?.loan?.loan_id && maySee ? (
          <Button component={Link} to={`/loanings/view/${known.loan.loan_id}`} variant="default">
            Voir
          </Button>
        ) : null}
      </div>
      <CloseButton aria-label={inWords('Fermer l’exemplaire cherché (Échap)')} onClick={onClose} />
    </section>
  )
}

function whereItIs({ bar_code, known, loan }: ScannedCopy, awaited: Awaited | null): string {
  const borrower = known?.borrower
  const who = borrower ? fullName(borrower) : null
  const status = awaited ? (awaited.is_set_aside ? 'Mis de côté' : 'Réservé') : known?.copy.status
  if (!loan) return [bar_code, status].filter(Boolean).join(' · ')
  return `${bar_code} · En prêt${who ? `\u202f: ${who}` : ''}, ${dueWords(loan)}`
}

/** Looks up, once, the copy that the search led to. */
export function CopyOfAddress({ onFound }: { onFound: (copy: CounterCopy) => void }) {
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const id = Number(search.get('copy'))
  useEffect(() => {
    if (!Number.isInteger(id) || id <= 0) return
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete('copy')
        return next
      },
      { replace: true },
    )
    findCounterCopyById(client, id).then(
      (copy) => (copy ? onFound(copy) : say('Cet exemplaire n’existe pas.', 'bad')),
      sayError,
    )
  }, [client, id, setSearch, onFound])
  return null
}
