import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { exportOf } from './files.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { day, id, instant, item } from './wire.ts'

/** `stopped`: all was given back before it was printed. */
export const letterStatuses = ['to_print', 'printed', 'stopped'] as const

/** A letter to a reader whom no mail reaches. */
export const letter = item('Letter', {
  beneficiary: id,
  name: v.string(),
  template: v.string(),
  why: v.picklist(['no_address', 'refused']),
  status: v.picklist(letterStatuses),
  /** Late loans that it speaks of now, or spoke of when it was printed. */
  loans: v.number(),
  address: v.nullable(v.string()),
  commune: v.nullable(v.string()),
  made_on: day,
  printed_at: v.nullable(instant),
  printed_by: v.nullable(v.string()),
})
export type Letter = v.InferOutput<typeof letter>

export const listLetters = endpoint({
  name: 'letters.list',
  method: 'GET',
  path: '/api/letters',
  access: 'BENEFICIARY_ADDRESS',
  summary: 'Les lettres de relance, à imprimer ou imprimées',
  list: {
    filters: {
      id: filterBy.id,
      status: filterBy.choice(letterStatuses),
      beneficiary: filterBy.id,
      commune: filterBy.text,
      made_on: filterBy.day,
    },
    orders: ['commune', 'name', 'made_on', 'id'],
    defaultOrder: ['commune', 'asc'],
  } satisfies ListShape,
  answer: collectionOf(letter),
})

export const mostLetters = 500

/** A page each, folded for a window envelope, in the order of the list. */
export const printLetters = exportOf(
  'letters',
  listLetters,
  ['pdf'],
  `Les lettres de relance, à imprimer et à plier\u202f: ${mostLetters} au plus à la fois`,
)

export const markLettersPrinted = endpoint({
  name: 'letters.printed',
  method: 'POST',
  path: '/api/letters/printed',
  access: 'BENEFICIARY_ADDRESS',
  summary: 'Dire que des lettres sont imprimées',
  body: v.strictObject({
    letters: v.pipe(
      v.array(id),
      v.minLength(1, 'doit nommer une lettre'),
      v.maxLength(mostLetters, `ne doit pas dépasser ${mostLetters} lettres`),
    ),
  }),
  answer: v.object({ letters: v.array(id) }),
})

export const letterEndpoints = [listLetters, printLetters, markLettersPrinted]
