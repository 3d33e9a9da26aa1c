// Tests of screens get this module for user-event (tests/vitest.config.ts): between two keys React draws what the first one changed, as it
// does between two of a hand.
import { createRequire } from 'node:module'

import { drawn } from './shipped-react.ts'

type Call = (...args: unknown[]) => unknown
const { userEvent } = createRequire(import.meta.url)('@testing-library/user-event') as {
  userEvent: Record<string, Call>
}

/** After how many arguments options follow. */
const before = {
  click: 1,
  dblClick: 1,
  hover: 1,
  unhover: 1,
  keyboard: 1,
  pointer: 1,
  paste: 1,
  tab: 0,
  type: 2,
  upload: 2,
  selectOptions: 2,
  deselectOptions: 2,
}

const patient = Object.fromEntries(
  Object.entries(before).map(([name, count]): [string, Call] => [
    name,
    (...args) =>
      userEvent[name]?.(...Array.from({ length: count }, (_, at) => args[at]), {
        advanceTimers: drawn,
        ...(args[count] as object | undefined),
      }),
  ]),
)

export default {
  ...userEvent,
  ...patient,
  setup: (options?: object) => userEvent['setup']?.({ advanceTimers: drawn, ...options }),
}
