import type { BodyOf } from '../../contract/endpoint.ts'
import type { applyInventory } from '../../contract/inventories.ts'
import type { FindingAction, FindingGroup } from '../../domain/inventory.ts'

/** What is to be done about a group: all of it but `except`, or nothing of it but `only`. */
export type Choice = {
  action: FindingAction | null
  rows: { kind: 'except' | 'only'; keys: readonly string[] }
}
export type Choices = Partial<Record<FindingGroup, Choice>>

export const noChoice: Choice = { action: null, rows: { kind: 'except', keys: [] } }

export const isTicked = ({ rows }: Choice, key: string): boolean =>
  rows.keys.includes(key) === (rows.kind === 'only')

export function tick({ action, rows }: Choice, key: string): Choice {
  const keys = rows.keys.includes(key) ? rows.keys.filter((one) => one !== key) : [...rows.keys, key]
  return { action, rows: { kind: rows.kind, keys } }
}

export const countOf = ({ rows }: Choice, total: number): number =>
  rows.kind === 'only' ? rows.keys.length : Math.max(0, total - rows.keys.length)

type Body = BodyOf<typeof applyInventory>

export const bodyOf = (choices: Choices): Body =>
  Object.fromEntries(
    Object.entries(choices).flatMap(([group, { action, rows }]) =>
      action === null || (rows.kind === 'only' && rows.keys.length === 0)
        ? []
        : [[group, { action, [rows.kind]: rows.keys }]],
    ),
  ) as Body
