import { frenchNumber } from '../../domain/french-number.ts'
import { clean } from './cell-text.ts'
import { decoded } from './charsets.ts'
import type { FileBytes } from './file-bytes.ts'
import { bounds, type DamagedRow, type FileCharset, type NoticeField, type NoticeRow } from './import-file.ts'
import { isUnreadable } from './iso-2709.ts'
import { attribute, type XmlEvent, xmlEvents } from './xml-events.ts'

type Row = NoticeRow | DamagedRow

/** A notice that is being read; `parts` is its element as it stands. */
type Open = {
  parts: string[]
  length: number
  leader: string
  fields: NoticeField[]
  field: {
    tag: string
    indicators: string
    value: string
    subfields: { code: string; value: string }[]
  } | null
  subfield: { code: string; value: string } | null
  within: 'leader' | 'controlfield' | null
  reason: string | null
}

const opened = (): Open => ({
  parts: [],
  length: 0,
  leader: '',
  fields: [],
  field: null,
  subfield: null,
  within: null,
  reason: null,
})

/**
 * Notices of marcxchange and MARCXML, whatever the prefix of their names and whatever stands around them (`collection`, the answer
 * of a catalogue). One that is not well formed costs itself alone: the next begins at the next `record`.
 */
export async function* marcXmlRows(
  file: FileBytes,
  charset: FileCharset,
): AsyncGenerator<Row, void, undefined> {
  let line = 0
  let open: Open | null = null
  const finish = (notice: Open): Row => {
    line += 1
    const original = notice.parts.join('')
    const fault = notice.fields.find(isUnreadable)
    const reason =
      notice.reason ??
      (notice.fields.length === 0 ? 'La notice n’a aucune zone.' : null) ??
      (fault ? `La zone ${fault.tag} a des signes qui ne sont pas lisibles dans ce jeu de caractères.` : null)
    return reason === null
      ? { type: 'notice', line, leader: notice.leader, fields: notice.fields, original }
      : { type: 'damaged', line, reason, original }
  }
  for await (const events of xmlEvents(decoded(file.pieces(), charset))) {
    for (const event of events) {
      if (event.type === 'open' && event.name === 'record') {
        // A `record` with nothing of a notice is what another one stands in.
        if (open && hasBegun(open)) {
          open.reason ??= 'La notice n’est pas refermée.'
          yield finish(open)
        }
        open = opened()
      }
      if (!open) continue
      keep(open, event.raw)
      if (event.type === 'close' && event.name === 'record') {
        if (hasBegun(open)) yield finish(open)
        open = null
      } else read(open, event)
    }
  }
  if (open && hasBegun(open)) {
    open.reason ??= 'La notice est coupée par la fin du fichier.'
    yield finish(open)
  }
}

const hasBegun = ({ leader, fields, field, within, reason }: Open) =>
  leader !== '' || fields.length > 0 || field !== null || within !== null || reason !== null

function keep(open: Open, raw: string): void {
  open.length += raw.length
  if (open.length <= bounds.xmlNotice) open.parts.push(raw)
  else open.reason ??= `La notice compte plus de ${frenchNumber(bounds.xmlNotice)} caractères.`
}

const misplaced = 'La notice est mal formée\u202f: ses éléments ne se referment pas dans l’ordre.'

function read(open: Open, event: XmlEvent): void {
  if (open.reason !== null) return
  if (event.type === 'fault')
    open.reason = 'La notice est mal formée\u202f: elle a un «\u00a0<\u00a0» de trop.'
  else if (event.type === 'text') addText(open, event.text)
  else if (event.type === 'open') openElement(open, event)
  else closeElement(open, event.name)
}

function addText(open: Open, text: string): void {
  if (open.subfield) open.subfield.value += text
  else if (open.within === 'leader') open.leader += text
  else if (open.within === 'controlfield' && open.field) open.field.value += text
}

function openElement(open: Open, { name, attributes, isClosed }: Extract<XmlEvent, { type: 'open' }>): void {
  if (name === 'leader' || name === 'controlfield' || name === 'datafield') {
    if (open.field || open.within) {
      open.reason = misplaced
      return
    }
    if (name !== 'datafield') open.within = name
    const indicators = `${attribute(attributes, 'ind1') ?? ' '}${attribute(attributes, 'ind2') ?? ' '}`
    if (name !== 'leader') {
      open.field = {
        tag: attribute(attributes, 'tag') ?? '',
        indicators: name === 'datafield' ? indicators : '',
        value: '',
        subfields: [],
      }
    }
  } else if (name === 'subfield') {
    if (!open.field || open.within || open.subfield) {
      open.reason = misplaced
      return
    }
    open.subfield = { code: attribute(attributes, 'code') ?? '', value: '' }
  }
  if (isClosed) closeElement(open, name)
}

function closeElement(open: Open, name: string): void {
  if (name === 'subfield') {
    if (!open.field || !open.subfield) open.reason = misplaced
    else open.field.subfields.push({ code: open.subfield.code, value: clean(open.subfield.value) })
    open.subfield = null
  } else if (name === 'leader') open.within = null
  else if (name === 'controlfield' || name === 'datafield') {
    const isSame = (name === 'controlfield') === (open.within === 'controlfield')
    if (!open.field || open.subfield || !isSame) open.reason = misplaced
    else if (!/^[0-9A-Za-z]{3}$/.test(open.field.tag)) open.reason = 'La notice a une zone sans numéro.'
    else open.fields.push({ ...open.field, value: clean(open.field.value) })
    open.field = null
    open.within = null
  }
}
