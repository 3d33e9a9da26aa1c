import * as returns from '../../contract/returns.ts'
import { call } from '../api/call.ts'
import { gestureKeys } from '../api/gesture-keys.ts'
import { refreshChanged } from '../api/refresh-changed.ts'

/** `of` is the undone action's key, because a loan may be lent and returned several times. */
export type Undone = { id: number; expects: 'lend' | 'return'; of: string }

const once = gestureKeys()

/** Takes back a loan's last lend or return on the server. Throws `CallError`. */
export async function undoLoan({ id, expects, of }: Undone): Promise<void> {
  try {
    await once(of, (key) => call(returns.undoLoan, { params: { id }, body: { expects }, key }))
  } finally {
    void refreshChanged('loanings')
  }
}
