import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { getInstallation, listSharedCodes as listSharedCodesCall } from '../../contract/installation.ts'
import { appVersion } from '../../domain/app-version.ts'
import {
  clockCheck,
  databaseCheck,
  inOrder,
  type OpenVersion,
  pagesCheck,
  proxyCheck,
  publicUrlCheck,
} from '../../domain/installation-checks.ts'
import type { Db } from '../db/handles.ts'
import { longRead } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { devicesInSight } from '../sight/sight.ts'
import { askDatabase } from './ask-database.ts'
import { checkMachine } from './check-machine.ts'
import { listSharedCodes } from './shared-codes.ts'

async function readInstallation(
  db: Db,
  _input: unknown,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof getInstallation>>> {
  const { environment, now, publicUrl } = exchange
  const installed = exchange.installed()
  const { way, isProxyTrusted } = installed
  const { ahead, ...facts } = await askDatabase(db)
  const open = await openVersions(db, exchange)
  // A machine that serves several libraries is no single one's.
  const machine = installed.isShared ? [] : await checkMachine(installed, now)
  const cameBy = (isProxyTrusted ? way.forwardedHost : null) ?? way.host
  const checks = inOrder([
    ...machine,
    databaseCheck({ kind: environment.engine ? 'embedded' : 'postgres', ...facts, trouble: null }),
    clockCheck('clock', ahead),
    publicUrlCheck({ publicUrl, cameBy, health: null }),
    proxyCheck({ way, isProxyTrusted, publicUrl }),
    pagesCheck({ version: appVersion, open }),
  ])
  return done({ '@type': 'Installation', at: now.toISOString(), version: appVersion, checks })
}

/** A page that is in sight reports every ten minutes; so many seconds later it may be closed. */
const heardWithin = 1800

async function openVersions(db: Db, { sight, now }: Exchange): Promise<OpenVersion[]> {
  const { rows } = await sql<OpenVersion>`
    select d.app_version as version, count(*)::integer as count
    from devices d left join users u on u.id = d.user_id
    where ${devicesInSight(sight)} and d.app_version <> ''
      and d.reported_at > ${now.toISOString()}::timestamptz - make_interval(secs => ${heardWithin})
    group by d.app_version order by d.app_version`.execute(db)
  return rows
}

export const installationRoutes = [
  // It waits for the mail server, and a scan does not wait for it.
  longRead(getInstallation, readInstallation),
  longRead(listSharedCodesCall, listSharedCodes),
]
