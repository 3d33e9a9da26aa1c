import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'

import { frenchMoney } from '../../domain/money.ts'
import { useBasketGuard } from '../ui/basket-guard.ts'
import { useReaderOfAddress } from '../beneficiaries/use-reader-of-address.ts'
import { CopyPicker } from '../catalogue/copy-picker.tsx'
import { useScans } from '../scanner/scan-source.tsx'
import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { useRight } from '../api/session.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'
import { useUnsavedGuard } from '../ui/use-unsaved-guard.ts'
import { canBeSaved } from '../ui/validity.ts'
import { counted } from '../ui/words.ts'
import {
  areConditionsGiven,
  isSale,
  mediaWithConditions,
  noTerms,
  sharedDuration,
  termErrors,
  totalOf,
} from './basket.ts'
import { BasketLines } from './basket-lines.tsx'
import { CameraToggle } from '../ui/camera-toggle.tsx'
import { CounterNotice, useNotice } from './counter-notice.tsx'
import styles from './counter.module.css'
import { DoneLines } from './done-lines.tsx'
import { LoanTermsForm } from './loan-terms-form.tsx'
import { ReaderPanel } from './reader-panel.tsx'
import { RefusedLines } from './refused-lines.tsx'
import { useLoanBounds } from './use-loan-bounds.ts'
import { useBasketEdits } from './use-basket-edits.ts'
import { useCopyOfAddress } from './use-copy-of-address.ts'
import { useLoanBasket } from './use-loan-basket.tsx'
import { useLoanMail } from './use-loan-mail.ts'
import { saveBasket } from './save-loans.ts'
import type { SoldLine } from './save-sales.ts'
import { useOpenAt } from '../loans/open-days.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'

const ConditionsOfMedium = lazy(() => import('./conditions-of-medium.tsx'))
const SoldLines = lazy(() => import('./sold-lines.tsx'))

const leaving = {
  title: 'Quitter sans enregistrer le prêt\u202f?',
  message: 'Les exemplaires du prêt ne sont pas enregistrés.',
}

// Two of them stand side by side on a phone.
const verb = { size: 'sm', mih: '2.75rem', px: 'xs' } as const

