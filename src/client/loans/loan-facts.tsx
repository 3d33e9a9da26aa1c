import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Loan } from '../../contract/loans.ts'
import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { copyStates, durationWords } from '../../domain/loan-rules.ts'
import { frenchMoney } from '../../domain/money.ts'
import { ReaderName } from '../beneficiaries/reader-name.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import styles from './loan-facts.module.css'
import { LoanTag } from './loan-tags.tsx'
import { useToday } from './use-today.ts'

/** What is known of a loan, in three parts: the loan, its return, its delay. Empty facts are left out. */
export function LoanFacts({ loan }: { loan: Loan }) {
  const today = useToday()
  return (
    <div className={styles['facts']}>
      <Facts
        title="Prêt"
        facts={[
          ['Statut', <LoanTag key="tag" loan={loan} />],
          ['Bénéficiaire', <ReaderName key="reader" name={loan.beneficiary_name} />],
          ['Proche', loan.relative?.name],
          ['Exemplaire', `${loan.reference_name} (${loan.copy_barcode})`],
          ['Catégorie', loan.category],
          ['Support', loan.medium],
          ['Début', frenchDay(loan.start_date)],
          ['Durée', durationWords(loan)],
          ['Montant', loan.free ? 'Gratuit' : frenchMoney(loan.amount)],
          ['Motif de gratuité', loan.free_reason?.name],
          ['Commentaire', loan.comment],
          ['Prêté malgré un refus', loan.override_reason],
          ['Prêté par', loan.lent_by],
        ]}
      />
      <Facts
        title="Retour"
        facts={[
          ['Retour prévu', frenchDay(loan.expected_return_date)],
          [
            'Date annoncée',
            loan.end_date_flagged ? (
              <StatusTag key="flag" tone="warn">
                Autre que celle des règles
              </StatusTag>
            ) : null,
          ],
          ['Rendu le', loan.return_date ? frenchDay(loan.return_date) : 'Pas encore rendu'],
          ['État', copyStates[loan.state ?? loan.copy_state]],
          ['Commentaire de retour', loan.return_comment],
          ['Repris par', loan.returned_by],
        ]}
      />
      <Facts
        title="Retard"
        facts={[
          [
            'Durée du retard',
            loan.islate
              ? counted(daysBetween(loan.end_date, loan.return_date ?? today), 'jour', 'jours')
              : null,
          ],
          ['Relancé le', loan.reminded_on && frenchDay(loan.reminded_on)],
          ['Motif', loan.delay_reason?.name],
          ['Commentaire', loan.delay_comment],
          ['Pénalité', penaltyWords(loan)],
        ]}
        otherwise="Aucun retard."
      />
    </div>
  )
}

/** The days counted are those after the days of grace: not the delay. */
function penaltyWords({ penalty, penalty_duration }: Loan): string | null {
  if (!penalty) return null
  const days =
    penalty_duration === null
      ? ''
      : ` (${counted(penalty_duration, 'jour compté', 'jours comptés', 'aucun jour compté')})`
  return frenchMoney(penalty.total) + days
}

type FactsProps = { title: string; facts: [name: string, value: ReactNode][]; otherwise?: string }

function Facts({ title, facts, otherwise }: FactsProps) {
  const told = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <section className="panel">
      <Title order={2} size="h4">
        {title}
      </Title>
      <dl className={styles['list']}>
        {told.map(([name, value]) => (
          // A term and its description are neighbours in the grid.
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      {told.length === 0 ? otherwise : null}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
