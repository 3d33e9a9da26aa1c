import { Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { fullName } from '../../domain/person-names.ts'
import { cardWords } from '../../offline/counter-actions.ts'
import { CallError } from '../api/call-error.ts'
import { useConnection } from '../api/connection.ts'
import { useRight } from '../api/session.ts'
import { useIsReaderComing, useReaderOfAddress } from '../beneficiaries/use-reader-of-address.ts'
import { findCounterCopyById } from '../catalogue/copy-data.ts'
import { CopyPicker } from '../catalogue/copy-picker.tsx'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import { sentenceOf } from '../loans/loan-errors.ts'
import { inWords } from '../page/house-words.ts'
import { passedWords } from '../reservations/reservation-words.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { useScans } from '../scanner/scan-source.tsx'
import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { useBasketGuard } from '../ui/forms/basket-guard.ts'
import { CameraToggle } from '../ui/forms/camera-toggle.tsx'
import { backToScanning } from '../ui/focus-place.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useReadyField } from '../ui/forms/use-ready-field.ts'
import { MotiveAct } from '../ui/forms/motive-act.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { canBeSaved } from '../ui/forms/validity.ts'
import type { AsideLine } from './aside-lines.tsx'
import { noTerms } from './basket.ts'
import { CounterLine, CounterLines, waitingForAnswer, WaitingLines } from './counter-lines.tsx'
import { CounterNotice, useNotice } from './counter-notice.tsx'
import styles from './counter.module.css'
import { DoneLines } from './done-lines.tsx'
import type { Candidate } from './loan-engine.ts'
import { LoanFields, LoanFoot } from './loan-form.tsx'
import { ReaderPanel } from './reader-panel.tsx'
import { LineButton, RefusedLines } from './refused-lines.tsx'
import { sayLent } from './save-loans.ts'
import type { SoldLine } from './save-sales.ts'
import { useLoanBasket } from './use-loan-basket.tsx'
import { useLoanForm } from './use-loan-form.ts'

/** Adds, once, the copy that the address names by id. */
function useCopyOfAddress(
  id: string | null,
  add: (copy: CounterCopy) => void,
  tell: (signal: ScanSignal, text: string) => void,
): void {
  const client = useQueryClient()
  const connection = useConnection()
  const askedFor = useRef<string | null>(null)
  const settle = useEffectEvent((copy: CounterCopy | null) =>
    copy ? add(copy) : tell('refusal', 'Cet exemplaire n’existe pas.'),
  )
  const fail = useEffectEvent((error: unknown) => {
    // Nobody could tell yet: asked again when the connection changes.
    if (error instanceof CallError && error.isNoNetwork) askedFor.current = null
    tell('refusal', sentenceOf(error))
  })
  useEffect(() => {
    if (id === null || !/^[1-9]\d*$/.test(id) || askedFor.current === id) return
    askedFor.current = id
    findCounterCopyById(client, Number(id)).then(settle, fail)
  }, [id, client, connection])
}

const AwaitedCopy = lazyPart(() => import('../reservations/awaited-copy.tsx'))
const SoldLines = lazy(() => import('./sold-lines.tsx'))
const AsideLines = lazy(() => import('./aside-lines.tsx'))

const leaving = {
  title: 'Quitter sans enregistrer le prêt\u202f?',
  message: 'Les exemplaires du prêt ne sont pas enregistrés.',
}

const despite = 'Prêter quand même'

const toBeRead = 'Enregistré. Lisez ce qui n’est pas prêté, et masquez-le pour quitter.'

// Two of them stand side by side on a phone.
const verb = { size: 'sm', mih: '2.75rem', px: 'xs' } as const

/** Lends copies to a reader; `?beneficiary=`, `?relative=` and `?copy=` are ids. */
export default function AddLoanScreen() {
  const [search, setSearch] = useSearchParams()
  const { leave } = useCameraAddress()
  const mayList = useRight('LIST_LOANINGS')
  const mayOverride = useRight('LOANING_OVERRIDE')
  const { notice, tell, forget } = useNotice()
  const [terms, setTerms] = useState(noTerms)
  const saveAll = useRef((_leaves: boolean) => Promise.resolve(false))
  const isReaderComing = useIsReaderComing(search.get('beneficiary'))
  const basket = useLoanBasket({ tell, terms, isReaderComing, save: (leaves) => saveAll.current(leaves) })
  const { chosen, lines, addCopy, chooseReader } = basket
  // Until it is decided whose the loan is, what was scanned waits for that; otherwise for the server.
  const [ofReader, ofServer] = basket.question === null ? [[], basket.waiting] : [basket.waiting, []]
  const form = useLoanForm(basket, [terms, setTerms])
  const fields = useRef<HTMLDivElement>(null)
  const copyField = useRef<HTMLInputElement>(null)
  const [isForReader] = useState(search.has('beneficiary'))
  useReadyField(copyField, isForReader ? 'first' : 'next')
  const [done, setDone] = useState<readonly string[]>([])
  const [sold, setSold] = useState<readonly SoldLine[]>([])
  const [passed, setPassed] = useState<ReadonlyMap<string, string>>(new Map())
  const [aside, setAside] = useState<readonly AsideLine[]>([])
  const keepAside = (line: AsideLine) =>
    setAside((before) => [line, ...before.filter(({ copy }) => copy.id !== line.copy.id)])
  const leaveAside = (id: number) => setAside((before) => before.filter(({ copy }) => copy.id !== id))
  const [held, setHeld] = useState<ReadonlySet<Candidate>>(new Set())
  const hold = (candidate: Candidate, isHeld: boolean) =>
    setHeld((before) => {
      const others = [...before].filter((one) => one !== candidate)
      return new Set(isHeld ? [...others, candidate] : others)
    })
  const insist = (candidate: Candidate, motive: string | null) => {
    if (held.has(candidate)) return
    // It may wait for its turn, and is set aside for nobody meanwhile.
    hold(candidate, true)
    basket.insist(candidate, motive)
  }
  // What waits for its reader or for an answer is lost as well.
  const isHalfMade = lines.length + basket.early.length + basket.waiting.length > 0
  const release = useUnsavedGuard(isHalfMade, leaving)
  useBasketGuard(isHalfMade)
  useScans(basket.hear, true, basket.addBroken)
  useReaderOfAddress(search.get('beneficiary'), chooseReader, search.get('relative'))
  useCopyOfAddress(search.get('copy'), addCopy, tell)
  const named = search.get('beneficiary')
  const here = chosen ? String(chosen.reader.id) : basket.card
  const whom = chosen ? fullName(chosen.reader) : basket.card && cardWords(basket.card)
  const isAnother = named !== null && here !== null && here !== named
  useEffect(() => {
    // A reload must not bring back whom somebody else has followed.
    if (isAnother) setSearch({}, { replace: true })
  }, [isAnother, setSearch])

  const isLeaving = useRef(false)
  const quit = () => {
    release()
    return leave(mayList ? '/loanings' : '/home')
  }
  const dismissRefused = (code: string) => {
    basket.dismiss(code)
    const now = basket.read()
    const isNobodys = now.chosen === null && now.card === null && now.doing === null
    const isEmpty = [now.lines, now.early, now.refused, now.turns].every(({ length }) => length === 0)
    // It was asked to be left, and this was the last that had to be read.
    if (isLeaving.current && isNobodys && isEmpty) void quit()
  }

  const save = async (leaves: boolean) => {
    isLeaving.current = false
    const saved = await form.save()
    if (!saved) return
    sayLent(saved)
    setDone((before) => [...[...saved.ids].reverse(), ...before])
    setSold((before) => [...saved.sold, ...before])
    setPassed(
      (before) =>
        new Map([
          ...before,
          ...saved.sent.flatMap(({ id, passed: who }) =>
            who === null ? [] : [[id, passedWords(who)] as const],
          ),
        ]),
    )
    if (saved.left.length > 0) return
    forget()
    // The screen stays while somebody has still to read a refusal, or a scan waits for its turn.
    const { refused, turns } = basket.read()
    if (!leaves) backToScanning()
    if (!leaves || turns.length > 0) return
    isLeaving.current = refused.length > 0
    if (isLeaving.current) tell('warning', toBeRead)
    else await quit()
  }
  useEffect(() => {
    saveAll.current = async (leaves) => {
      if (!canBeSaved(fields.current)) return false
      await save(leaves)
      return basket.read().lines.length === 0
    }
  })
  // Who is asked what becomes of the loan answers there.
  const canSave = here !== null && basket.question === null
  const isSaving = form.isPending || basket.isSaving
  const run = (leaves: boolean) => {
    if (!isSaving && canBeSaved(fields.current)) basket.save(leaves)
  }

  return (
    <Page title="Prêter" tools={<CameraToggle notice={notice} />}>
      <CounterNotice notice={notice} onClose={forget} />
      {basket.question}
      <div ref={fields} className={styles['counter']}>
        <Stack>
          <ReaderPanel
            chosen={chosen}
            card={basket.card}
            onChoose={chooseReader}
            isUsed={lines.length > 0}
            order={isForReader ? 'next' : 'first'}
            held={basket.held}
            areLoansFolded={basket.refused.length > 0}
          />
          {basket.early.length + ofReader.length > 0 ? (
            <CounterLines title={inWords('En attente du lecteur')}>
              {basket.early.map(({ bar_code, name }) => (
                <CounterLine
                  key={bar_code}
                  title={name}
                  code={bar_code}
                  onDismiss={() => basket.dismiss(bar_code)}
                />
              ))}
              <WaitingLines titles={ofReader} />
            </CounterLines>
          ) : null}
          {ofServer.length > 0 ? (
            <CounterLines title={waitingForAnswer}>
              <WaitingLines titles={ofServer} />
            </CounterLines>
          ) : null}
          <RefusedLines
            title="Non prêtés"
            lines={basket.refused}
            onDismiss={dismissRefused}
            onAdded={basket.takeAdded}
            onRetry={basket.takeScan}
          >
            {({ code, title, candidate, isOfBefore }) =>
              !candidate ? null : (
                <Group gap="xs">
                  {candidate.awaited ? (
                    <AwaitedCopy
                      of={`refused ${code}`}
                      copy={candidate.copy.id}
                      bar_code={code}
                      title={title}
                      awaited={candidate.awaited}
                      isRecorded
                      isOffer
                      isHeld={held.has(candidate)}
                      onPending={(isPending) => hold(candidate, isPending)}
                      onSetAside={() => {
                        if (candidate.awaited) keepAside({ ...candidate, awaited: candidate.awaited })
                        basket.dismiss(code)
                      }}
                    />
                  ) : null}
                  {isOfBefore ? (
                    whom ? (
                      <LineButton
                        label={`Prêter à ${whom}`}
                        title={title}
                        isHeld={held.has(candidate)}
                        onPress={() => insist(candidate, null)}
                      />
                    ) : null
                  ) : candidate.refusals.length === 0 ? (
                    <LineButton
                      label={despite}
                      title={title}
                      isHeld={held.has(candidate)}
                      onPress={() => insist(candidate, null)}
                    />
                  ) : mayOverride ? (
                    <MotiveAct
                      act={despite}
                      name={`${despite}\u202f: ${title}`}
                      of={title}
                      motive={basket.motiveOf(candidate)}
                      onConfirm={(motive) => insist(candidate, motive)}
                    />
                  ) : null}
                </Group>
              )
            }
          </RefusedLines>
        </Stack>
        <Stack>
          <section className="panel" aria-label={inWords('Prêt en préparation')}>
            <Stack>
              <CopyPicker inputRef={copyField} onPick={addCopy} onUnknown={basket.takeScan} />
              {lines.length === 0 ? (
                <EmptyState message="Scannez un exemplaire ou cherchez-le pour l’ajouter au prêt." />
              ) : (
                <LoanFields
                  form={{
                    ...form,
                    edits: {
                      ...form.edits,
                      onSetAside: (line) => {
                        const awaited = line.failure?.awaited?.[0]
                        if (awaited) keepAside({ ...line, awaited })
                        form.edits.onSetAside(line)
                      },
                    },
                  }}
                />
              )}
            </Stack>
          </section>
          {lines.length > 0 ? (
            <div className={`panel ${styles['foot']}`}>
              <LoanFoot form={form}>
                <Button
                  {...verb}
                  variant="default"
                  disabled={!canSave}
                  loading={isSaving}
                  onClick={() => run(false)}
                >
                  Enregistrer et continuer
                </Button>
                <Button {...verb} disabled={!canSave} loading={isSaving} onClick={() => run(true)}>
                  Enregistrer et quitter
                </Button>
              </LoanFoot>
            </div>
          ) : null}
          {aside.length > 0 ? (
            <Suspense fallback={null}>
              <AsideLines
                lines={aside}
                onDismiss={leaveAside}
                onPutBack={(copy) => {
                  leaveAside(copy.id)
                  addCopy(copy)
                }}
              />
            </Suspense>
          ) : null}
          <DoneLines
            title={inWords('Prêts enregistrés')}
            ids={done}
            notes={passed}
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
    </Page>
  )
}
