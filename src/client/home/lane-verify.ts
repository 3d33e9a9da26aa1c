import type { ScannedCopy } from '../find/found.ts'
import { cardWords } from '../../offline/counter-actions.ts'
import { isCard, type LaneReader, nameOf, readerKey } from './lane.ts'
import { changeLine } from './lane-store.ts'
import { type LaneTools, tell } from './lane-turn.ts'

/** Lends what this device does not know whole: no rule is asked here, and a person settles what the server refuses. */
export async function lendToVerify(
  key: string,
  { bar_code, title, known }: ScannedCopy,
  to: LaneReader,
  with_: LaneTools,
): Promise<void> {
  const entry = await with_.actions.lendToVerify({
    copy: known ? known.copy : { code: bar_code },
    ...(isCard(to) ? { beneficiary: { code: to.card } } : { beneficiary: to.reader, relative: to.relative }),
  })
  changeLine(key, {
    step: {
      name: 'kept',
      act: 'lend',
      entry_id: entry.id,
      reader: nameOf(to),
      to,
      choice: {},
      verdict: null,
      due: null,
      of_its_days: [],
      days_late: 0,
      penalty: null,
      reserved: null,
    },
    with_reader: readerKey(to),
  })
  tell('success', `Prêt à vérifier, à ${isCard(to) ? cardWords(to.card) : nameOf(to)}`, with_, title)
}
