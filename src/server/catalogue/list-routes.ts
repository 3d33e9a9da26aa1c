import * as types from '../../contract/list-types.ts'
import * as values from '../../contract/list-values.ts'
import * as fields from '../../contract/reference-fields.ts'
import { change, read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { changeReferenceField } from './change-reference-field.ts'
import { countLinks, listTypeRows, listValueRows, referenceFieldRows } from './list-rows.ts'
import { mergeListValues } from './merge-list-values.ts'
import { addListType, changeListType, noSuchType, removeListType, toggleListType } from './save-list-type.ts'
import { addListValue, changeListValue, removeListValue, toggleListValue } from './save-list-value.ts'

export const listRoutes = [
  read(types.listTypes.list, async (db, { list }) => done(await listTypeRows.list(db, list))),
  change(types.listTypes.add, addListType),
  change(types.listTypes.change, changeListType),
  change(types.listTypes.remove, removeListType),
  change(types.listTypes.toggle, toggleListType),
  change(types.toggleListTypeByGet, toggleListType),
  read(types.countListTypeLinks, async (db, { params: { id } }) =>
    (await listTypeRows.find(db, id)) ? done({ nb_links: await countLinks(db, id) }) : notFound(noSuchType),
  ),
  read(values.listValues.list, async (db, { list }) => done(await listValueRows.list(db, list))),
  change(values.listValues.add, addListValue),
  change(values.listValues.change, changeListValue),
  change(values.listValues.remove, removeListValue),
  change(values.listValues.toggle, toggleListValue),
  change(values.toggleListValueByGet, toggleListValue),
  change(values.mergeListValues, mergeListValues),
  change(values.mergeListValuesByGet, mergeListValues),
  read(fields.referenceFields.list, async (db, { list }) => done(await referenceFieldRows.list(db, list))),
  change(fields.changeReferenceField, changeReferenceField),
]
