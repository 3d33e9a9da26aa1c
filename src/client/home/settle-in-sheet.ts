import { frenchDay } from '../../domain/calendar-day.ts'
import type { Money } from '../../domain/money.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import type { ChosenReader } from '../beneficiaries/reader-picker.tsx'
import { type BasketLine, isSale } from '../lending/basket.ts'
import type { SavedLoans } from '../lending/save-loans.ts'
import { type LaneLine, nameOf, plainKept, type Step } from './lane.ts'
import { happen } from './lane-store.ts'
import type { SheetLine } from './use-sheet-basket.ts'

/** Each line has what became of its loan, refused ones too, so that nothing lends it a second time. */
export function settleLines(
  sheetLines: readonly SheetLine[],
  { sent, left }: SavedLoans,
  { to, amountOf }: { to: ChosenReader; amountOf: (line: BasketLine) => Money },
): void {
  const name = nameOf(to)
  for (const { of, line } of sheetLines) {
    const loan = sent.find(({ copy }) => copy === line.copy.id)
    const refused = left.find(({ copy }) => copy.id === line.copy.id)
    if (isSale(line) && !refused) settle(of, { name: 'sold', to: name, price: priced(amountOf(line)) }, to)
    if (loan)
      settle(of, { ...plainKept, act: 'lend', entry_id: loan.id, reader: name, to, due: loan.due }, to)
    if (refused?.failure) tell('refusal', refused.failure.message, line.copy.name)
    else if (loan) tell('success', `Prêté à ${name} jusqu’au ${frenchDay(loan.due)}`, line.copy.name)
    else if (!refused) tell('success', `Vendu à ${name}`, line.copy.name)
  }
}

const priced = (amount: Money): Money | null => (Number(amount) > 0 ? amount : null)

const settle = ({ key }: LaneLine, step: Step, { reader }: ChosenReader): void =>
  happen({ what: 'form-settled', key, step, reader: reader.id })

const tell = (signal: ScanSignal, text: string, title: string): void =>
  happen({ what: 'say', signal, text, title })
