import { Checkbox, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { frenchMoney } from '../../domain/money.ts'
import { inWords } from '../page/house-words.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { counted } from '../ui/words.ts'
import { areConditionsGiven, isSale, mediaWithConditions, sharedDuration, totalOf } from './basket.ts'
import { BasketLines } from './basket-lines.tsx'
import styles from './counter.module.css'
import { LoanTermsForm } from './loan-terms-form.tsx'
import type { LoanForm } from './use-loan-form.ts'

const ConditionsOfMedium = lazyPart(() => import('./conditions-of-medium.tsx'))

/** The copies of a loan being made, the conditions to hand over, and the terms of the whole. */
export function LoanFields({ form }: { form: LoanForm }) {
  const { lines, terms, on, errors, edits, mail } = form
  const { onConditions, onTerms, ...ofLines } = edits
  return (
    <>
      <BasketLines lines={lines} terms={terms} on={on} {...ofLines} />
      {mediaWithConditions(lines).map((medium) => (
        <ConditionsOfMedium
          key={medium.id}
          medium={medium}
          isGiven={areConditionsGiven(lines, medium.id)}
          onGiven={(isGiven) => onConditions(medium.id, isGiven)}
        />
      ))}
      <LoanTermsForm
        terms={terms}
        duration={sharedDuration(lines, terms)}
        today={on.today}
        errors={errors}
        onChange={onTerms}
      />
      {mail.isOffered && !lines.every(isSale) ? (
        <Checkbox
          label={inWords('Envoyer le récapitulatif du prêt')}
          checked={mail.isMailed}
          onChange={(event) => mail.setMailed(event.currentTarget.checked)}
        />
      ) : null}
    </>
  )
}

/** How many copies for how much, over the buttons that record them. */
export function LoanFoot({ form, children }: { form: LoanForm; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Text fw={600} role="status">
        {counted(form.lines.length, 'exemplaire', 'exemplaires')} · Total{' '}
        {frenchMoney(totalOf(form.lines, form.terms))}
      </Text>
      <div className={styles['verbs']}>{children}</div>
    </Stack>
  )
}