/** Lends copies to a reader (file 1, « Add loan »); `?beneficiary=`, `?relative=` and `?copy=` are ids. */
export default function AddLoanScreen() {
  const [search, setSearch] = useSearchParams()
  const state = useLocation().state as { isFromCounter?: true } | null
  const { leave } = useCameraAddress()
  const today = useToday()
  const bounds = useLoanBounds()
  const openAt = useOpenAt()
  const mayList = useRight('LIST_LOANINGS')
  const { notice, tell, forget } = useNotice()
  const [terms, setTerms] = useState(noTerms)
  const form = useRef<HTMLDivElement>(null)
  const saveAll = useRef(() => Promise.resolve(false))
  const saveFirst = useCallback(() => saveAll.current(), [])
  const basket = useLoanBasket(tell, terms, saveFirst)
  const { chosen, lines, addCopy, chooseReader } = basket
  const errors = useMemo(() => termErrors(lines), [lines])
  const { onConditions, ...edits } = useBasketEdits(basket, setTerms)
  const [done, setDone] = useState<readonly string[]>([])
  const [sold, setSold] = useState<readonly SoldLine[]>([])
  const [isMailed, setMailed] = useState(false)
  const [isPending, setPending] = useState(false)
  const mail = useLoanMail(chosen?.reader.id ?? null)
  const release = useUnsavedGuard(lines.length > 0, leaving)
  useBasketGuard(lines.length > 0)
  useScans(basket.takeScan)
  useReaderOfAddress(search.get('beneficiary'), chooseReader, search.get('relative'))
  useCopyOfAddress(search.get('copy'), addCopy, tell)
  const named = search.get('beneficiary')
  const isAnother = named !== null && chosen !== null && String(chosen.reader.id) !== named
  useEffect(() => {
    // A reload must not bring back whom somebody else has followed.
    if (isAnother) setSearch({}, { replace: true, state })
  }, [isAnother, setSearch, state])

  const save = async (leaves: boolean) => {
    const { chosen: borrower, lines: toSave } = basket.read()
    if (!borrower || toSave.length === 0) return
    setPending(true)
    const saved = await saveBasket(toSave, terms, borrower, { bounds, openAt })
    setPending(false)
    basket.change({ lines: saved.left })
    setDone((before) => [...[...saved.ids].reverse(), ...before])
    setSold((before) => [...saved.sold, ...before])
    if (isMailed && mail.isOffered) void mail.send(saved.loans.map(({ id }) => id))
    if (saved.left.length > 0) return
    forget()
    setTerms(noTerms)
    // What stays on the counter is read before the screen is left.
    if (!leaves || basket.read().refused.length > 0) return
    release()
    await leave(mayList && !state?.isFromCounter ? '/loanings' : '/home')
  }
  useEffect(() => {
    saveAll.current = async () => {
      if (!canBeSaved(form.current)) return false
      await save(false)
      return basket.read().lines.length === 0
    }
  })
  const run = (leaves: boolean) => {
    if (!isPending && canBeSaved(form.current)) void basket.inTurn(() => save(leaves))
  }

  return (
    <Page title="Prêter" actions={<CameraToggle notice={notice} />}>
      <CounterNotice notice={notice} onClose={forget} />
      <div ref={form} className={styles['counter']}>
        <ReaderPanel
          chosen={chosen}
          onChoose={chooseReader}
          proposed={basket.proposed}
          onPropose={basket.propose}
          held={basket.held}
        />
        <Stack>
          <section className="panel" aria-label={inWords('Prêt en préparation')}>
            <Stack>
              <CopyPicker onPick={addCopy} onUnknown={basket.takeScan} />
              {lines.length === 0 ? (
                <EmptyState message="Scannez un exemplaire ou cherchez-le pour l’ajouter au prêt." />
              ) : (
                <>
                  <BasketLines lines={lines} terms={terms} on={{ today, openAt }} {...edits} />
                  <Suspense fallback={null}>
                    {mediaWithConditions(lines).map((medium) => (
                      <ConditionsOfMedium
                        key={medium.id}
                        medium={medium}
                        isGiven={areConditionsGiven(lines, medium.id)}
                        onGiven={(isGiven) => onConditions(medium.id, isGiven)}
                      />
                    ))}
                  </Suspense>
                  <LoanTermsForm
                    terms={terms}
                    duration={sharedDuration(lines, terms)}
                    today={today}
                    errors={errors}
                    onChange={edits.onTerms}
                  />
                  {mail.isOffered && !lines.every(isSale) ? (
                    <Checkbox
                      label={inWords('Envoyer le récapitulatif du prêt')}
                      checked={isMailed}
                      onChange={(event) => setMailed(event.currentTarget.checked)}
                    />
                  ) : null}
                </>
              )}
            </Stack>
          </section>
          <RefusedLines lines={basket.refused} onDismiss={basket.dismiss} onAdded={basket.takeAdded} />
          {lines.length > 0 ? (
            <Stack className={`panel ${styles['foot']}`} gap="xs">
              <Text fw={600} role="status">
                {counted(lines.length, 'exemplaire', 'exemplaires')} · Total{' '}
                {frenchMoney(totalOf(lines, terms))}
              </Text>
              <div className={styles['verbs']}>
                <Button
                  {...verb}
                  variant="default"
                  disabled={!chosen}
                  loading={isPending}
                  onClick={() => run(false)}
                >
                  Enregistrer et continuer
                </Button>
                <Button {...verb} disabled={!chosen} loading={isPending} onClick={() => run(true)}>
                  Enregistrer et quitter
                </Button>
              </div>
            </Stack>
          ) : null}
          <DoneLines
            title={inWords('Prêts enregistrés')}
            ids={done}
            onDismiss={(id) => setDone((before) => before.filter((one) => one !== id))}
          />
          {sold.length > 0 ? (
            <Suspense fallback={null}>
              <SoldLines
                lines={sold}
                onDismiss={(id) => setSold((before) => before.filter((one) => one.id !== id))}
              />
            </Suspense>
          ) : null}
        </Stack>
      </div>
      {basket.dialog}
    </Page>
  )
}
