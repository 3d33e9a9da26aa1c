import { type CalendarDay, frenchDay, plusDays } from '../../domain/calendar-day.ts'
import { type MailCode, occasionOf } from '../../domain/mail-occasions.ts'
import { type LoanMailRecipient, loanMailVariables } from './loan-mail-queries.ts'
import { accountChanges } from '../writing/account-changed.ts'

/** When the loans of a mail end, in days from today. */
const endings: Partial<Record<MailCode, readonly [number, number]>> = {
  before_due: [2, 3],
  due: [0, 0],
  late_1: [-5, -3],
  late_2: [-14, -10],
  late_3: [-30, -24],
  loaning_reminder: [-8, -2],
}

/** What a template is tried on: invented, and with a value for every variable that there is. */
export function inventedVariables(
  code: MailCode,
  today: CalendarDay,
  publicUrl: string,
): Record<string, unknown> {
  switch (occasionOf(code).about) {
    case 'loans':
      return loanMailVariables(inventedReader(code, today), today, publicUrl)
    case 'reservation':
      return {
        beneficiary: inventedPerson,
        today: frenchDay(today),
        reservation: {
          reference_name: 'Le Petit Prince',
          status: code.replace('reservation_', ''),
          queue_position: 2,
          start_date: frenchDay(plusDays(today, 7)),
          end_date: frenchDay(plusDays(today, 21)),
          site: 'Médiathèque du centre',
          amount: '3,00 €',
        },
        comment: 'Cet ouvrage se consulte sur place.',
      }
    case 'closing':
      return {
        beneficiary: inventedPerson,
        today: frenchDay(today),
        count: 1,
        closures: [
          {
            label: 'Congés d’été',
            first_day: frenchDay(plusDays(today, 7)),
            last_day: frenchDay(plusDays(today, 14)),
          },
        ],
        loans: [
          {
            reference_name: 'Le Petit Prince',
            copy_barcode: '1001',
            old_date: frenchDay(plusDays(today, 10)),
            end_date: frenchDay(plusDays(today, 15)),
          },
        ],
        kept_count: 1,
        kept: [
          {
            reference_name: 'Vingt mille lieues sous les mers',
            old_date: frenchDay(plusDays(today, 9)),
            until: frenchDay(plusDays(today, 15)),
          },
        ],
      }
    case 'link':
    case 'invitation':
      return {
        user: { username: 'alice', name: 'Alice Martin' },
        link: `${publicUrl}/exemple`,
        reset: `${publicUrl}/reset/password`,
      }
    case 'account':
      return { user: { username: 'alice', name: 'Alice Martin' }, change: accountChanges.password }
  }
}

const inventedPerson = { matricule: '1042', lastname: 'Martin', firstname: 'Alice' }

function inventedReader(code: MailCode, today: CalendarDay): LoanMailRecipient {
  const [first, second] = endings[code] ?? [14, 21]
  const loan = (id: number, reference_name: string, end: number) => ({
    id,
    reference_name,
    copy_barcode: String(1000 + id),
    medium: 'Livre',
    category: 'Roman',
    relative: 'Zoé Martin',
    conditions: { label: 'Règlement du prêt', version: 'exemple' },
    start_date: plusDays(today, end - 21),
    end_date: plusDays(today, end),
  })
  return {
    id: 0,
    ...inventedPerson,
    email: null,
    agency_id: null,
    sites: [],
    loans: [loan(1, 'L’Étranger', first), loan(2, 'Le Petit Prince', second)],
  }
}
