import * as v from 'valibot'

import type { NounOfThings } from '../domain/noun.ts'
import type { Right } from '../domain/rights.ts'
import { type Access, endpoint } from './endpoint.ts'
import type { Field } from './field-kinds.ts'
import { filterBy, type FilterField } from './list.ts'
import { type Resource, resource, switchable } from './resource.ts'
import { byId, linkTo } from './wire.ts'

type Fields = Readonly<Record<string, FieldOf>>
/** As every kind has it; `Field` is one of the kinds. */
type FieldOf = {
  kind: string
  label: string
  written?: v.GenericSchema
  shown: v.GenericSchema
  filter?: FilterField
  isOrder?: true
}

/** All that is known of a list of the settings. */
type Description<F extends Fields = Readonly<Record<string, Field>>> = {
  noun: NounOfThings
  title: string
  /** What these are for: one sentence, under the title. */
  purpose: string
  /** One such, for whoever has none yet. */
  example: string
  changedBy: Right | readonly [Right, ...Right[]]
  /** The first is what one is called by; no two have the same. */
  fields: F
  /** Why one that serves is not deleted; `many` follows how many there are. */
  inUse?: { one: string; many: string }
  archive: { file: `${string}.csv`; about: string; since?: number }
  /** Where its screen is `/settings/` and its name. */
  help?: readonly string[]
}

type Written<F extends Fields> = {
  [N in keyof F as F[N] extends { written: v.GenericSchema } ? N : never]: F[N] extends {
    written: infer S extends v.GenericSchema
  }
    ? S
    : never
}
type Shown<F extends Fields> = { [N in keyof F]: F[N]['shown'] }
type Filters<F extends Fields> = { id: typeof filterBy.id } & {
  [N in keyof F as F[N] extends { filter: FilterField } ? N : never]: F[N] extends {
    filter: infer K extends FilterField
  }
    ? K
    : never
}
type Order<F extends Fields> =
  'id' | { [N in keyof F & string]: F[N] extends { isOrder: true } ? N : never }[keyof F & string]

const partsOf = (fields: Fields, part: 'written' | 'shown' | 'filter') =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field[part] ? [[name, field[part]]] : [])),
  )

/** A list of the settings from its description: its calls, and what screens, journal, archive and tests read. */
export function described<const Name extends string, const Type extends string, const F extends Fields>(
  name: Name,
  type: Type,
  description: Description<F>,
) {
  const { noun, changedBy, fields } = description
  const orders = Object.keys(fields).filter((field) => fields[field]?.isOrder)
  const plain = resource<Name, Type, Written<F>, Shown<F>, Filters<F>, readonly [Order<F>, ...Order<F>[]]>(
    name,
    type,
    {
      noun,
      changedBy,
      written: partsOf(fields, 'written') as Written<F>,
      shown: partsOf(fields, 'shown') as Shown<F>,
      filters: { id: filterBy.id, ...partsOf(fields, 'filter') } as Filters<F>,
      orders: [...orders, 'id'] as unknown as readonly [Order<F>, ...Order<F>[]],
    },
  )
  const of = { ...plain, description }
  return ('enabled' in fields ? switchable(of) : of) as unknown as typeof of &
    (F extends { enabled: FieldOf } ? Pick<ReturnType<typeof switchable<typeof of>>, 'toggle'> : object)
}

/** How what is of one passes to another, so that the first can be deleted. */
type Move = {
  summary: string
  /** « Références déplacées » and « Déplacement des références », in the journal. */
  moved: string
  action: string
  /** « Choisissez leur catégorie. » */
  missing: string
}

/** Adds `POST /{id}/move`. */
export function movable<const R extends { name: string; add: { access: Access } }>(of: R, moves: Move) {
  const name: R['name'] = of.name
  const move = endpoint({
    name: `${name}.move`,
    method: 'POST',
    path: `/api/${name}/{id}/move`,
    access: of.add.access,
    summary: moves.summary,
    params: byId,
    body: v.strictObject({ into: linkTo(name) }),
    answer: v.object({ count: v.number() }),
  })
  return { ...of, move, moves }
}

/** Any of them, for code that serves all. */
export type Described = Resource & {
  description: Description
  toggle?: ReturnType<typeof switchable>['toggle']
  move?: ReturnType<typeof movable>['move']
  moves?: Move
}
