import { Button, Group, Stack, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import type { Symbology } from '../../domain/bar-code.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'
import { ofName } from '../../domain/person-names.ts'
import { findCopy } from '../../offline/counter.ts'
import { listUnsettled } from '../../offline/outbox.ts'
import { currentConnection } from '../api/connection.ts'
import { useRight } from '../api/session.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import { findCounterCopyById } from '../catalogue/copy-data.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import { type Tell, useEngine } from '../counter/use-engine.ts'
import { useFindScan } from '../find/find-scan.ts'
import { isOnItsWay, useHeldLoans } from '../loans/held-loan.ts'
import { openingsTold, useOpenAt } from '../loans/open-days.ts'
import { useLibraryClock } from '../loans/use-today.ts'
import { knownShapes } from '../scanner/known-shapes.ts'
import type { ScanHandler } from '../scanner/scan-source.tsx'
import { watchKept } from '../scanner/scans-not-taken.ts'
import { useQuestions } from '../ui/dialogs/use-questions.ts'
import { counted } from '../ui/words.ts'
import type { BasketLine, LoanTerms } from './basket.ts'
import styles from './counter.module.css'
import { checkLend, checkOnDevice } from './lend-check.ts'
import {
  advanceLoan,
  type Candidate,
  emptyLoan,
  isSaving,
  nameOf,
  type LoanAnswers,
  type LoanAsk,
  type LoanHappening,
  type LoanState,
  readerIn,
} from './loan-engine.ts'

/** Whose loan it is, how many copies it has, and who comes instead; `isByHand` where the focus may come to the answers. */
type Question = { name: string; count: number; to: string | null; isByHand: boolean }
type Answer = 'save' | 'drop' | 'stay'

/** Asks what becomes of a loan that is not saved when somebody else is chosen. Render `question` once. */
function useChangeReader() {
  const { asked, isOpen, ask, settle } = useQuestions<Question, Answer>()
  const question =
    asked && isOpen ? (
      <ChangeReader key={asked.turn} {...asked.question} onSettle={(answer) => settle(asked.turn, answer)} />
    ) : null
  return { ask, question }
}

/** Not a dialog: a card that is scanned opens nothing over the counter, and what comes after it waits in sight. */
function ChangeReader({
  name,
  count,
  to,
  isByHand,
  onSettle,
}: Question & { onSettle: (answer: Answer) => void }) {
  const place = useRef<HTMLElement>(null)
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
    if (isByHand) stay.current?.focus()
  }, [isByHand])
  return (
    <section ref={place} className={`panel ${styles['asks']}`} aria-label="Changer de lecteur">
      <Stack gap="sm">
        <Text fw={600} role="alert">
          {`Le prêt ${ofName(name)} n’est pas enregistré\u202f: ${counted(count, 'exemplaire en sort', 'exemplaires en sortent')} si vous changez${to === null ? '' : ` pour ${to}`} sans l’enregistrer.`}
        </Text>
        <Group gap="sm">
          <Button onClick={() => onSettle('save')}>Enregistrer puis changer</Button>
          <Button variant="default" c="var(--bad-ink)" onClick={() => onSettle('drop')}>
            Changer sans enregistrer
          </Button>
          <Button ref={stay} variant="default" onClick={() => onSettle('stay')}>
            Annuler
          </Button>
        </Group>
      </Stack>
    </section>
  )
}

type BasketTools = {
  tell: Tell
  terms: LoanTerms
  /** The reader of the address is being asked for. */
  isReaderComing: boolean
  /** Records the loan, and answers whether all of it is recorded. */
  save: (leaves: boolean) => Promise<boolean>
}

