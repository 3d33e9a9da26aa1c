import * as v from 'valibot'

import { aNoun, type NounOfThings } from '../domain/noun.ts'
import { type Access, type Endpoint, endpoint } from './endpoint.ts'
import { collectionOf, type Direction, type FilterField } from './list.ts'
import { byId, item, nothing } from './wire.ts'

type ListedOptions<
  Shown extends v.ObjectEntries,
  Filters extends Record<string, FilterField>,
  Orders extends readonly [string, ...string[]],
> = {
  /** For summaries: `['une catégorie', 'les catégories']`. */
  words: readonly [one: string, several: string]
  /** Any signed-in person unless said. */
  listedBy?: Access
  shown: Shown
  filters: Filters
  /** The first is the default. */
  orders: Orders
  defaultDirection?: Direction
}

type ResourceOptions<
  Written extends v.ObjectEntries,
  Shown extends v.ObjectEntries,
  Filters extends Record<string, FilterField>,
  Orders extends readonly [string, ...string[]],
> = Omit<ListedOptions<Shown, Filters, Orders>, 'words'> & {
  noun: NounOfThings
  /** Any of several rights lets in; the verb may ask for more. */
  changedBy: Access
  /** Also answered, unless `shown` overrides a field. */
  written: Written
}

/** `name` is the address under /api and begins the endpoints' names; `type` is the `@type`. */
export function listed<
  const Name extends string,
  const Type extends string,
  Shown extends v.ObjectEntries,
  const Filters extends Record<string, FilterField>,
  const Orders extends readonly [string, ...string[]],
>(name: Name, type: Type, options: ListedOptions<Shown, Filters, Orders>) {
  const { words, shown, filters, orders } = options
  const member = item<Type, Shown>(type, shown)
  const path = `/api/${name}` as const
  const list = endpoint({
    name: `${name}.list`,
    method: 'GET',
    path,
    access: options.listedBy ?? 'signed-in',
    summary: `Lister ${words[1]}`,
    list: { filters, orders, defaultOrder: [orders[0], options.defaultDirection ?? 'asc'] },
    answer: collectionOf(member),
  })
  return { name, type, path, member, list }
}

export function resource<
  const Name extends string,
  const Type extends string,
  Written extends v.ObjectEntries,
  Shown extends v.ObjectEntries,
  const Filters extends Record<string, FilterField>,
  const Orders extends readonly [string, ...string[]],
>(name: Name, type: Type, options: ResourceOptions<Written, Shown, Filters, Orders>) {
  const { noun, changedBy: access, written, shown } = options
  const one = aNoun(noun)
  const { member, path, list } = listed<Name, Type, Omit<Written, keyof Shown> & Shown, Filters, Orders>(
    name,
    type,
    {
      ...options,
      words: [one, `les ${noun.many}`],
      shown: { ...written, ...shown },
    },
  )
  const onePath = `/api/${name}/{id}` as const
  const add = endpoint({
    name: `${name}.add`,
    method: 'POST',
    path,
    access,
    summary: `Ajouter ${one}`,
    body: v.strictObject(written),
    answer: member,
    status: 201,
  })
  const change = endpoint({
    name: `${name}.change`,
    method: 'PUT',
    path: onePath,
    access,
    summary: `Changer ${one}`,
    params: byId,
    body: v.partial(v.strictObject(written)),
    answer: member,
  })
  const remove = endpoint({
    name: `${name}.remove`,
    method: 'DELETE',
    path: onePath,
    access,
    summary: `Supprimer ${one}`,
    params: byId,
    answer: nothing,
    status: 204,
  })
  return { name, type, path, noun, written, member, list, add, change, remove }
}

/** Adds `POST /{id}/toggle`. What is switched off is no longer offered but stays where it is used. */
export function switchable<R extends Resource>(of: R) {
  const toggle = endpoint({
    name: `${of.name as R['name']}.toggle`,
    method: 'POST',
    path: `/api/${of.name as R['name']}/{id}/toggle`,
    access: of.add.access,
    summary: `Activer ou désactiver ${aNoun(of.noun)}`,
    params: byId,
    answer: of.member,
  })
  return { ...of, toggle }
}

export type Listed = ReturnType<typeof listed>
export type Resource = ReturnType<typeof resource>
export type ItemOf<R extends Pick<Listed, 'member'>> = v.InferOutput<R['member']> & { id: number }

export const endpointsOf = (of: Resource & { toggle?: Endpoint; move?: Endpoint }): Endpoint[] => [
  of.list,
  of.add,
  of.change,
  of.remove,
  ...(of.toggle ? [of.toggle] : []),
  ...(of.move ? [of.move] : []),
]
