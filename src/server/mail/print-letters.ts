import { mostLetters, type printLetters as call } from '../../contract/letters.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { isMailCode } from '../../domain/mail-occasions.ts'
import type { Db } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, type Outcome, refuse } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { drawLetters, type WrittenLetter } from './draw-letters.ts'
import { type LetterRow, readLetters } from './letter-queries.ts'
import { listLoanMailRecipients, loanMailVariables } from './loan-mail-queries.ts'
import { mailRenderer } from '../writing/render-template.ts'
import { templateFault } from './change-template.ts'
import { readParts } from './template-rows.ts'
import { textOfHtml } from './text-of-html.ts'

/** What is late as they are printed: who has brought everything back gets none. */
export async function printLetters(
  reads: ReadInTurn,
  { list }: VerbInput<typeof call>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { caller, now, today, parameters } = exchange
  if (!caller.rights.has('SEND_MAIL')) return forbidden()
  const { rows, total } = await reads((db) =>
    readLetters(db, { ...list, page: 1, limit: mostLetters }, exchange),
  )
  if (total > mostLetters) {
    const message = `${mostLetters} lettres au plus à la fois, et cette liste en a ${total}\u202f: filtrez-la, ou cochez des lettres.`
    return refuse({ status: 409, message })
  }
  const written: WrittenLetter[] = []
  for (const row of rows) {
    const letter = await reads((db) => write(db, row, exchange))
    if (letter === null) continue
    if ('problem' in letter) return refuse({ status: 409, message: templateFault(letter.problem) })
    written.push(letter)
  }
  const sender = parameters.get('work_council')
  return done({
    name: fileName('lettres', 'pdf', now, parameters.get('timezone')),
    type: 'pdf',
    bytes: drawLetters(written, { sender, day: frenchDay(today) }),
  })
}

async function write(
  db: Db,
  letter: LetterRow,
  { today, parameters, publicUrl }: Exchange,
): Promise<WrittenLetter | { problem: string } | null> {
  const { beneficiary, sites, template } = letter
  const which = { sites, beneficiary, lateOn: today }
  const [recipient] = await listLoanMailRecipients(db, which, { only: 'everyone' })
  if (!recipient || !isMailCode(template)) return null
  const rendering = mailRenderer(await readParts(db, template))({
    work_council: parameters.get('work_council'),
    ...loanMailVariables(recipient, today, publicUrl),
  })
  if (!rendering.ok) return rendering
  return {
    name: letter.name,
    address: (letter.address ?? '').split(/\r?\n/).filter((line) => line.trim() !== ''),
    commune: letter.commune ?? '',
    object: rendering.mail.subject,
    text: textOfHtml(rendering.mail.html),
    loans: recipient.loans.length,
  }
}