/** The loan that is being prepared. */
export function useLoanBasket({ tell, terms, isReaderComing, save }: BasketTools) {
  const client = useQueryClient()
  const find = useFindScan()
  const { ask: askChange, question } = useChangeReader()
  const maySell = useRight('LOANING_SELL')
  const { openAt } = useOpenAt()
  const { today } = useLibraryClock()

  const answerTo = async (asked: LoanAsk): Promise<LoanAnswers[LoanAsk['ask']]> => {
    switch (asked.ask) {
      case 'find':
        return find(asked.code, asked.symbology)
      case 'copy':
        return (await isOnItsWayWith(asked.copy)) ? null : findCounterCopyById(client, asked.copy.id)
      case 'device': {
        // What follows says the day of its return.
        await openingsTold(client)
        const day = today()
        const known = asked.known ?? (await findCopy(asked.copy.bar_code, day))
        return known && checkOnDevice(known, asked.reader, asked.start_date, day)
      }
      case 'server':
        await openingsTold(client)
        return checkLend(asked.copy, asked.reader, asked.start_date)
      case 'hear':
        return checkLend(asked.copy, asked.reader, asked.start_date)
      case 'change-reader':
        return askChange({
          name: asked.name,
          count: asked.count,
          to: nameOf(asked.to),
          isByHand: !asked.to.isScanned,
        })
      case 'save':
        return save(asked.leaves)
    }
  }
  const { shown, happen, read } = useEngine(emptyLoan, viewOf, {
    tell,
    answer: async (ask: LoanAsk) => ({ what: 'answer', ask, answer: await answerTo(ask) }) as LoanHappening,
    advance: (state: LoanState, happening: LoanHappening) =>
      advanceLoan(state, happening, {
        today: today(),
        openAt,
        terms,
        open_loans: held.data ?? [],
        may: { sell: maySell },
        is_online: currentConnection() !== 'offline',
        is_reader_coming: isReaderComing,
        kind_of: (code) => knownShapes().kindOf(code),
      }),
  })
  const held = useHeldLoans(shown.chosen?.reader.id ?? null)
  useEffect(() => watchKept(() => readerIn(read())), [read])
  const hear: ScanHandler = (code, symbology, of) => happen({ what: 'scan', code, symbology, of })

  // The same functions at each drawing: a scan does not draw the fields again.
  const takeScan = useCallbackRef((code: string, symbology?: Symbology, kind?: CodeKind) =>
    happen({ what: 'scan', code, symbology, kind }),
  )
  const addCopy = useCallbackRef((copy: CounterCopy) => happen({ what: 'copy', copy }))
  const chooseReader = useCallbackRef((chosen: ScannedReader | null) => happen({ what: 'choose', chosen }))
  // The copies of one reader are lent for one reason mostly.
  const lastMotive = useRef<{ reader: number; motive: string }>(null)
  const insist = (candidate: Candidate, override_reason: string | null) => {
    if (override_reason !== null) lastMotive.current = { reader: candidate.reader, motive: override_reason }
    happen({ what: 'insist', candidate, override_reason })
  }
  const dismiss = useCallbackRef((code: string) => happen({ what: 'forget', code }))

  return {
    ...shown,
    /** What the reader has already. */
    held,
    /** The contents as they are, for what goes on in a turn. */
    read,
    change: ({ lines }: { lines: readonly BasketLine[] }) => happen({ what: 'lines', lines }),
    changeLine: (copy: number, changes: Partial<BasketLine>) => happen({ what: 'line', copy, changes }),
    /** Once every answer about its lines has come. */
    save: (leaves: boolean) => happen({ what: 'save', leaves }),
    addCopy,
    chooseReader,
    hear,
    addBroken: useCallbackRef(() => happen({ what: 'broken' })),
    takeScan,
    /** A code that was unknown has its copy now. */
    takeAdded: (code: string, given: string) => {
      dismiss(code)
      takeScan(given)
    },
    dismiss,
    insist,
    motiveOf: ({ reader }: Candidate) =>
      lastMotive.current?.reader === reader ? lastMotive.current.motive : undefined,
    question,
  }
}

const viewOf = ({ chosen, card, lines, early, refused, turns, doing }: LoanState, isSlow: boolean) => ({
  chosen,
  card,
  lines,
  early,
  refused,
  isSaving: isSaving({ turns, doing }),
  /** What waits for a person or for a server that is slow; otherwise a turn is over before its line could be read. */
  waiting:
    isSlow || doing?.ask.ask === 'change-reader' ? titlesOf(doing ? [doing.turn, ...turns] : turns) : none,
})

const none: readonly string[] = []

/** The server has not heard yet of what waits to be sent: the device knows better. */
const isOnItsWayWith = async ({ id, bar_code }: CounterCopy): Promise<boolean> =>
  (await listUnsettled()).some(
    (entry) => isOnItsWay(entry) && (entry.copy_id === id || entry.bar_code === bar_code),
  )

const titlesOf = (turns: LoanState['turns']): readonly string[] =>
  turns.flatMap((turn) =>
    turn.do === 'scan' ? [turn.code] : turn.do === 'add' || turn.do === 'check' ? [turn.copy.name] : [],
  )
