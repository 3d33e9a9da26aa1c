import * as call from '../../contract/site-changes.ts'
import { sites } from '../../contract/sites.ts'
import { defaultSymbology } from '../../domain/label-symbologies.ts'
import { numberingFault } from '../../domain/site-bar-code.ts'
import { nextBarCode, noSuchSite, sampleOf } from '../catalogue/next-bar-code.ts'
import { change, read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { addSite, changeSite, siteRows } from './save-site.ts'

export const siteRoutes = [
  read(sites.list, async (db, { list }) => done(await siteRows.list(db, list))),
  read(call.getSite, async (db, { params }) => {
    const site = await siteRows.find(db, params.id)
    return site ? done(site) : notFound(noSuchSite)
  }),
  change(call.addSite, addSite),
  change(call.changeSite, changeSite),
  read(call.getNextBarCode, async (db, { params: { id } }, { visibility }) =>
    isSiteOpen(visibility, id) ? nextBarCode(db, id) : notFound(noSuchSite),
  ),
  read(call.sampleBarCodes, async (db, { query: { site = null, symbology, ...numbering } }) => {
    const configuration = { ...numbering, symbology: symbology ?? defaultSymbology }
    // What cannot be saved would give none.
    if (numberingFault(configuration)) return done({ bar_codes: [] })
    return done({ bar_codes: await sampleOf(db, configuration, site) })
  }),
]
