import { receiveCopy } from '../catalogue/receive-copy.ts'
import { currentConnection } from '../api/connection.ts'
import type { ScannedCopy } from '../find/found.ts'
import { libraryToday } from '../../offline/counter.ts'
import { awaitedBy, awaitedWords } from '../reservations/awaited.ts'
import { setStep } from './lane-store.ts'
import { end, type LaneTools, tell } from './lane-turn.ts'

/** Receives a copy that another site sent here, which only the server can note. */
export async function receive(key: string, { title, known }: ScannedCopy, with_: LaneTools): Promise<void> {
  const refuse = (message: string) =>
    end(key, { name: 'said', signal: 'refusal', message, ways: ['again', 'return'] })
  if (currentConnection() === 'offline') return refuse(needsNetwork)
  const received = await receiveCopy(known?.copy.id ?? 0)
  if (!received) return refuse('Cet exemplaire n’est plus en transfert. Scannez-le de nouveau.')
  const { from, copy } = received
  const awaited = awaitedBy(copy.reservations, copy.id, await libraryToday())
  setStep(key, { name: 'received', from, awaited })
  if (awaited) tell('warning', `Reçu de ${from}, ${awaitedWords(awaited)}`, with_, title)
  else tell('success', `Reçu de ${from}`, with_, title)
}

const needsNetwork = 'En transfert vers ce site\u202f: le recevoir demande le réseau.'
