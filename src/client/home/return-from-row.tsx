import { Button, Group } from '@mantine/core'

import { somethingFailed } from '../../domain/sentences/everywhere.ts'
import type { OpenLoan } from '../../offline/open-loans.ts'
import { endOf } from '../outbox/entry-answers.ts'
import { knownEntry } from '../outbox/outbox-entries.ts'
import { say, hideSaid } from '../page/messages.ts'
import { backToScanning } from '../ui/focus-place.ts'
import { isInSight } from '../ui/in-sight.ts'
import { findLine, happen, laneState, watchLane } from './lane-store.ts'
import type { LaneLine, Said } from './lane.ts'

const tones = { success: 'good', warning: 'warn', refusal: 'bad' } as const

/** As a scan of its copy would, but of this very loan. */
export function returnFromRow(loan: OpenLoan, is_waived = false): void {
  const { bar_code, title } = loan
  const { keys } = laneState()
  happen({ what: 'return', bar_code, copy: { bar_code, title, known: null, loan }, is_waived })
  const last = laneState().keys
  // Pressed twice, it is one return.
  if (last > keys) void sayOutOfSight(String(last))
}

/** Under a long list its line in the lane is out of sight: a message says what it says, with its « Annuler ». */
async function sayOutOfSight(key: string): Promise<void> {
  const ended = await whenDone(key)
  if (!ended || isShown(key)) return
  const { line, said } = ended
  const entry_id = line.trouble === null && line.step.name === 'kept' ? line.step.entry_id : null
  const message = say(said.text, tones[said.signal], {
    isRead: false,
    about:
      entry_id === null ? (
        said.title
      ) : (
        <Group justify="space-between" gap="xs">
          {said.title}
          <Button
            variant="default"
            px="sm"
            onClick={() => {
              hideSaid(message)
              happen({ what: 'take-back', key })
              backToScanning()
              void sayOutOfSight(key)
            }}
          >
            Annuler
          </Button>
        </Group>
      ),
  })
  if (entry_id === null || (await endOf(entry_id)) !== 'refused') return
  hideSaid(message)
  if (!isShown(key))
    say(knownEntry(entry_id)?.problem?.message ?? somethingFailed, 'bad', {
      isRead: false,
      about: said.title,
    })
}

const isShown = (key: string): boolean => isInSight(document.querySelector(`[data-line="${key}"]`))

/** What the lane says of a line once it is worked on; null where it is gone. */
const whenDone = (key: string): Promise<{ line: LaneLine; said: Said } | null> =>
  new Promise((resolve) => {
    const look = () => {
      const line = findLine(key)
      if (line && (line.step.name === 'looking' || line.under_way !== null)) return
      stop()
      const { said } = laneState()
      resolve(line && said && { line, said })
    }
    const stop = watchLane(look)
    look()
  })
