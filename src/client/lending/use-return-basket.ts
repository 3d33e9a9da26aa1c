import { useCallbackRef } from '@mantine/hooks'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { membersOf } from '../../contract/list.ts'
import { listLoans } from '../../contract/loans.ts'
import type { Symbology } from '../../domain/bar-code.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'
import { readerName } from '../../domain/person-names.ts'
import { libraryToday } from '../../offline/counter.ts'
import { heldKey } from '../../offline/open-loans.ts'
import { listUnsettled } from '../../offline/outbox.ts'
import { call } from '../api/call.ts'
import { currentConnection } from '../api/connection.ts'
import { serverFirst } from '../api/server-first.ts'
import { useRight } from '../api/session.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { type Tell, useEngine } from '../counter/use-engine.ts'
import { useFindScan } from '../find/find-scan.ts'
import type { ScannedCopy } from '../find/found.ts'
import { useHeldLoans, type HeldLoan, heldOfServer, notReturning } from '../loans/held-loan.ts'
import { useLibraryClock } from '../loans/use-today.ts'
import { awaitedBy } from '../reservations/awaited.ts'
import { knownShapes } from '../scanner/known-shapes.ts'
import type { GivenBack } from './give-back.ts'
import {
  advanceReturn,
  emptyReturn,
  type ReceivedLine,
  type ReturnAnswers,
  type ReturnAsk,
  type ReturnAskOf,
  type ReturnHappening,
  type ReturnState,
} from './return-engine.ts'
import { nothingNoted, type ReturnNote } from './return-fields.tsx'

/** A reader's loans and scanned copies of anybody; `ticked` are keys of loans. */
export function useReturnBasket(tell: Tell, ticked: readonly string[]) {
  const client = useQueryClient()
  const find = useFindScan()
  const [notes, setNotes] = useState<ReadonlyMap<string, ReturnNote>>(new Map())
  const { today } = useLibraryClock()
  const may_receive = useRight('COPY_TRANSFER', 'LIST_TRANSFERS')

  const answerTo = (asked: ReturnAsk): Promise<ReturnAnswers[ReturnAsk['ask']]> => {
    switch (asked.ask) {
      case 'find':
        return find(asked.code, asked.symbology)
      case 'loan':
        return findHeldLoan(client, asked.copy)
      case 'receive':
        return receive(asked)
    }
  }
  const { shown, happen } = useEngine(emptyReturn(ticked), viewOf, {
    tell,
    answer: async (ask: ReturnAsk) =>
      ({ what: 'answer', ask, answer: await answerTo(ask) }) as ReturnHappening,
    advance: (state: ReturnState, happening: ReturnHappening) =>
      advanceReturn(state, happening, {
        today: today(),
        may_receive,
        is_online: currentConnection() !== 'offline',
        kind_of: (code) => knownShapes().kindOf(code),
      }),
  })
  const { scanned, ticks } = shown
  const held = useHeldLoans(shown.chosen?.reader.id ?? null)

  const loans = useMemo(() => {
    const own = new Map((held.data ?? []).map((loan) => [heldKey(loan), loan]))
    // What was scanned stands first, in sight of who scans; what the list knows of it is newer.
    const first = scanned.map((loan) => own.get(heldKey(loan)) ?? loan)
    for (const loan of scanned) own.delete(heldKey(loan))
    return [...first, ...own.values()]
  }, [held.data, scanned])
  const lying = new Set(scanned.map(heldKey))
  const toReturn: GivenBack[] = loans
    .filter((loan) => ticks.has(heldKey(loan)))
    .map((loan) => ({
      loan,
      note: notes.get(heldKey(loan)) ?? nothingNoted,
      isOfRow: !lying.has(heldKey(loan)),
    }))

  // The same functions at each drawing: a scan does not draw the fields again.
  const choose = useCallbackRef((chosen: ScannedReader | null) => happen({ what: 'choose', chosen }))
  const takeScan = useCallbackRef((code: string, symbology?: Symbology, kind?: CodeKind) =>
    happen({ what: 'scan', code, symbology, kind }),
  )
  const lookUp = useCallbackRef((bar_code: string) => happen({ what: 'look-up', bar_code }))
  const tick = useCallbackRef((keys: readonly string[], isOn: boolean) =>
    happen({ what: 'tick', keys, isOn }),
  )

  return {
    ...shown,
    choose,
    loans,
    isLoading: held.isLoading,
    error: held.data ? null : held.error,
    retry: () => void held.refetch(),
    tick,
    notes,
    setNote: (key: string, note: ReturnNote) => setNotes((before) => new Map(before).set(key, note)),
    toReturn,
    takeScan,
    lookUp,
    addBroken: useCallbackRef(() => happen({ what: 'broken' })),
    dismiss: useCallbackRef((code: string) => happen({ what: 'forget', code })),
    putAway: (copy: number) => happen({ what: 'put-away', copy }),
    /** Loans taken back leave the counter. */
    empty: (keys: readonly string[]) => {
      const gone = new Set(keys)
      happen({ what: 'returned', keys })
      setNotes((before) => new Map([...before].filter(([key]) => !gone.has(key))))
    },
    isHalfMade: scanned.length > 0 || notes.size > 0,
  }
}

const viewOf = (
  { chosen, scanned, ticks, in_hand, received, refused, turns, doing }: ReturnState,
  isSlow: boolean,
) => ({
  chosen,
  scanned,
  ticks,
  in_hand,
  received,
  refused,
  /** What waits for a server that is slow. */
  waiting:
    isSlow && doing ? [doing.turn, ...turns].flatMap((turn) => ('code' in turn ? [turn.code] : [])) : none,
})

const none: readonly string[] = []

async function receive({ copy, title, bar_code }: ReturnAskOf<'receive'>): Promise<ReceivedLine | null> {
  const { receiveCopy } = await import('../catalogue/receive-copy.ts')
  const received = await receiveCopy(copy)
  if (!received) return null
  const awaited = awaitedBy(received.copy.reservations, copy, await libraryToday())
  return { copy, title, bar_code, from: received.from, awaited }
}

/** A copy's open loan or null, at whatever site; the server is asked where the device knows none. */
async function findHeldLoan(client: QueryClient, copy: ScannedCopy): Promise<HeldLoan | null> {
  const found =
    heldByDevice(copy) ??
    (await serverFirst(
      () => askServer(client, copy),
      () => Promise.resolve(null),
    ))
  // The server has not heard yet of what waits to be sent, and a device that is not ready knows its word alone.
  const [loan] = notReturning(found ? [found] : [], await listUnsettled())
  return loan ?? null
}

function heldByDevice({ loan, known }: ScannedCopy): HeldLoan | null {
  if (!loan) return null
  const beneficiary_name = known?.borrower ? readerName(known.borrower) : ''
  return { ...loan, beneficiary_name, copy_state: known?.copy.state ?? null }
}

async function askServer(client: QueryClient, { bar_code, known }: ScannedCopy): Promise<HeldLoan | null> {
  const [page, media] = await Promise.all([
    call(listLoans, {
      list: {
        limit: 1,
        filters: [
          known
            ? { field: 'copy', operator: 'eq', value: known.copy.id }
            : { field: 'copy_barcode', operator: 'eq', value: bar_code },
          { field: 'status', operator: 'eq', value: 'in_progress' },
        ],
      },
      site: 0,
    }),
    client.ensureQueryData(mediaQuery),
  ])
  const [loan] = membersOf(page)
  return loan ? heldOfServer(loan, membersOf(media)) : null
}
