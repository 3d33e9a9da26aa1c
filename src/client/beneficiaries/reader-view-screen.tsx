import { Tabs, Title } from '@mantine/core'
import '@mantine/core/styles/Tabs.css'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'

import { type Beneficiary, listBeneficiaries } from '../../contract/beneficiaries.ts'
import { membersOf, type Collection } from '../../contract/list.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Right } from '../../domain/rights.ts'
import { readerNotLoaded } from '../../domain/sentences/loans.ts'
import { CallError } from '../api/call-error.ts'
import { useSession } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { Initials } from '../ui/cover.tsx'
import { Detail } from '../ui/lists/detail.tsx'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { partOfDetail } from '../ui/lists/open-detail.ts'
import { UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import { beneficiaryQuery } from './beneficiary-data.ts'
import { ReaderIdentity } from './reader-identity.tsx'
import { ReaderWork } from './reader-work.tsx'
import styles from './reader-view.module.css'
import { useReaderActions } from './use-reader-actions.tsx'

/** A reader; as a list that was just read shows it, until it is read by itself. */
function useReader(id: number) {
  const client = useQueryClient()
  return useQuery({
    ...beneficiaryQuery(id),
    placeholderData: () =>
      client
        .getQueriesData<Collection<Beneficiary>>({ queryKey: ['beneficiaries', listBeneficiaries.name] })
        .flatMap(([, page]) => membersOf(page) ?? [])
        .find((reader) => reader.id === id),
  })
}

const LoansPart = lazy(() => import('./reader-loans-part.tsx'))
const ReservationsPart = lazy(() => import('./reader-reservations-part.tsx'))
const RelativesPart = lazy(() => import('./relatives-part.tsx'))
const DataPart = lazy(() => import('./reader-data-part.tsx'))
const MailsPart = lazy(() => import('./reader-mails-part.tsx'))
const Journal = lazy(() => import('../ui/lists/journal-part.tsx').then((ui) => ({ default: ui.JournalPart })))

/** One reader, whole. */
export default function ReaderViewScreen() {
  const id = Number(useParams()['beneficiary_id'])
  const { data: reader, error, refetch } = useReader(id)
  const { actions, dialog } = useReaderActions()
  const isLost = useBackToList(reader === undefined ? error : null)
  return (
    <Detail
      of={reader}
      title={reader ? fullName(reader) : inWords('Lecteur')}
      picture={<Picture reader={reader} />}
      state={reader ? <ReaderState reader={reader} /> : null}
      actions={actions.filter(({ key }) => key !== 'view')}
      inSight={[reader?.is_active === false ? 'resume' : 'lend', 'edit', 'reserve']}
    >
      {reader ? (
        <Parts key={reader.id} reader={reader} />
      ) : (
        <UnreadState error={isLost ? null : error} onRetry={refetch} height="16rem" />
      )}
      {dialog}
    </Detail>
  )
}

/** What cannot be shown leads back to the list, but for a lost network. */
function useBackToList(error: unknown): boolean {
  const navigate = useNavigate()
  const { search } = useLocation()
  const isLost = error instanceof CallError && !error.isNoNetwork
  useEffect(() => {
    if (!isLost) return
    say(readerNotLoaded, 'bad')
    void navigate(`/beneficiaries${search}`, { replace: true })
    // oxlint-disable-next-line react/exhaustive-deps -- once, for the failure
  }, [isLost])
  return isLost
}

function Picture({ reader }: { reader: Beneficiary | undefined }) {
  if (reader?.kind !== 'collectivity') return <Initials name={reader ? fullName(reader) : ''} isLarge />
  return (
    <span className={styles['picture']}>
      <IconBuildingCommunity size="1.5rem" aria-hidden />
    </span>
  )
}

function ReaderState({ reader }: { reader: Beneficiary }) {
  const isMultisite = useIsMultisite()
  const { matricule, reader_id, contract_type, agency, is_active, exit_date, open_loans, late_loans } = reader
  const facts = [matricule, reader_id, contract_type, isMultisite ? agency : null].filter(Boolean).join(' · ')
  return (
    <div className={styles['state']}>
      <span className={styles['line']} title={facts}>
        {facts}
      </span>
      {is_active ? (
        <StatusTag tone="good">Inscrit</StatusTag>
      ) : (
        <StatusTag tone="bad">{exit_date ? `Sorti le ${frenchDay(exit_date)}` : 'Sorti'}</StatusTag>
      )}
      {open_loans > 0 ? (
        <StatusTag tone={late_loans > 0 ? 'bad' : 'quiet'}>
          {counted(open_loans, 'prêt', 'prêts') + (late_loans > 0 ? `, ${late_loans}\u00a0en retard` : '')}
        </StatusTag>
      ) : null}
    </div>
  )
}

/** The reader's loans and reservations come first, because they are what a counter asks for; the identity follows. */
function RecordPart({ reader }: { reader: Beneficiary }) {
  return (
    <div className={`in-turn ${styles['record']}`}>
      <ReaderWork reader={reader} />
      <details open className={styles['identity']}>
        <summary>
          <Title order={2} size="h4">
            {inWords('Identité')}
          </Title>
        </summary>
        <div className={styles['facts']}>
          <ReaderIdentity reader={reader} />
        </div>
      </details>
    </div>
  )
}

type Part = { value: string; title: string; right?: Right; draw: (reader: Beneficiary) => ReactNode }

const parts: readonly [Part, ...Part[]] = [
  { value: 'record', title: 'Fiche', draw: (reader) => <RecordPart reader={reader} /> },
  {
    value: 'loans',
    title: 'Prêts',
    right: 'LIST_LOANINGS',
    draw: (reader) => <LoansPart reader={reader} />,
  },
  {
    value: 'reservations',
    title: 'Réservations',
    right: 'LIST_RESERVATIONS',
    draw: (reader) => <ReservationsPart reader={reader} />,
  },
  { value: 'relatives', title: 'Proches', draw: (reader) => <RelativesPart reader={reader} /> },
  {
    value: 'mails',
    title: 'Courriels',
    right: 'SEND_MAIL',
    draw: (reader) => <MailsPart reader={reader} />,
  },
  {
    value: 'journal',
    title: 'Journal',
    right: 'BENEFICIARY_EDIT',
    draw: ({ id }) => <Journal entity="beneficiaries" id={id} />,
  },
  { value: 'data', title: 'Ses données', draw: (reader) => <DataPart reader={reader} /> },
]

/** The parts that the person may see, one of them in the address. */
function Parts({ reader }: { reader: Beneficiary }) {
  const held = useSession()?.user?.rights ?? []
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation()
  const open = parts.filter(({ right }) => right === undefined || held.includes(right))
  const shown = open.find(({ value }) => value === search.get(partOfDetail)) ?? parts[0]
  const tabs = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chosen = tabs.current?.querySelector('[aria-selected=true]')
    chosen?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [shown.value])
  const choose = (value: string | null) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === null || value === parts[0].value) next.delete(partOfDetail)
        else next.set(partOfDetail, value)
        return next
      },
      { replace: true, state: state as unknown },
    )
  return (
    <Tabs value={shown.value} onChange={choose} keepMounted={false}>
      <Tabs.List ref={tabs} className={styles['tabs'] ?? ''}>
        {open.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value} mih="2.75rem">
            {inWords(title)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown.value} className={styles['part'] ?? ''}>
        <Suspense fallback={<LoadingBlock height="12rem" />}>{shown.draw(reader)}</Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}
