import { sql } from 'kysely'

import * as image from '../../contract/environment-image.ts'
import type {
  removeEnvironmentImage as removeCall,
  replaceEnvironmentImage as replaceCall,
} from '../../contract/environment-image.ts'
import * as passwords from '../../contract/passwords.ts'
import * as factor from '../../contract/second-factor.ts'
import * as call from '../../contract/session.ts'
import type { CurrentUser } from '../../contract/session.ts'
import { openSeal as openSealCall } from '../../contract/seal.ts'
import * as sessions from '../../contract/sessions.ts'
import { rightCodes } from '../../domain/rights.ts'
import { invalidFile, shortFileName } from '../../domain/upload-rules.ts'
import type { Db, Trx } from '../db/handles.ts'
import {
  type DrawnPicture,
  drawPicture,
  keepPicture,
  newPictureName,
  pathOfPicture,
} from '../files/drawn-picture.ts'
import { change, changeAfter, changeUnkept, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { changePassword } from './change-password.ts'
import { demonstrationAccounts } from './demonstration-accounts.ts'
import { endSession, endSessions, listOpenSessions } from './end-sessions.ts'
import { dueOf } from './find-caller.ts'
import { findEnvironment, logIn, logInByLink, logOut } from './log-in.ts'
import { openSeal } from './open-seal.ts'
import { askReset, choosePassword, resetPassword } from './reset-password.ts'
import {
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from './second-factor.ts'

/** The image is shown at 88 pixels, on screens that draw up to three for one. */
const side = 512

type Input = VerbInput<typeof replaceCall>

const drawEnvironmentImage = ({ file }: Input) => drawPicture(file.path, [side])

async function replaceEnvironmentImage(
  trx: Trx,
  { file }: Input,
  exchange: Exchange,
  drawn: DrawnPicture | null,
): Promise<Outcome<{ image: string }>> {
  if (!drawn) return violation('file', `«\u00a0${shortFileName(file.name)}\u00a0» ${invalidFile}`)
  const { environment } = exchange
  const kept = { directory: 'images', name: newPictureName() }
  await keepPicture(drawn, environment.files, kept)
  await setImage(trx, exchange, pathOfPicture(kept.directory, kept.name, side))
  return done({ image: `/api/image/env/${environment.id}` })
}

async function removeEnvironmentImage(
  trx: Trx,
  _: VerbInput<typeof removeCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  await setImage(trx, exchange, null)
  return done(null)
}

async function setImage(trx: Trx, exchange: Exchange, image_path: string | null): Promise<void> {
  const { id, image_path: before } = await trx
    .selectFrom('environment')
    .select(['id', 'image_path'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before === image_path) return
  await trx.updateTable('environment').set({ image_path }).execute()
  await journal(trx, exchange, {
    action: 'image.replace',
    entity: 'environment',
    entity_id: id,
    before: { image_path: before },
    after: { image_path },
  })
}

async function currentUser(db: Db, _input: unknown, { caller }: Exchange): Promise<Outcome<CurrentUser>> {
  const { due, ...user } = await db
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.profile')
    .innerJoin('sessions as s', 's.user_id', 'u.id')
    .select(['u.id', 'u.username', 'u.firstname', 'u.lastname', 'u.email'])
    .select(dueOf.as('due'))
    .where('s.id', '=', caller.session_id)
    .executeTakeFirstOrThrow()
  let open = db
    .selectFrom('sites')
    .select(['id', 'name'])
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
  if (caller.sites.length > 0) open = open.where('id', '=', sql<number>`any(${[...caller.sites]}::int[])`)
  const sites = await open.execute()
  const worked = await db
    .selectFrom('devices')
    .select('site')
    .where('user_id', '=', user.id)
    .where('site', 'is not', null)
    .orderBy('last_seen', 'desc')
    .limit(1)
    .executeTakeFirst()
  const usual = sites.find(({ id }) => id === worked?.site)
  return done({
    '@id': `/api/users/${user.id}`,
    '@type': 'User',
    ...user,
    role: caller.role,
    rights: rightCodes.filter((code) => caller.rights.has(code)),
    providers: ['local'],
    sites,
    ...(usual ? { usual_site: usual.id } : {}),
    ...(due === null ? {} : { due }),
  })
}

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
  changeUnkept(call.logIn, logIn),
  changeUnkept(call.logInByLink, logInByLink),
  // « storage » would also take the queue and the application off line.
  change(call.logOut, logOut, { 'Clear-Site-Data': '"cache"' }),
  read(call.getMe, currentUser),
  changeUnkept(passwords.askReset, askReset),
  changeUnkept(passwords.resetPassword, resetPassword),
  changeUnkept(passwords.changePassword, changePassword),
  changeUnkept(passwords.choosePassword, choosePassword),
  read(factor.getSecondFactor, readSecondFactor),
  changeUnkept(factor.startSecondFactor, startSecondFactor),
  changeUnkept(factor.confirmSecondFactor, confirmSecondFactor),
  changeUnkept(factor.renewRecoveryCodes, renewRecoveryCodes),
  changeUnkept(factor.removeSecondFactor, removeSecondFactor),
  changeUnkept(openSealCall, openSeal),
  read(sessions.listSessions, async (db, { list }, exchange) =>
    done(await listOpenSessions(db, list, exchange)),
  ),
  changeAfter(image.replaceEnvironmentImage, drawEnvironmentImage, replaceEnvironmentImage),
  change(image.removeEnvironmentImage, removeEnvironmentImage),
  change(sessions.endSession, endSession),
  change(sessions.endSessions, endSessions),
]
