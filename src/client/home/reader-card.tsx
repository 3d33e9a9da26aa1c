import { ActionIcon, Anchor, CloseButton, Text, UnstyledButton, Button } from '@mantine/core'
import { IconArrowBackUp, IconCalendarPlus, IconChevronDown, IconMessage } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo, useState } from 'react'
import { Link } from 'react-router-dom'

import { frenchDay } from '../../domain/calendar-day.ts'
import { dueWords } from '../../domain/due-words.ts'
import { frenchMoney } from '../../domain/money.ts'
import { readerName } from '../../domain/person-names.ts'
import { heldKey } from '../../offline/open-loans.ts'
import { useConnection } from '../api/connection.ts'
import { useRight } from '../api/session.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import { readerMark } from '../beneficiaries/reader-mark.ts'
import { knownMediaQuery } from '../catalogue/known-media.ts'
import { cardNotKnown, VerdictReasons, VerdictTag } from '../loans/verdict-tag.tsx'
import { type HeldLoan, useHeldLoans } from '../loans/held-loan.ts'
import { PrintLoans } from '../loans/print-loans.tsx'
import { useToday } from '../loans/use-today.ts'
import { KeptTag } from '../outbox/entry-tag.tsx'
import { inWords } from '../page/house-words.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useShortList } from '../ui/lists/short-list.tsx'
import { useIsDesktop } from '../ui/screen-width.ts'
import { UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import styles from './home.module.css'
import { type CardToVerify, isCard, type LaneReader, nameOf, nameWithin, type Presence } from './lane.ts'
import { type CardFacts, cardFactsQuery, countByMedium, lateFirst } from './reader-card-data.ts'
import { judgeReader } from '../loans/reader-verdict.ts'
import { returnFromRow } from './return-from-row.tsx'

type UnknownCardProps = {
  card: CardToVerify
  standing: Standing
  onConfirm: (chosen: LaneReader) => void
  onClose: () => void
}

/** Stands where a reader's card does, for one of whom only the card is known. */
function UnknownCard({ card, standing, onConfirm, onClose }: UnknownCardProps) {
  return (
    <section className={`panel ${styles['reader']}`} data-standing={standing} aria-label={inWords('Lecteur')}>
      <div className={styles['head']}>
        <h2 className={styles['name']}>{nameOf(card)}</h2>
        <div className={styles['headActions']}>
          <CloseButton aria-label={inWords('Fermer la fiche du lecteur (Échap)')} onClick={onClose} />
        </div>
      </div>
      <ReaderStanding reader={card} standing={standing} onConfirm={onConfirm} />
      <div className={styles['tags']}>
        <StatusTag tone="warn">À vérifier</StatusTag>
      </div>
      <Text>{inWords(cardNotKnown)}</Text>
    </section>
  )
}

/** The full form for a reader, the relative who came, and a copy; it takes no card that is nobody's. */
function searchOfLendForm(to: LaneReader | null, copy?: number): string {
  const search = new URLSearchParams()
  if (to && !isCard(to)) {
    search.set('beneficiary', String(to.reader.id))
    if (to.relative !== null) search.set('relative', String(to.relative))
  }
  if (copy !== undefined) search.set('copy', String(copy))
  return search.toString()
}

const ExtendHeld = lazyPart(() => import('./extend-held.tsx'))

type ReaderCardProps = {
  chosen: LaneReader
  standing: Standing
  onConfirm: (chosen: LaneReader) => void
  onClose: () => void
}

/** Not drawn again by each scan: some readers have hundreds of loans. */
export default memo(function ReaderCard({ chosen, ...props }: ReaderCardProps) {
  return isCard(chosen) ? (
    <UnknownCard card={chosen} {...props} />
  ) : (
    <KnownReader chosen={chosen} {...props} />
  )
})

function KnownReader({ chosen, standing, onConfirm, onClose }: ReaderCardProps & { chosen: ScannedReader }) {
  const { reader, relative } = chosen
  const facts = useQuery(cardFactsQuery(reader.id, useConnection())).data ?? null
  const loans = useHeldLoans(reader.id)
  const media = useQuery(knownMediaQuery).data ?? []
  const today = useToday()
  const held = useMemo(() => loans.data?.toSorted(lateFirst), [loans.data])
  // Where the card stands over the lane, the lane comes first, and the rest of the card opens at a touch.
  const isBeside = useIsDesktop()
  const [isOpened, setOpened] = useState<boolean | null>(null)
  const mayRead = useRight('LIST_BENEFICIARIES')
  const isOpen = isOpened ?? isBeside
  const late = held?.filter((loan) => loan.late).length ?? 0
  // Judged once both are known, because half of it would be green too soon.
  const judged = facts && held ? judgeReader({ ...facts, held, media, today }) : null
  return (
    <section className={`panel ${styles['reader']}`} data-standing={standing} aria-label={inWords('Lecteur')}>
      <div className={styles['head']}>
        <div>
          <h2 className={styles['name']} {...readerMark(reader.id)}>
            {mayRead ? (
              <Link to={addressOfReader(reader.id)}>
                {reader.firstname} {reader.lastname}
              </Link>
            ) : (
              `${reader.firstname} ${reader.lastname}`
            )}
          </h2>
          <Text c="dimmed">{[reader.matricule, reader.reader_id].filter(Boolean).join(' · ')}</Text>
        </div>
        <div className={styles['headActions']}>
          {held && held.length > 0 ? <PrintLoans name={readerName(reader)} loans={held} /> : null}
          <CloseButton aria-label={inWords('Fermer la fiche du lecteur (Échap)')} onClick={onClose} />
        </div>
      </div>
      <ReaderStanding reader={chosen} standing={standing} onConfirm={onConfirm} />
      <div className={styles['tags']}>
        {judged ? (
          <VerdictTag
            verdict={judged.verdict}
            except={[...new Set(judged.limits.flatMap((one) => one.media))]}
          />
        ) : reader.is_active ? null : (
          <StatusTag tone="bad">Inscription terminée</StatusTag>
        )}
        {late > 0 ? <StatusTag tone="bad">{counted(late, 'retard', 'retards')}</StatusTag> : null}
        {countByMedium(held ?? [], media).map(({ name, open, max }) => (
          <StatusTag key={name} tone={max !== null && open >= max ? 'warn' : 'quiet'}>
            {max === null ? `${name} ${open}` : `${name} ${open} / ${max}`}
          </StatusTag>
        ))}
      </div>
      {judged && judged.verdict.reasons.length > 0 ? (
        <div>
          <VerdictReasons reasons={judged.verdict.reasons} />
        </div>
      ) : null}
      {facts?.message ? (
        <div className={styles['message']}>
          <IconMessage size="1.2em" aria-hidden />
          {facts.message}
        </div>
      ) : null}
      <div>
        <UnstyledButton
          className={styles['fold'] ?? ''}
          aria-expanded={isOpen}
          aria-controls="fiche"
          onClick={() => setOpened(!isOpen)}
        >
          {held
            ? counted(held.length, 'prêt en cours', 'prêts en cours', 'Aucun prêt en cours')
            : inWords('Prêts en cours')}
          <IconChevronDown size="1.2rem" aria-hidden />
        </UnstyledButton>
        <div id="fiche" className={styles['more']} hidden={!isOpen}>
          {held ? null : <UnreadState error={loans.error} onRetry={loans.refetch} height="6rem" />}
          {held && held.length > 0 ? <HeldList loans={held} /> : null}
          {judged ? (
            <VerdictReasons
              reasons={judged.limits.map((one) => `${one.media.join(', ')}\u202f: ${one.message}`)}
            />
          ) : null}
          <Facts facts={facts} reader={reader} relative={relative} />
          <Anchor component={Link} to={`/loaning/add?${searchOfLendForm({ reader, relative })}`} py="xs">
            {inWords('Ouvrir le prêt complet')}
          </Anchor>
        </div>
      </div>
    </section>
  )
}

function Facts({ facts, reader, relative }: { facts: CardFacts | null } & ScannedReader) {
  const isMultisite = useIsMultisite()
  const rows = [
    ['Contrat', facts?.contract ?? null],
    ['Site', isMultisite ? (facts?.site ?? null) : null],
    ['Fin d’inscription', facts?.exit_date ? frenchDay(facts.exit_date) : null],
    ['Porte-monnaie', facts?.wallet ? frenchMoney(facts.wallet) : null],
    ['Carte de', reader.relatives.find(({ id }) => id === relative)?.name ?? null],
    [
      'Proches',
      reader.relatives
        .map(({ name, reader_id }) => (reader_id ? `${name} (${reader_id})` : name))
        .join(', ') || null,
    ],
  ] as const
  return (
    <dl className={styles['facts']}>
      {rows.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

function HeldList({ loans }: { loans: readonly HeldLoan[] }) {
  const mayReturn = useRight('LOANING_RETURN')
  const mayExtend = useRight('LOANING_EDIT')
  const isOnline = useConnection() === 'online'
  const [extended, setExtended] = useState<number | null>(null)
  const { shown, more } = useShortList(loans)
  return (
    <>
      <ul className={styles['loans']}>
        {shown.map((loan) => (
          <HeldRow
            key={heldKey(loan)}
            loan={loan}
            onExtend={mayExtend && isOnline ? setExtended : null}
            onReturn={mayReturn ? returnFromRow : null}
          />
        ))}
      </ul>
      {more}
      {extended === null ? null : <ExtendHeld id={extended} onClose={() => setExtended(null)} />}
    </>
  )
}

type HeldRowProps = {
  loan: HeldLoan
  /** Null where it may not or cannot be done now. */
  onExtend: ((loan_id: number) => void) | null
  onReturn: ((loan: HeldLoan) => void) | null
}

/** Drawn again only when its loan changes, because some readers have hundreds. */
const HeldRow = memo(function HeldRow({ loan, onExtend, onReturn }: HeldRowProps) {
  const { loan_id } = loan
  return (
    <li className={styles['loan']}>
      <div>
        <div className={styles['loanTitle']}>{loan.title}</div>
        <div className={styles['tags']}>
          {loan.late ? (
            <StatusTag tone="bad">{dueWords(loan, 'En retard depuis le')}</StatusTag>
          ) : (
            <Text span size="sm" c="dimmed">
              {inWords(dueWords(loan, 'Retour le', 'Retour à vérifier'))}
            </Text>
          )}
          {loan.waiting ? <KeptTag /> : null}
        </div>
      </div>
      <div className={styles['loanActs']}>
        {onExtend && loan_id !== null ? (
          <ActionIcon
            aria-label={`Prolonger\u202f: ${loan.title}`}
            title="Prolonger"
            onClick={() => onExtend(loan_id)}
          >
            <IconCalendarPlus size="1.4rem" aria-hidden />
          </ActionIcon>
        ) : null}
        {onReturn ? (
          <ActionIcon
            aria-label={`Rendre\u202f: ${loan.title}`}
            title="Rendre"
            onClick={() => onReturn(loan)}
          >
            <IconArrowBackUp size="1.4rem" aria-hidden />
          </ActionIcon>
        ) : null}
      </div>
    </li>
  )
})

/** How sure it is that the card's reader is at the counter. */
type Standing = Presence | 'proposed'

type ReaderStandingProps = { reader: LaneReader; standing: Standing; onConfirm: (reader: LaneReader) => void }

/** Why copies are not lent at once to the reader shown, and the way past it. */
function ReaderStanding({ reader, standing, onConfirm }: ReaderStandingProps) {
  const name = nameWithin(reader)
  const confirm = (label: string) => (
    <Button data-scanning onClick={() => onConfirm(reader)}>
      {label}
    </Button>
  )
  return (
    <div className={styles['standing']} role="status">
      {standing === 'idle' ? <StatusTag tone="warn">{`Toujours ${name}\u202f?`}</StatusTag> : null}
      {standing === 'gone' ? (
        <>
          <StatusTag tone="warn">Carte à scanner de nouveau pour prêter</StatusTag>
          {confirm(`Continuer avec ${name}`)}
        </>
      ) : null}
      {standing === 'proposed' ? (
        <>
          <StatusTag tone="warn">À confirmer</StatusTag>
          <span>{inWords('Entrée, ou le scan d’un exemplaire, confirme ce lecteur.')}</span>
          {confirm(`Choisir ${name}`)}
        </>
      ) : null}
    </div>
  )
}
