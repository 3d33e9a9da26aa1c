import { eraseBeneficiary, getReaderData } from '../../contract/beneficiary-changes.ts'
import * as call from '../../contract/personal-data.ts'
import { mayErase } from '../../domain/erasing.ts'
import { change, keepingFile, longRead } from '../http/binding.ts'
import { done, forbidden } from '../http/outcome.ts'
import { agree } from './agree.ts'
import { eraseBeneficiary as eraseOne } from './erase-beneficiary.ts'
import { eraseInactive } from './erase-inactive.ts'
import { exportReaderData } from './export-reader-data.ts'
import { inactiveRows } from './inactive-readers.ts'
import { readPersonalData } from './read-personal-data.ts'
import { suspend } from './suspend.ts'

export const personalDataRoutes = [
  longRead(call.getPersonalData, async (db, _, exchange) => done(await readPersonalData(db, exchange))),
  change(call.agreeToForgetting, agree),
  change(call.suspendForgetting, suspend),
  longRead(call.inactiveReaders.list, async (db, { list }, exchange) =>
    mayErase(exchange.caller.rights) ? done(await inactiveRows(exchange).list(db, list)) : forbidden(),
  ),
  change(call.eraseInactive, eraseInactive),
  keepingFile(getReaderData, exportReaderData),
  change(eraseBeneficiary, eraseOne),
]
