import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { ListType } from '../../contract/list-types.ts'
import { listValues } from '../../contract/list-values.ts'
import { totalOf, membersOf } from '../../contract/list.ts'
import { hasLevels, levelsOf, ofLevels } from '../../domain/list-groups.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { sayError } from '../page/messages.ts'
import { folded, hasEveryWord } from '../ui/every-word.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { disabledValuesQuery, mostOffered, offeredValuesQuery } from './list-data.ts'

type CodedValueProps = {
  /** Undefined while no function is chosen. */
  type: ListType | undefined
  value: string
  /** Values of the same function in other lines, which are not offered twice. */
  used: readonly string[]
  onChange: (value: string) => void
  /** Of a value that could not be made. */
  onRefused: (value: string) => void
}

/** A value of a function: from a list, level by level, or made on the spot by whoever may. */
export function CodedValue({ type, ...rest }: CodedValueProps) {
  if (!type) return <Select label="Valeur" disabled flex="2 1 14rem" data={[]} value={null} />
  return <ValueOf type={type} {...rest} />
}

type ValueOfProps = CodedValueProps & { type: ListType }

function ValueOf({ type, value, used, onChange, onRefused }: ValueOfProps) {
  const [typed, setTyped] = useState('')
  const { data: all } = useQuery(offeredValuesQuery(type.id, ''))
  const isLong = (totalOf(all) ?? 0) > mostOffered
  const sought = useDebounced(typed.trim())
  const { data: found } = useQuery({
    ...offeredValuesQuery(type.id, sought),
    enabled: isLong && sought !== '' && sought !== value,
  })
  const page = isLong && sought !== '' && sought !== value ? found : all
  const names = (membersOf(page) ?? [])
    .map(({ name }) => name)
    .filter((name) => !used.includes(name) && name !== value)
  const offered = value === '' ? names : [value, ...names]
  if (!isLong && offered.some(hasLevels)) {
    return <Levels names={offered} value={value} onChange={onChange} />
  }
  return (
    <OneOf
      type={type}
      value={value}
      offered={offered}
      used={used}
      onChange={onChange}
      onRefused={onRefused}
      onTyped={setTyped}
    />
  )
}

/** The choices for what was typed, beside those that are offered; no name of a value has this sign. */
const toMake = '\u0000'
const switchedOff = '\u0000off'

type OneOfProps = ValueOfProps & { offered: readonly string[]; onTyped: (text: string) => void }

function OneOf({ type, value, offered, used, onChange, onRefused, onTyped }: OneOfProps) {
  const mayMake = useRight('PARAMETER_REFERENCE')
  const add = useChange(listValues.add)
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const isTyped = (name: string) => folded(name) === folded(text)
  const isNew = text !== '' && ![...offered, ...used].some(isTyped)
  const sought = useDebounced(text)
  const { data: off } = useQuery({
    ...disabledValuesQuery(type.id, sought),
    enabled: isNew && sought === text,
  })
  const disabled = membersOf(off)?.find(({ name }) => isTyped(name))
  // It stands in the line at once, so that nothing is saved without it meanwhile.
  const make = () => {
    onChange(text)
    add.mutateAsync({ body: { name: text, type: type.id } }).catch((error: unknown) => {
      onRefused(text)
      sayError(error)
    })
  }
  return (
    <Select
      label="Valeur"
      searchable
      clearable
      flex="2 1 14rem"
      nothingFoundMessage="Aucune valeur de ce nom"
      data={[
        ...offered.map((name) => ({ value: name, label: name })),
        ...(isNew && disabled
          ? [
              {
                value: switchedOff,
                label: `«\u00a0${disabled.name}\u00a0» est désactivée.`,
                disabled: true,
              },
            ]
          : []),
        ...(isNew && mayMake && off && !disabled
          ? [{ value: toMake, label: `Créer «\u00a0${text}\u00a0»` }]
          : []),
      ]}
      filter={({ options, search }) =>
        options.filter(
          (option) =>
            'value' in option && (option.value.startsWith(toMake) || hasEveryWord(option.label, search)),
        )
      }
      value={value || null}
      onChange={(chosen) => {
        if (chosen === toMake) make()
        else onChange(chosen ?? '')
      }}
      onSearchChange={(next) => {
        setTyped(next)
        onTyped(next)
      }}
    />
  )
}

type LevelsProps = { names: readonly string[]; value: string; onChange: (value: string) => void }

/** Values such as « Roman > Policier », a select for each level. */
function Levels({ names, value, onChange }: LevelsProps) {
  const [path, setPath] = useState(() => (value === '' ? [] : levelsOf(value)))
  const isElsewhere = value !== '' && ofLevels(path) !== value
  const chosen = isElsewhere ? levelsOf(value) : path
  if (isElsewhere) setPath(chosen)
  const within = (depth: number) =>
    names
      .map(levelsOf)
      .filter(
        (levels) => levels.length > depth && chosen.slice(0, depth).every((one, n) => one === levels[n]),
      )
      .map((levels) => levels[depth]!)
  const choose = (depth: number, level: string | null) => {
    const next = [...chosen.slice(0, depth), ...(level === null ? [] : [level])]
    setPath(next)
    const name = ofLevels(next)
    onChange(names.includes(name) ? name : '')
  }
  return [...chosen, null].map((level, depth) => {
    const choices = [...new Set(within(depth))]
    return choices.length === 0 ? null : (
      <Select
        // A level is known by its depth alone.
        // oxlint-disable-next-line react/no-array-index-key -- see above
        key={depth}
        label={`Niveau ${depth + 1}`}
        searchable
        clearable
        flex="1 1 8rem"
        data={choices}
        value={level}
        onChange={(next) => choose(depth, next)}
      />
    )
  })
}
