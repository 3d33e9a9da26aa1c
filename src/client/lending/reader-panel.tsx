import { ActionIcon, Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { Link } from 'react-router-dom'

import { dueWords } from '../../domain/due-words.ts'
import { readerName } from '../../domain/person-names.ts'
import { heldKey } from '../../offline/open-loans.ts'
import { useRight } from '../api/session.ts'
import { beneficiaryQuery } from '../beneficiaries/beneficiary-data.ts'
import { type ChosenReader, ReaderPicker } from '../beneficiaries/reader-picker.tsx'
import { type HeldLoan, useHeldLoans } from '../loans/held-loan.ts'
import { PrintLoans } from '../loans/print-loans.tsx'
import { KeptTag } from '../outbox/entry-tag.tsx'
import { inWords } from '../page/house-words.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { useShortList } from '../ui/lists/short-list.tsx'
import { useIsPhone } from '../ui/screen-width.ts'
import { UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import styles from './counter.module.css'
import { cardNotKnown } from '../loans/verdict-tag.tsx'

type ReaderPanelProps = {
  chosen: ChosenReader | null
  /** What was read of a reader whom nobody here knows. */
  card: string | null
  onChoose: (chosen: ChosenReader | null) => void
  isUsed: boolean
  order: 'first' | 'next'
  held: ReturnType<typeof useHeldLoans>
  /** What stands under them must be read first. */
  areLoansFolded: boolean
}

/** Who borrows, what the counter should know of them, and what they have already. */
export function ReaderPanel({
  chosen,
  card,
  onChoose,
  isUsed,
  order,
  held,
  areLoansFolded,
}: ReaderPanelProps) {
  const mayRead = useRight('LIST_BENEFICIARIES')
  const { data: told } = useQuery({
    ...beneficiaryQuery(chosen?.reader.id ?? 0),
    enabled: chosen !== null,
  })
  return (
    <Stack className="panel">
      <ReaderPicker chosen={chosen} onChoose={onChoose} isUsed={isUsed} order={order} />
      {card === null ? null : <UnknownCard card={card} onClose={() => onChoose(null)} />}
      {told?.message ? (
        <Alert color="yellow" role="note">
          {told.message}
        </Alert>
      ) : null}
      {chosen && mayRead ? (
        <Anchor component={Link} to={addressOfReader(chosen.reader.id)}>
          Voir la fiche
        </Anchor>
      ) : null}
      {chosen ? (
        <CurrentLoans
          key={chosen.reader.id}
          name={readerName(chosen.reader)}
          held={held}
          areLoansFolded={areLoansFolded}
        />
      ) : null}
    </Stack>
  )
}

function UnknownCard({ card, onClose }: { card: string; onClose: () => void }) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs">
          <Text fw={600}>{`Carte ${card}`}</Text>
          <StatusTag tone="warn">À vérifier</StatusTag>
        </Group>
        <ActionIcon aria-label={inWords('Changer de lecteur')} onClick={onClose} c="dimmed">
          <IconX size="1.2rem" aria-hidden />
        </ActionIcon>
      </Group>
      <Text size="sm" c="dimmed">
        {inWords(cardNotKnown)}
      </Text>
    </Stack>
  )
}

type CurrentLoansProps = Pick<ReaderPanelProps, 'held' | 'areLoansFolded'> & { name: string }

function CurrentLoans({ name, held: { data, error, refetch }, areLoansFolded }: CurrentLoansProps) {
  // On a phone what they have already would push the loan being made off the screen.
  const isPhone = useIsPhone()
  const { shown, more } = useShortList(data ?? [])
  if (!data) return <UnreadState error={error} onRetry={refetch} height="4rem" />
  if (data.length === 0) return <Text c="dimmed">{inWords('Aucun prêt en cours.')}</Text>
  const late = data.filter((loan) => loan.late).length
  return (
    <div className={styles['current']}>
      <details open={!isPhone && !areLoansFolded}>
        <summary>
          <Text fw={600} span>
            {counted(data.length, 'prêt en cours', 'prêts en cours')}
          </Text>
          {late > 0 ? <StatusTag tone="bad">{`dont ${late} en retard`}</StatusTag> : null}
        </summary>
        <ul>
          {shown.map((loan) => (
            <CurrentLoan key={heldKey(loan)} loan={loan} />
          ))}
        </ul>
        {more}
      </details>
      <div className={styles['print']}>
        <PrintLoans name={name} loans={data} />
      </div>
    </div>
  )
}

/** Drawn again only when its loan changes, because some readers have hundreds. */
const CurrentLoan = memo(function CurrentLoan({ loan }: { loan: HeldLoan }) {
  return (
    <li className={`${styles['row']} ${styles['far']}`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{loan.title}</Text>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {dueWords(loan, '', 'à vérifier')}
          </Text>
          {loan.late ? <StatusTag tone="bad">En retard</StatusTag> : null}
          {loan.waiting ? <KeptTag /> : null}
        </Group>
      </Group>
    </li>
  )
})
