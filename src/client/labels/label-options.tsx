import { Anchor, Checkbox, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import * as v from 'valibot'

import { labelPrinters, labelSheets } from '../../contract/label-lists.ts'
import {
  type LabelKind,
  labelKinds,
  type LabelLine,
  labelLines,
  labelsOfKind,
  mostEach,
} from '../../contract/labels.ts'
import { membersOf } from '../../contract/list.ts'
import {
  isKnownSheet,
  knownSheets,
  type LabelSheet,
  labelsOnPage,
  sheetOf,
} from '../../domain/label-sheets.ts'
import { type SpineCode, spineCodes, spineSides, usualSide } from '../../domain/spine-codes.ts'
import { call } from '../api/call.ts'
import { inWords } from '../page/house-words.ts'
import { asChoice } from '../ui/forms/as-choice.ts'
import { CountField } from '../ui/forms/count-field.tsx'

/** How this device printed labels last: a sheet's and a printer's key, what a label is and says. */
const keptSchema = v.object({
  sheet: v.fallback(v.pipe(v.string(), v.maxLength(20)), 'L7160'),
  printer: v.fallback(v.pipe(v.string(), v.maxLength(20)), ''),
  kind: v.fallback(v.picklist(labelKinds), 'bar_code'),
  show: v.fallback(v.array(v.picklist(labelLines)), [...labelLines]),
  code: v.fallback(v.picklist(spineCodes), 'data_matrix'),
  side: v.fallback(v.picklist(spineSides), usualSide),
})
type KeptOptions = v.InferOutput<typeof keptSchema>

const storageKey = 'comptoir.labels'

function read(): KeptOptions {
  try {
    return v.parse(keptSchema, JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return v.parse(keptSchema, {})
  }
}

function useKeptOptions(): [KeptOptions, (changes: Partial<KeptOptions>) => void] {
  const [kept, setKept] = useState(read)
  const keep = (changes: Partial<KeptOptions>) => {
    const next = { ...kept, ...changes }
    setKept(next)
    try {
      localStorage.setItem(storageKey, JSON.stringify(next))
    } catch {
      // Storage is full or forbidden: the choice lasts as long as the screen.
    }
  }
  return [kept, keep]
}

const ownSheetsQuery = queryOptions({
  queryKey: ['label_sheets', 'all'],
  queryFn: ({ signal }) => call(labelSheets.list, { list: { limit: 500 }, signal }),
  select: (page) => membersOf(page),
})

const printersQuery = queryOptions({
  queryKey: ['label_printers', 'all'],
  queryFn: ({ signal }) => call(labelPrinters.list, { list: { limit: 500 }, signal }),
  select: (page) => membersOf(page),
})

export type LabelOptions = KeptOptions & { first: number | string; each: number | string; on: LabelSheet }

const usual = 'L7160'
export const wholeWithin = (value: number | string, to: number): number => {
  const count = Number(value)
  return Number.isInteger(count) && count >= 1 && count <= to ? count : 1
}

/** What this device printed with last; a sheet or a printer that is gone is the usual one. Null until they are known. */
export function useLabelOptions() {
  const [labels, keep] = useKeptOptions()
  const [first, setFirst] = useState<number | string>(1)
  const [each, setEach] = useState<number | string>(1)
  const own = useQuery(ownSheetsQuery)
  const printers = useQuery(printersQuery)
  const options = useMemo((): LabelOptions | null => {
    if (!own.data || !printers.data) return null
    const mine = own.data.find(({ id }) => String(id) === labels.sheet)
    const on = isKnownSheet(labels.sheet) ? knownSheets[labels.sheet] : mine && sheetOf(mine)
    const printer = printers.data.some(({ id }) => String(id) === labels.printer) ? labels.printer : ''
    return {
      ...labels,
      printer,
      sheet: on ? labels.sheet : usual,
      on: on ?? knownSheets[usual],
      first,
      each,
    }
  }, [own.data, printers.data, labels, first, each])
  return {
    options,
    error: own.error ?? printers.error,
    retry: () => void Promise.all([own.refetch(), printers.refetch()]),
    keep,
    setFirst,
    setEach,
  }
}

export type OptionsHook = ReturnType<typeof useLabelOptions>

export function LabelOptionFields({
  options,
  hook: { keep, setFirst, setEach },
}: {
  options: LabelOptions
  hook: OptionsHook
}) {
  const { data: own = [] } = useQuery(ownSheetsQuery)
  const { data: printers = [] } = useQuery(printersQuery)
  const { on, kind, sheet, printer, show, code, side, first, each } = options
  const printed = labelsOfKind[kind]
  const isSheet = on.dpi === null
  return (
    <Stack>
      <Select
        label="Planche ou rouleau"
        allowDeselect={false}
        data={[...knownChoices, ...ownChoices(own)]}
        value={sheet}
        onChange={(chosen) => {
          keep({ sheet: chosen ?? usual })
          setFirst(1)
        }}
      />
      <Select
        label="Étiquette"
        allowDeselect={false}
        data={labelKinds.map((one) => ({ value: one, label: inWords(kindWords[one]) }))}
        value={kind}
        onChange={(chosen) => keep({ kind: labelKinds.find((one) => one === chosen) ?? 'bar_code' })}
      />
      {printed.includes('bar_code') ? (
        <Checkbox.Group
          label="Avec le code, montrer"
          value={show}
          onChange={(chosen) => keep({ show: labelLines.filter((line) => chosen.includes(line)) })}
        >
          <Group gap="sm" mt="xs">
            {labelLines.map((line) => (
              <Checkbox key={line} value={line} label={lineWords[line]} />
            ))}
          </Group>
        </Checkbox.Group>
      ) : null}
      {printed.includes('spine') ? (
        <>
          <Select
            label={inWords('Code sur la cote')}
            allowDeselect={false}
            data={spineCodes.map((one) => ({ value: one, label: codeWords[one] }))}
            value={code}
            onChange={(chosen) => keep({ code: spineCodes.find((one) => one === chosen) ?? 'data_matrix' })}
          />
          {code === 'data_matrix' ? (
            <Select
              label="Côté du code"
              allowDeselect={false}
              data={spineSides.map((one) => ({ value: String(one), label: `${one}\u00a0mm` }))}
              value={String(side)}
              onChange={(chosen) =>
                keep({ side: spineSides.find((one) => String(one) === chosen) ?? usualSide })
              }
            />
          ) : null}
        </>
      ) : null}
      <SimpleGrid cols={2}>
        {isSheet ? (
          <CountField
            label="Première étiquette"
            value={first}
            from={1}
            to={labelsOnPage(on)}
            onChange={setFirst}
          />
        ) : null}
        <CountField label="De chacune" value={each} from={1} to={mostEach} onChange={setEach} />
      </SimpleGrid>
      <Select
        label="Imprimante"
        data={[{ value: '', label: 'Sans réglage' }, ...printers.map(asChoice)]}
        allowDeselect={false}
        value={printer}
        onChange={(chosen) => keep({ printer: chosen ?? '' })}
      />
      <Text size="sm" c="dimmed">
        Imprimez en «&nbsp;taille réelle&nbsp;». Décrire une{' '}
        <Anchor component={Link} underline="always" to="/settings/label_sheets">
          autre planche
        </Anchor>{' '}
        ou régler une{' '}
        <Anchor component={Link} underline="always" to="/settings/label_printers">
          imprimante
        </Anchor>
        .
      </Text>
    </Stack>
  )
}

const kindWords: Record<LabelKind, string> = {
  bar_code: 'Code-barres',
  spine: 'Cote, pour le dos',
  both: 'Code-barres et cote',
}
const codeWords: Record<SpineCode, string> = {
  data_matrix: 'Data Matrix',
  code_128: 'Code 128 le long du dos',
  none: 'Aucun',
}
const lineWords: Record<LabelLine, string> = {
  title: 'Titre',
  call_number: 'Cote',
  library: 'Bibliothèque',
}

const choicesWhere = (isRoll: boolean) =>
  Object.entries(knownSheets)
    .filter(([, { dpi }]) => (dpi !== null) === isRoll)
    .map(([value, { name }]) => ({ value, label: name }))
const knownChoices = [
  { group: 'Planches A4', items: choicesWhere(false) },
  { group: 'Rouleaux', items: choicesWhere(true) },
]
const ownChoices = (own: readonly { id: number; name: string }[]) =>
  own.length === 0 ? [] : [{ group: 'Les vôtres', items: own.map(asChoice) }]
