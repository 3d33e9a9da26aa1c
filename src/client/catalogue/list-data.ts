import { queryOptions } from '@tanstack/react-query'

import { type ListType, listTypes } from '../../contract/list-types.ts'
import { listValues } from '../../contract/list-values.ts'
import { membersOf, type Filter } from '../../contract/list.ts'
import { type ListGroup, listGroups, listGroupWords } from '../../domain/list-groups.ts'
import { call } from '../api/call.ts'
import { listQuery } from '../api/queries.ts'

/** All functions, also those that are no longer offered. */
export const listTypesQuery = queryOptions({
  queryKey: ['list_types', 'all'],
  queryFn: ({ signal }) => call(listTypes.list, { list: { limit: 500 }, signal }),
  select: (page) => membersOf(page),
  staleTime: 10 * 60_000,
})

/** So many are offered at once; where a function has more, they are searched. */
export const mostOffered = 200

const valuesQuery = (enabled: boolean) => (type: number, typed: string) =>
  listQuery(listValues.list, {
    limit: mostOffered,
    filters: [
      { field: 'type', operator: 'eq', value: type },
      { field: 'enabled', operator: 'eq', value: enabled },
      ...(typed === '' ? [] : [{ field: 'name', operator: 'like', value: typed } satisfies Filter]),
    ],
  })
export const offeredValuesQuery = valuesQuery(true)
export const disabledValuesQuery = valuesQuery(false)

export const groupChoices = listGroups.map((group) => ({ value: group, label: listGroupWords[group] }))

export const groupWord = ({ group }: { group: ListGroup }): string => listGroupWords[group]

/** « Auteur (Auteurs) »: functions of two groups may have one name. */
export const typeChoice = ({ id, name, group }: ListType) => ({
  value: String(id),
  label: `${name} (${listGroupWords[group].toLowerCase()})`,
})
