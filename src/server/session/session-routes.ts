import * as call from '../../contract/session.ts'
import { change, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { askReset } from './ask-reset.ts'
import { changePassword } from './change-password.ts'
import { currentUser } from './current-user.ts'
import { findEnvironment, logIn } from './log-in.ts'
import { logInByLink } from './log-in-by-link.ts'
import { logOut } from './log-out.ts'
import { resetPassword } from './reset-password.ts'

/** Accounts of a demonstration, one of each profile. */
export const demonstrationAccounts = {
  usernames: ['admin', 'biblio', 'benevole', 'lecture'],
  password: 'comptoir-demo',
}

// Calls that carry a password or answer a token look after their own transactions and keep no answer for an Idempotency-Key
// (docs/decisions/0016-session-calls-keep-no-answer.md).
export const sessionRoutes = [
  read(call.getDns, async (_db, _input, { environment, parameters }) =>
    done({
      id: environment.id,
      name: parameters.get('work_council') || environment.name,
      ...(environment.demonstration ? { demonstration: demonstrationAccounts } : {}),
    }),
  ),
  read(call.findEnvironment, findEnvironment),
  read(call.logIn, logIn),
  read(call.logInByLink, logInByLink),
  change(call.logOut, logOut),
  read(call.getMe, currentUser),
  read(call.askReset, askReset),
  read(call.resetPassword, resetPassword),
  read(call.changePassword, changePassword),
]
