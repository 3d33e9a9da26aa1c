import { collection, type Collection, type ListQuery } from '../../contract/list.ts'

type Code<K> = { position: number; code: K; name: string }
type CodeItem<T, K> = { '@id': string; '@type': T; id: K; code: K; name: string }

const { compare } = new Intl.Collator('fr')

function difference(field: string, one: Code<string>, other: Code<string>): number {
  switch (field) {
    case 'code':
      return compare(one.code, other.code)
    case 'name':
      return compare(one.name, other.name)
    default:
      return one.position - other.position
  }
}

/** One page of the product's own codes, in their order there by default. */
export function listCodes<T extends string, K extends string>(
  type: T,
  path: string,
  names: Readonly<Record<K, string>>,
  { page, limit, order }: ListQuery,
): Collection<CodeItem<T, K>> {
  const codes = (Object.keys(names) as K[]).map((code, position) => ({ position, code, name: names[code] }))
  // The last order sorts first, because sorting is stable.
  for (const { field, direction } of order.toReversed()) {
    const sign = direction === 'asc' ? 1 : -1
    codes.sort((one, other) => sign * difference(field, one, other))
  }
  const members = codes
    .slice((page - 1) * limit, page * limit)
    .map(({ code, name }) => ({ '@id': `${path}/${code}`, '@type': type, id: code, code, name }))
  return collection(members, codes.length)
}
