import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'

import { dueWords } from '../../domain/due-words.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { nameAndNumber, ofName } from '../../domain/person-names.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import { useMediumName } from '../catalogue/known-media.ts'
import { Cover } from '../ui/cover.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import { heldKey, type HeldLoan } from '../loans/held-loan.ts'
import { nothingNoted, ReturnFields, type ReturnNote } from './return-fields.tsx'
import styles from './counter.module.css'
import { inWords } from '../page/house-words.ts'

type ReturnRowsProps = {
  loans: readonly HeldLoan[]
  ticks: ReadonlySet<string>
  onTick: (keys: readonly string[], on: boolean) => void
  notes: ReadonlyMap<string, ReturnNote>
  onNote: (key: string, note: ReturnNote) => void
}

/** Loans that can be taken back, each with its tick; a ticked one shows its state and comment. */
export function ReturnRows({ loans, ticks, onTick, notes, onNote }: ReturnRowsProps) {
  const keys = loans.map(heldKey)
  const ticked = keys.filter((key) => ticks.has(key)).length
  const isAll = ticked === keys.length
  const by = whose(loans)
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
      <ul className={styles['rows']}>
        {loans.map((loan) => {
          const key = heldKey(loan)
          return (
            <li key={key} className={`${styles['row']} ${styles['short']}`}>
              <Stack gap="sm">
                <Checkbox
                  className={styles['tick'] ?? ''}
                  checked={ticks.has(key)}
                  onChange={(event) => onTick([key], event.currentTarget.checked)}
                  label={<RowLabel loan={loan} />}
                />
                {ticks.has(key) ? (
                  <ReturnFields
                    left={loan.copy_state}
                    note={notes.get(key) ?? nothingNoted}
                    onChange={(note) => onNote(key, note)}
                  />
                ) : null}
              </Stack>
            </li>
          )
        })}
      </ul>
    </section>
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

function RowLabel({ loan }: { loan: HeldLoan }) {
  const mediumName = useMediumName()
  return (
    <span className={styles['held']}>
      <Cover medium={mediumName(loan.medium)} />
      <span>
        <Text span fw={600}>
          {loan.title}
        </Text>{' '}
        <Text span c="dimmed">
          {loan.bar_code}
        </Text>
        <Group component="span" gap="xs">
          <Text span size="sm">
            {loan.beneficiary_name === '' ? null : (
              <>
                <ReaderName name={loan.beneficiary_name} /> ·{' '}
              </>
            )}
            {inWords(dueWords(loan))}
          </Text>
          {loan.late ? <StatusTag tone="bad">En retard</StatusTag> : null}
          {loan.waiting ? <StatusTag tone="wait">En attente</StatusTag> : null}
        </Group>
      </span>
    </span>
  )
}
