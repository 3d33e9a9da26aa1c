import { Link } from 'react-router-dom'

import type { Loan } from '../../contract/loans.ts'
import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { copyStates, durationWords } from '../../domain/loan-rules.ts'
import { frenchMoney } from '../../domain/money.ts'
import { nameAndNumber } from '../../domain/person-names.ts'
import { useRight } from '../api/session.ts'
import ConditionsFile from '../catalogue/conditions-file.tsx'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { Facts, FactsOf } from '../ui/facts.tsx'
import { ReaderName } from '../ui/reader-name.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import { useWhyDue } from './extended-due.ts'
import { LoanTag } from './loan-tags.tsx'
import { addressOfReaderLoans } from './reader-loans.ts'
import { useToday } from './use-today.ts'

/** What is known of a loan, in three parts: the loan, its return, its delay. Empty facts are left out. */
export function LoanFacts({ loan }: { loan: Loan }) {
  const today = useToday()
  const why = useWhyDue(loan)
  return (
    <FactsOf>
      <Facts
        title="Prêt"
        facts={[
          ['Statut', <LoanTag key="tag" loan={loan} />],
          ['Lecteur', <ReaderLink key="reader" loan={loan} />],
          ['Proche', loan.relative?.name],
          ['Exemplaire', <TitleLink key="title" loan={loan} />],
          ['Catégorie', loan.category],
          ['Support', loan.medium],
          ['Début', frenchDay(loan.start_date)],
          ['Durée', durationWords(loan)],
          ['Montant', loan.free ? 'Gratuit' : frenchMoney(loan.amount)],
          ['Motif de gratuité', loan.free_reason?.name],
          ['Commentaire', loan.comment],
          [
            'Conditions de prêt',
            loan.conditions_given === null ? null : <Conditions key="conditions" loan={loan} />,
          ],
          ['Prêté malgré un refus', loan.override_reason],
          ['Prêté par', loan.lent_by],
        ]}
      />
      <Facts
        title="Retour"
        facts={[
          ['Retour prévu', frenchDay(loan.expected_return_date)],
          ['Pourquoi ce jour', why],
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
    </FactsOf>
  )
}

function TitleLink({ loan: { reference, reference_name, copy_barcode } }: { loan: Loan }) {
  const title = `${reference_name} (${copy_barcode})`
  return useRight('LIST_REFERENCES') ? <Link to={addressOfReference(reference)}>{title}</Link> : title
}

/** A reader of another site has neither name nor number, and leads nowhere. */
function ReaderLink({ loan: { beneficiary, beneficiary_name } }: { loan: Loan }) {
  const mayRead = useRight('LIST_BENEFICIARIES')
  const [own, number] = nameAndNumber(beneficiary_name)
  if (number === null) return <ReaderName name={beneficiary_name} />
  return (
    <Link to={mayRead && beneficiary ? addressOfReader(beneficiary) : addressOfReaderLoans(number, own)}>
      <ReaderName name={beneficiary_name} />
    </Link>
  )
}

/** Those of the day of the loan, whatever the medium asks now. */
function Conditions({
  loan: { id, conditions_given, conditions_label, conditions_version, medium },
}: {
  loan: Loan
}) {
  return (
    <>
      {[conditions_given ? 'Remises' : 'Non remises', conditions_label].filter(Boolean).join('\u202f: ')}
      {conditions_version === null ? null : <ConditionsFile name={medium ?? ''} of={{ loan: id }} />}
    </>
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
