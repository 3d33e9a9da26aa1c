import {
  mostCards,
  type printCard as printCardCall,
  type printCards as printCardsCall,
} from '../../contract/beneficiary-changes.ts'
import { fullName } from '../../domain/person-names.ts'
import type { ReadInTurn } from '../db/read-list.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, refuse } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import {
  type BeneficiaryRow,
  countBeneficiaries,
  everyBeneficiary,
  findBeneficiaryInSight,
} from './beneficiary-queries.ts'
import { type Card, cardPage, cardSheets } from './draw-cards.ts'

export async function printCard(
  reads: ReadInTurn,
  { params: { id } }: VerbInput<typeof printCardCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const reader = await reads((db) => findBeneficiaryInSight(db, id, exchange))
  if (!reader) return notFound('Ce lecteur n’existe pas.')
  return served(`carte-${id}`, cardPage(cardOf(reader, exchange)), exchange)
}

/** The cards of a list, in its order, drawn while they are sent. */
export async function printCards(
  reads: ReadInTurn,
  { list }: VerbInput<typeof printCardsCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const total = await reads((db) => countBeneficiaries(db, list, exchange))
  if (total > mostCards) {
    const message = `${mostCards} cartes au plus à la fois, et cette liste en a ${total}\u202f: filtrez-la, ou cochez des lecteurs.`
    return refuse({ status: 409, message })
  }
  async function* cards() {
    for await (const readers of everyBeneficiary(reads, list, exchange)) {
      yield readers.map((reader) => cardOf(reader, exchange))
    }
  }
  return served('cartes', cardSheets(cards()), exchange)
}

const served = (
  holds: string,
  bytes: AsyncIterable<Uint8Array>,
  { now, parameters }: Exchange,
): Outcome<ServedFile> =>
  done({ name: fileName(holds, 'pdf', now, parameters.get('timezone')), type: 'pdf', bytes })

/** A card is known by its reader's number, and by the registration number where there is none. */
const cardOf = (reader: BeneficiaryRow, { parameters }: Exchange): Card => ({
  library: parameters.get('work_council'),
  site: parameters.flag('multisite') ? reader.agency : null,
  name: fullName(reader),
  number: reader.reader_id ?? reader.matricule,
})
