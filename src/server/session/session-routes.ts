import * as call from '../../contract/session.ts'
import * as image from '../../contract/environment-image.ts'
import * as passwords from '../../contract/passwords.ts'
import * as factor from '../../contract/second-factor.ts'
import * as sessions from '../../contract/sessions.ts'
import { change, changeAfter, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { askReset } from './ask-reset.ts'
import { changePassword } from './change-password.ts'
import {
  drawEnvironmentImage,
  removeEnvironmentImage,
  replaceEnvironmentImage,
} from './change-environment-image.ts'
import { choosePassword } from './choose-password.ts'
import { currentUser } from './current-user.ts'
import { endSession, endSessions } from './end-sessions.ts'
import { demonstrationAccounts } from './demonstration-accounts.ts'
import { findEnvironment, logIn } from './log-in.ts'
import { logInByLink } from './log-in-by-link.ts'
import { logOut } from './log-out.ts'
import { openSeal } from './open-seal.ts'
import { resetPassword } from './reset-password.ts'
import {
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from './second-factor.ts'
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
  read(passwords.askReset, askReset),
  read(passwords.resetPassword, resetPassword),
  read(passwords.changePassword, changePassword),
  read(passwords.choosePassword, choosePassword),
  read(factor.getSecondFactor, readSecondFactor),
  read(factor.startSecondFactor, startSecondFactor),
  read(factor.confirmSecondFactor, confirmSecondFactor),
  read(factor.renewRecoveryCodes, renewRecoveryCodes),
  read(factor.removeSecondFactor, removeSecondFactor),
  read(sessions.openSeal, openSeal),
  read(sessions.listSessions, async (db, { list }, exchange) =>
    done(await listOpenSessions(db, list, exchange)),
  ),
  changeAfter(image.replaceEnvironmentImage, drawEnvironmentImage, replaceEnvironmentImage),
  change(image.removeEnvironmentImage, removeEnvironmentImage),
  change(sessions.endSession, endSession),
  change(sessions.endSessions, endSessions),
]
