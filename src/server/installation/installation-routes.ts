import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import {
  getBackupTrouble,
  getInstallation,
  listSharedCodes as listSharedCodesCall,
} from '../../contract/installation.ts'
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
import { backupTrouble } from '../../domain/machine-checks.ts'
import type { Db } from '../db/handles.ts'
import { atSites } from '../db/lists/list-sql.ts'
import { longRead, read } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { visibleDevices, readerOpen } from '../visibility/visibility.ts'
import { askDatabase } from './ask-database.ts'
import { checkMachine, lookAtBackup } from './check-machine.ts'

type Answer = AnswerOf<typeof listSharedCodesCall>
type Row = Answer['codes'][number] & { total: number }

/** Enough to begin with: once these are mended, the next ones come. */
const most = 20

/** Codes that name several things, from before they were refused (db/held-codes.ts); readers are not named, nor is what is out of sight. */
async function listSharedCodes(
  db: Db,
  _input: unknown,
  { visibility }: Pick<Exchange, 'visibility'>,
): Promise<Outcome<Answer>> {
  const { rows } = await sql<Row>`
    with held as (
      select lower(c.bar_code) as code, 'copy' as kind, c.id, ${atSites(sql`c.site`, visibility.open)} as seen
        from copies c where c.deleted_at is null
      union all select lower(p.bar_code), 'location', p.id, true
        from locations p where p.bar_code is not null and p.deleted_at is null
      union all select lower(b.reader_id), 'reader', b.id, ${readerOpen(visibility)}
        from beneficiaries b where b.reader_id is not null and b.deleted_at is null
      union all select lower(rel.reader_id), 'relative', rel.id, ${readerOpen(visibility)}
        from relatives rel join beneficiaries b on b.id = rel.beneficiary
        where rel.reader_id is not null and rel.deleted_at is null
    ), shared as (
      select code, count(*) over ()::integer as total from held group by code
      having count(*) > 1 and bool_or(seen) order by code limit ${most}
    )
    select shared.code, shared.total, json_agg(json_build_object(
      'kind', h.kind,
      'written', case when h.seen then coalesce(c.bar_code, p.bar_code, rel.reader_id, b.reader_id) else shared.code end,
      'name', coalesce(r.name, case when h.seen then p.label end),
      'leads_to', coalesce(r.id, case when ${readerOpen(visibility)} then b.id end)
    ) order by h.kind, h.id) as holders
    from shared join held h using (code)
      left join copies c on h.kind = 'copy' and c.id = h.id
      left join "references" r on r.id = c.reference and ${atSites(sql`c.site`, visibility.open)}
      left join locations p on h.kind = 'location' and p.id = h.id
      left join relatives rel on h.kind = 'relative' and rel.id = h.id
      left join beneficiaries b on b.id = case h.kind when 'reader' then h.id else rel.beneficiary end
    group by shared.code, shared.total order by shared.code`.execute(db)
  return done({
    total: rows[0]?.total ?? 0,
    codes: rows.map(({ code, holders }) => ({ code, holders })),
  })
}

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
  const cameBy = (isProxyTrusted ? way.forwardedHost : null) ?? way.host
  const checks = inOrder([
    ...(await checkMachine(installed, now)),
    databaseCheck({ kind: environment.engine ? 'embedded' : 'postgres', ...facts, trouble: null }),
    clockCheck('clock', ahead),
    publicUrlCheck({ publicUrl, cameBy, health: null }),
    proxyCheck({ way, isProxyTrusted, publicUrl }),
    pagesCheck({ version: appVersion, open }),
  ])
  return done({ '@type': 'Installation', at: now.toISOString(), version: appVersion, checks })
}

/** Of home, which asks it each morning: so nobody's mail server is greeted for it. */
const readBackupTrouble = async (
  _db: Db,
  _input: unknown,
  exchange: Pick<Exchange, 'installed' | 'now'>,
): Promise<Outcome<AnswerOf<typeof getBackupTrouble>>> =>
  done({
    '@type': 'Backup',
    trouble: backupTrouble(await lookAtBackup(exchange.installed(), exchange.now)),
  })

/** A page that is in sight reports every ten minutes; so many seconds later it may be closed. */
const heardWithin = 1800

async function openVersions(db: Db, { visibility, now }: Exchange): Promise<OpenVersion[]> {
  const { rows } = await sql<OpenVersion>`
    select d.app_version as version, count(*)::integer as count
    from devices d left join users u on u.id = d.user_id
    where ${visibleDevices(visibility)} and d.app_version <> ''
      and d.reported_at > ${now.toISOString()}::timestamptz - make_interval(secs => ${heardWithin})
    group by d.app_version order by d.app_version`.execute(db)
  return rows
}

export const installationRoutes = [
  // It waits for the mail server, and a scan does not wait for it.
  longRead(getInstallation, readInstallation),
  read(getBackupTrouble, readBackupTrouble),
  longRead(listSharedCodesCall, listSharedCodes),
]
