import { Button, Checkbox, Group, Text, UnstyledButton } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { memo, useDeferredValue, useState } from 'react'

import { dueWords } from '../../domain/due-words.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { nameAndNumber, ofName } from '../../domain/person-names.ts'
import { heldKey } from '../../offline/open-loans.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import { useMediumName } from '../catalogue/known-media.ts'
import { Cover } from '../ui/cover.tsx'
import { useShortList } from '../ui/lists/short-list.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import type { HeldLoan } from '../loans/held-loan.ts'
import { KeptTag } from '../outbox/entry-tag.tsx'
import type { LatePenalty, usePenalties } from '../loans/penalties.ts'
import { PenaltyOnLine } from './penalty-on-line.tsx'
import { nothingNoted, ReturnFields, type ReturnNote } from './return-fields.tsx'
import styles from './counter.module.css'
import { inWords } from '../page/house-words.ts'

type ReturnRowsProps = {
  loans: readonly HeldLoan[]
  ticks: ReadonlySet<string>
  /** The last loan that was ticked alone. */
  inHand: string | null
  onTick: (keys: readonly string[], on: boolean) => void
  notes: ReadonlyMap<string, ReturnNote>
  onNote: (key: string, note: ReturnNote) => void
  penaltyOf: ReturnType<typeof usePenalties>
}

/** Loans that can be taken back, each with its tick. */
export function ReturnRows({ loans, ticks, inHand, onTick, notes, onNote, penaltyOf }: ReturnRowsProps) {
  const mediumName = useMediumName()
  const keys = loans.map(heldKey)
  const ticked = keys.filter((key) => ticks.has(key)).length
  const isAll = ticked === keys.length
  const by = whose(loans)
  // The same functions at each drawing: a row is drawn again only for what concerns it.
  const tickOne = useCallbackRef((key: string, on: boolean) => onTick([key], on))
  const note = useCallbackRef(onNote)
  const { shown, more } = useShortList(loans, (loan) => heldKey(loan) === inHand)
  return (
    <section className="panel" aria-label={inWords('Prêts à rendre')}>
      <Group justify="space-between" mb="sm">
        <Text c="dimmed" role="status">
          {counted(loans.length, 'prêt en cours', 'prêts en cours')}
          {by === null ? '' : ` (${by})`}, {counted(ticked, 'coché', 'cochés', 'aucun coché')}
        </Text>
        <Button variant="default" onClick={() => onTick(keys, !isAll)}>
          {isAll ? 'Tout décocher' : 'Tout cocher'}
        </Button>
      </Group>
      <ul>
        {shown.map((loan) => {
          const key = heldKey(loan)
          return (
            <ReturnRow
              key={key}
              id={key}
              loan={loan}
              medium={mediumName(loan.medium)}
              isTicked={ticks.has(key)}
              isInHand={key === inHand}
              note={notes.get(key) ?? nothingNoted}
              penalty={ticks.has(key) ? penaltyOf(loan) : null}
              onTick={tickOne}
              onNote={note}
            />
          )
        })}
      </ul>
      {more}
    </section>
  )
}

type ReturnRowProps = {
  id: string
  loan: HeldLoan
  medium: string | null
  isTicked: boolean
  isInHand: boolean
  note: ReturnNote
  penalty: LatePenalty | null | undefined
  onTick: (key: string, on: boolean) => void
  onNote: (key: string, note: ReturnNote) => void
}

/** Drawn again only for what changes of it, because a scan must not draw all those before. */
const ReturnRow = memo(function ReturnRow({
  id,
  loan,
  medium,
  isTicked,
  isInHand,
  note,
  penalty,
  onTick,
  onNote,
}: ReturnRowProps) {
  return (
    <li className={`${styles['row']} ${styles['short']} ${styles['far']}`}>
      <Tick id={id} loan={loan} medium={medium} isTicked={isTicked} onTick={onTick} />
      {penalty ? (
        <PenaltyOnLine
          words={penalty.words}
          title={loan.title}
          isWaived={note.is_waived}
          onWaive={(is_waived) => onNote(id, { ...note, is_waived })}
        />
      ) : null}
      {isTicked ? <Noting id={id} loan={loan} isInHand={isInHand} note={note} onNote={onNote} /> : null}
    </li>
  )
})

type TickProps = Pick<ReturnRowProps, 'id' | 'loan' | 'medium' | 'isTicked' | 'onTick'>

/** Apart from what is noted, which folds at the next scan. */
const Tick = memo(function Tick({ id, loan, medium, isTicked, onTick }: TickProps) {
  return (
    <Checkbox
      className={styles['tick'] ?? ''}
      checked={isTicked}
      onChange={(event) => onTick(id, event.currentTarget.checked)}
      label={<RowLabel loan={loan} medium={medium} />}
    />
  )
})

type NotingProps = Pick<ReturnRowProps, 'id' | 'loan' | 'isInHand' | 'note' | 'onNote'>

/**
 * State and comment of a ticked loan: in sight for the one in hand and where something was noted or asked for; folded for the
 * others, of which a stack of returns has hundreds.
 */
function Noting({ id, loan, isInHand, note, onNote }: NotingProps) {
  const [isAsked, setAsked] = useState(false)
  // The line is in sight before its fields, which take longer to draw than the line.
  const isReady = useDeferredValue(isInHand, false)
  const isOpen = isReady || isAsked || note.state !== null || note.comment !== ''
  if (isOpen) {
    return (
      <div className={styles['noting']} onFocusCapture={() => setAsked(true)}>
        <ReturnFields
          left={loan.copy_state}
          note={note}
          isFocused={isAsked && !isReady}
          onChange={(changed) => onNote(id, changed)}
        />
      </div>
    )
  }
  return (
    <UnstyledButton
      className={styles['note'] ?? ''}
      aria-expanded={false}
      aria-label={`${inWords('Noter l’état ou un commentaire')}\u202f: ${loan.title}`}
      onClick={() => setAsked(true)}
    >
      {inWords('État, commentaire')}
      <IconChevronDown size="1rem" aria-hidden />
    </UnstyledButton>
  )
}

/** « 3 de Noémie Ferrand, 1 d’Oscar Petit », or null where all are of one reader. */
export function whose(
  loans: readonly Pick<HeldLoan, 'beneficiary_id' | 'beneficiary_name'>[],
): string | null {
  const readers = new Map<number, { name: string; count: number }>()
  for (const { beneficiary_id, beneficiary_name } of loans) {
    const before = readers.get(beneficiary_id)
    readers.set(beneficiary_id, {
      name: before?.name || nameAndNumber(beneficiary_name)[0] || 'un autre lecteur',
      count: (before?.count ?? 0) + 1,
    })
  }
  if (readers.size < 2) return null
  return [...readers.values()].map(({ name, count }) => `${frenchNumber(count)} ${ofName(name)}`).join(', ')
}

function RowLabel({ loan, medium }: { loan: HeldLoan; medium: string | null }) {
  return (
    <span className={styles['held']}>
      <Cover title={loan.title} medium={medium} />
      <span>
        <strong>{loan.title}</strong>{' '}
        {loan.bar_code === loan.title ? null : <span className={styles['quieter']}>{loan.bar_code}</span>}
        <span className={styles['dated']}>
          <span>
            {loan.beneficiary_name === '' ? null : (
              <>
                <ReaderName name={loan.beneficiary_name} /> ·{' '}
              </>
            )}
            {inWords(dueWords(loan))}
          </span>
          {loan.late ? <StatusTag tone="bad">En retard</StatusTag> : null}
          {loan.waiting ? <KeptTag /> : null}
        </span>
      </span>
    </span>
  )
}
