import { Button, Group, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { heldKey } from '../../offline/open-loans.ts'
import { useBasketGuard } from '../ui/forms/basket-guard.ts'
import { ReaderPicker } from '../beneficiaries/reader-picker.tsx'
import { useIsReaderComing, useReaderOfAddress } from '../beneficiaries/use-reader-of-address.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import { CopyPicker } from '../catalogue/copy-picker.tsx'
import { useScans } from '../scanner/scan-source.tsx'
import { backToScanning } from '../ui/focus-place.ts'
import { useReadyField } from '../ui/forms/use-ready-field.ts'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { CameraToggle } from '../ui/forms/camera-toggle.tsx'
import { CounterLines, WaitingLines, waitingForAnswer } from './counter-lines.tsx'
import { CounterNotice, useNotice } from './counter-notice.tsx'
import styles from './counter.module.css'
import { DoneLines } from './done-lines.tsx'
import { giveBack } from './give-back.ts'
import { usePenalties } from '../loans/penalties.ts'
import { Penalties } from './penalty-on-line.tsx'
import { RefusedLines } from './refused-lines.tsx'
import { ReturnRows, whose } from './return-rows.tsx'
import { useReturnBasket } from './use-return-basket.ts'
import { inWords } from '../page/house-words.ts'

const ReceivedLines = lazy(() => import('./received-lines.tsx'))

const leaving = {
  title: 'Quitter sans enregistrer les retours\u202f?',
  message: 'Les retours cochés ne sont pas enregistrés.',
}

/** Returns the ticked loans of a reader or a copy, each with state and comment. */
export default function ReturnScreen() {
  const [search] = useSearchParams()
  const { notice, tell, forget } = useNotice()
  const basket = useReturnBasket(tell, search.get('loan')?.split(',') ?? [])
  const { chosen, choose, loans, toReturn, takeScan, lookUp } = basket
  const penaltyOf = usePenalties()
  const [done, setDone] = useState<readonly string[]>([])
  const [isPending, setPending] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useReadyField(field, 'first')
  // The same functions at each drawing: a scan does not draw the fields again.
  const pick = useCallback(({ bar_code }: CounterCopy) => lookUp(bar_code), [lookUp])
  const take = useCallback(({ bar_code }: CounterCopy) => takeScan(bar_code), [takeScan])
  useScans((code, symbology) => takeScan(code, symbology), true, basket.addBroken)
  useReaderOfAddress(search.get('beneficiary'), choose)
  const isReaderComing = useIsReaderComing(search.get('beneficiary'))
  useUnsavedGuard(basket.isHalfMade && toReturn.length > 0, leaving)
  useBasketGuard(basket.isHalfMade)

  // Nobody can waive what is not told yet.
  const isCostKnown = toReturn.every(({ loan }) => penaltyOf(loan) !== undefined)

  const save = async () => {
    setPending(true)
    const entries = await giveBack(toReturn)
    setPending(false)
    setDone((before) => [...entries.map(({ id }) => id).reverse(), ...before])
    basket.empty(toReturn.slice(0, entries.length).map(({ loan }) => heldKey(loan)))
    forget()
    backToScanning()
  }

  return (
    <Page title="Rendre" tools={<CameraToggle notice={notice} />}>
      <CounterNotice notice={notice} onClose={forget} />
      <div className={styles['counter']}>
        <Stack>
          <Stack className="panel">
            <ReaderPicker
              chosen={chosen}
              onChoose={choose}
              isUsed={toReturn.length > 0}
              withRelative={false}
            />
            <CopyPicker
              label={inWords('Exemplaire rendu')}
              inputRef={field}
              onPick={pick}
              onCode={take}
              onUnknown={takeScan}
            />
          </Stack>
          {basket.waiting.length > 0 ? (
            <CounterLines title={waitingForAnswer}>
              <WaitingLines titles={basket.waiting} />
            </CounterLines>
          ) : null}
          <RefusedLines
            title={inWords('Non rendus')}
            lines={basket.refused}
            onDismiss={basket.dismiss}
            onAdded={(code) => {
              basket.dismiss(code)
              forget()
            }}
            onRetry={takeScan}
          />
        </Stack>
        <Stack>
          {loans.length > 0 ? (
            <ReturnRows
              loans={loans}
              ticks={basket.ticks}
              inHand={basket.in_hand}
              onTick={basket.tick}
              notes={basket.notes}
              onNote={basket.setNote}
              penaltyOf={penaltyOf}
            />
          ) : basket.isLoading || isReaderComing ? (
            <LoadingBlock height="10rem" radius="lg" />
          ) : basket.error ? (
            <ErrorState error={basket.error} onRetry={basket.retry} />
          ) : (
            <EmptyState
              message={
                chosen
                  ? 'Ce lecteur n’a aucun prêt en cours.'
                  : 'Scannez un exemplaire, ou cherchez le lecteur qui rend.'
              }
            />
          )}
          {toReturn.length > 0 ? (
            <Group className={`panel ${styles['foot']}`} justify="flex-end" gap="sm">
              {/* Of several readers, none is taken for the one that was chosen. */}
              <Text role="status">{whose(toReturn.map(({ loan }) => loan))}</Text>
              <Penalties of={toReturn} penaltyOf={penaltyOf} />
              <Button loading={isPending || !isCostKnown} onClick={() => void save()}>
                {toReturn.length > 1
                  ? inWords(`Enregistrer les ${toReturn.length} retours`)
                  : inWords('Enregistrer le retour')}
              </Button>
            </Group>
          ) : null}
          {basket.received.length > 0 ? (
            <Suspense fallback={null}>
              <ReceivedLines lines={basket.received} onDismiss={basket.putAway} />
            </Suspense>
          ) : null}
          <DoneLines
            title={inWords('Retours enregistrés')}
            ids={done}
            onDismiss={(id) => setDone((before) => before.filter((one) => one !== id))}
          />
        </Stack>
      </div>
    </Page>
  )
}
