import * as call from '../../contract/session.ts'
import * as image from '../../contract/environment-image.ts'
import * as sessions from '../../contract/sessions.ts'
import { change, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { askReset } from './ask-reset.ts'
import { changePassword } from './change-password.ts'
import { removeEnvironmentImage, replaceEnvironmentImage } from './change-environment-image.ts'
import { currentUser } from './current-user.ts'
import { endSession, endSessions } from './end-sessions.ts'
import { demonstrationAccounts } from './demonstration-accounts.ts'
import { findEnvironment, logIn } from './log-in.ts'
import { logInByLink } from './log-in-by-link.ts'
import { logOut } from './log-out.ts'
import { openSeal } from './open-seal.ts'
import { resetPassword } from './reset-password.ts'
import { listOpenSessions } from './session-queries.ts'

// Calls with a password or token keep no answer (docs/decisions/0016-session-calls-keep-no-answer.md).
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
  // « storage » would also take the queue and the application off line.
  change(call.logOut, logOut, { 'Clear-Site-Data': '"cache"' }),
  read(call.getMe, currentUser),
  read(call.askReset, askReset),
  read(call.resetPassword, resetPassword),
  read(call.changePassword, changePassword),
  read(sessions.openSeal, openSeal),
  read(sessions.listSessions, async (db, { list }, exchange) =>
    done(await listOpenSessions(db, list, exchange)),
  ),
  change(image.replaceEnvironmentImage, replaceEnvironmentImage),
  change(image.removeEnvironmentImage, removeEnvironmentImage),
  change(sessions.endSession, endSession),
  change(sessions.endSessions, endSessions),
]
