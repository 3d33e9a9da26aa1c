import { Alert, List, Text } from '@mantine/core'
import '@mantine/core/styles/List.css'
import { useState } from 'react'

import { extendLoan, type Loan } from '../../contract/loans.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { durationWords, unitsOf } from '../../domain/loan-rules.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import EachProgress from '../ui/each-progress.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { counted } from '../ui/words.ts'
import { BoundsMotive } from './bounds-motive.tsx'
import { durationField } from './duration-field.ts'
import styles from './extended-dates.module.css'
import { daysInWords, isLateUntil, leastInTime, useExtendedDue } from './extended-due.ts'
import type { Changed, FailedLoan } from './loan-data.ts'
import { sentenceOf } from './loan-errors.ts'
import { type Extension, useExtendLoans } from './use-extend.tsx'
import { useToday } from './use-today.ts'

/** Until when each of several loans would be extended, those that would stay late first. */
function ExtendedDates({ loans, added }: { loans: readonly Loan[]; added: number }) {
  const today = useToday()
  const dueOf = useExtendedDue(loans)
  const dated = loans.flatMap((loan) => {
    const extended = dueOf(loan, added)
    return extended === null ? [] : [{ loan, ...extended, isLate: isLateUntil(extended.due, today) }]
  })
  const late = dated.filter(({ isLate }) => isLate)
  const unknown = loans.length - dated.length
  return (
    <>
      <div role="status">
        {dated.length > 0 ? <Text>{`Retour prévu ${daysInWords(dated.map(({ due }) => due))}.`}</Text> : null}
        {dated.length > 0 && unknown > 0 ? (
          <Text>{`${counted(unknown, 'prêt suit', 'prêts suivent')} le cycle de l’exemplaire.`}</Text>
        ) : null}
        {late.length > 0 ? (
          <Alert
            color="yellow"
            role="presentation"
            mt="sm"
            title={counted(late.length, 'prêt restera en retard', 'prêts resteront en retard')}
          >
            {stillLate(
              late.map(({ loan }) => loan),
              (loan) => leastInTime(loan, today, dueOf),
            )}
          </Alert>
        ) : null}
      </div>
      {dated.length > 0 ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys must scroll it
        <section className={styles['dates']} aria-label={inWords('Nouvelles dates de retour')} tabIndex={0}>
          <ul>
            {[...late, ...dated.filter(({ isLate }) => !isLate)].map(({ loan, due, why, isLate }) => (
              <li key={loan.id}>
                <span className={styles['title']} title={loan.reference_name}>
                  {loan.reference_name}
                </span>
                <span className={styles['due']}>
                  {isLate ? <StatusTag tone="bad">Restera en retard</StatusTag> : null}
                  {frenchDay(due)}
                </span>
                {why === null ? null : <span className={styles['why']}>{why}</span>}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}

/** What would leave none of them late, where they count in the same units. */
function stillLate(late: readonly Loan[], leastOf: (loan: Loan) => number | null): string {
  const why = 'La prolongation compte depuis l’ancienne date de retour de chaque prêt.'
  const [duration_type, ...others] = new Set(late.map((loan) => loan.duration_type))
  const each = late.map(leastOf)
  if (duration_type === undefined || others.length > 0 || each.includes(null)) return why
  const least = Math.max(...each.map((one) => one ?? 0))
  return `${why} Il faut au moins ${durationWords({ duration_type, duration_value: least })} pour qu’aucun ne soit plus en retard.`
}

type ExtendSeveralDialogProps = { loans: readonly Loan[]; onClose: () => void }

/** Extends loans by their own units; refused and unreached ones stay. Rendered while open. */
export default function ExtendSeveralDialog({ loans, onClose }: ExtendSeveralDialogProps) {
  const today = useToday()
  const { extend, progress, stop } = useExtendLoans()
  const [left, setLeft] = useState(loans)
  const [failed, setFailed] = useState<readonly FailedLoan[]>([])
  const form = useLocalForm<Extension, Changed<Loan>>({
    about: `extension of loans ${loans.map(({ id }) => id).join()}`,
    initial: { duration_value: 1 },
    schema: extendLoan.body,
    act: (body) => extend(left, body),
    onDone: (changed) => {
      sayChanged(changed, today)
      const rest = [...changed.failed.map(({ loan }) => loan), ...changed.left]
      if (rest.length === 0) return onClose()
      setFailed(changed.failed)
      return setLeft(rest)
    },
  })
  const title = `Prolonger ${counted(left.length, 'prêt', 'prêts')}`
  const added = form.number('duration_value', `Prolonger de (${unitOf(left)})`)
  return (
    <FormDialog
      title={title}
      form={form}
      onClose={progress ? stop : onClose}
      cancelLabel={progress ? 'Arrêter' : 'Annuler'}
    >
      <CountField {...durationField} {...added} />
      <BoundsMotive form={form} errors={failed.map(({ error }) => error)} />
      <ExtendedDates loans={left} added={Number(added.value)} />
      {failed.length > 0 ? (
        <Alert color="red" role="alert">
          <Text fw={600}>
            {failed.length > 1 ? 'N’ont pas été prolongés' : 'N’a pas été prolongé'}&#8239;:
          </Text>
          <List>
            {failed.map(({ loan, error }) => (
              <List.Item key={loan.id}>
                {loan.reference_name}&#8239;: {sentenceOf(error)}
              </List.Item>
            ))}
          </List>
        </Alert>
      ) : null}
      {progress ? <EachProgress title={title} progress={progress} /> : null}
    </FormDialog>
  )
}

/** What was done, and what was not: « 25 prêts prolongés : retour prévu le 06/12/2026. 3 prêts refusés. » */
function sayChanged({ done, failed, left }: Changed<Loan>, today: CalendarDay): void {
  const late = done.filter(({ end_date }) => isLateUntil(end_date, today)).length
  const days = done.map(({ end_date }) => end_date)
  const said = [
    done.length > 0
      ? `${counted(done.length, 'prêt prolongé', 'prêts prolongés')}\u202f: retour prévu ${daysInWords(days)}.`
      : null,
    late > 0 ? `${counted(late, 'prêt reste', 'prêts restent')} en retard.` : null,
    failed.length > 0 ? `${counted(failed.length, 'prêt refusé', 'prêts refusés')}.` : null,
    left.length > 0
      ? `Arrêté\u202f: ${counted(left.length, 'prêt n’est', 'prêts ne sont')} pas prolongé${left.length > 1 ? 's' : ''}.`
      : null,
  ].filter((one) => one !== null)
  // What was refused stands in the dialog with its reasons.
  if (done.length === 0 && left.length === 0) return
  say(said.join(' '), said.length > 1 || done.length === 0 ? 'warn' : 'good')
}

/** The unit of the loans, where they have the same. */
function unitOf(loans: readonly Loan[]): string {
  const [type, ...others] = new Set(loans.map(({ duration_type }) => duration_type))
  return type !== undefined && others.length === 0 ? unitsOf(type) : 'unités de chaque prêt'
}
