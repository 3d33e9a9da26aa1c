import { exportWeeding } from '../../contract/weeding.ts'
import { call } from '../api/call.ts'
import { sayError } from '../page/messages.ts'
import { saveFile } from '../ui/save-file.ts'

/** The cart, or what was withdrawn, as a workbook. */
export async function saveTable(weeding: number | null): Promise<void> {
  try {
    const of = weeding === null ? {} : { weeding: String(weeding) }
    saveFile(await call(exportWeeding, { query: { export_type: 'xlsx', ...of } }))
  } catch (error) {
    sayError(error, 'Le fichier n’a pas pu être fait.')
  }
}
