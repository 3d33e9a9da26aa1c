import { Anchor, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, useEffect, useRef, useState } from 'react'

import { mostAdded } from '../../contract/copies.ts'
import { getNextBarCode } from '../../contract/site-changes.ts'
import { likelyCode } from '../../domain/bar-code.ts'
import type { LabelSymbology } from '../../domain/label-symbologies.ts'
import { call } from '../api/call.ts'
import { keepNotTaken } from '../scanner/scans-not-taken.ts'
import { labelAdvice } from '../ui/bars-advice.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import type { Form } from '../ui/forms/use-fields.ts'
import { inWords } from '../page/house-words.ts'

/** The line of a code in the list that is sent. */
export type CodeField = `bar_codes.${number}`

type Sent = { count: number } | { bar_codes: string[] }

type CopyCodes = ReturnType<typeof useCopyCodes>

export const scanOrType = 'Scannez l’étiquette, ou tapez son code.'

/** How many copies are added, and their codes where the site does not give them. */
export function useCopyCodes(barCode: string, isNumbered: boolean) {
  const [count, setCount] = useState<number | string>(1)
  const [codes, setCodes] = useState<readonly string[]>([barCode])
  const [isListed, setListed] = useState(false)
  const [note, setNote] = useState('')
  /** A scanned code that has no line; one more copy is added for it only if that is meant. */
  const [extra, setExtra] = useState<string | null>(null)
  const many = typeof count === 'number' && count >= 1 && count <= mostAdded ? count : 1
  // One alone has a field for its code; a site that numbers gives several theirs, unless labels are scanned.
  const hasFields = !isNumbered || isListed || many === 1
  const shown = Array.from({ length: many }, (_, at) => codes[at] ?? '')
  const isGiven = isNumbered && (!hasFields || (many === 1 && shown[0]?.trim() === ''))
  /** Scanned where each line had its code. */
  const unplaced = useRef<string[]>([])
  const keepUnplaced = useCallbackRef(() => {
    for (const code of unplaced.current) if (!shown.includes(code)) keepNotTaken(code)
  })
  useEffect(() => keepUnplaced, [keepUnplaced])

  const write = (at: number, code: string) => {
    setNote('')
    setExtra(null)
    setCodes((before) =>
      Array.from({ length: Math.max(before.length, at + 1) }, (_, one) =>
        one === at ? code : (before[one] ?? ''),
      ),
    )
  }
  /** Fills the lines that are empty, and adds some for the rest; a code that is there is not put twice. */
  const put = (texts: readonly string[], before = shown) => {
    const next = [...before]
    const told: string[] = []
    for (const code of texts.map((text) => likelyCode(text)).filter((text) => text !== '')) {
      const known = next.findIndex((one) => one.toLowerCase() === code.toLowerCase())
      const free = next.findIndex((one) => one.trim() === '')
      if (known >= 0) told.push(`Le code-barres ${code} est déjà à la ligne ${known + 1}.`)
      else if (free >= 0) next[free] = code
      else if (next.length < mostAdded) next.push(code)
      else told.push(`La liste est pleine\u202f: ${mostAdded} exemplaires à la fois, ${code} n’y est pas.`)
    }
    setCodes(next)
    setCount(next.length)
    setNote(told.at(-1) ?? '')
  }
  const scan = (text: string) => {
    const code = likelyCode(text)
    const isFull = hasFields && shown.every((one) => one.trim() !== '')
    if (isFull && !shown.includes(code)) {
      unplaced.current.push(code)
      setNote(
        `Code ${code} gardé, à reprendre ensuite\u202f: ${many === 1 ? `le code ${shown[0]?.trim()} est déjà là` : 'chaque ligne a déjà son code'}.`,
      )
      setExtra(many < mostAdded ? code : null)
      return
    }
    setExtra(null)
    if (many === 1) return write(0, code)
    // Labels that are scanned one after the other are the codes of these copies.
    setListed(true)
    put([text], hasFields ? shown : shown.map(() => ''))
  }
  const missing = (): Partial<Record<CodeField, string>> =>
    isGiven
      ? {}
      : Object.fromEntries(
          shown.flatMap((code, at) => (code.trim() === '' ? [[`bar_codes.${at}`, scanOrType]] : [])),
        )
  return {
    count,
    many,
    shown,
    hasFields,
    isNumbered,
    isListed: isNumbered && isListed && many > 1,
    note,
    setCount,
    write,
    put,
    scan,
    missing,
    extra,
    takeExtra: () => {
      if (extra === null) return
      setListed(true)
      put([extra])
      setExtra(null)
    },
    takeNext: () => setListed(false),
    sent: (isGiven
      ? { count: many }
      : { bar_codes: shown.map((code) => code.trim()) }) satisfies Sent as Sent,
    draft: {
      isDirty: count !== 1 || codes.some((code, at) => code !== (at === 0 ? barCode : '')),
      kept: { count, codes, isListed },
      restore: (kept: { count: number | string; codes: readonly string[]; isListed: boolean }) => {
        setCount(kept.count)
        setCodes(kept.codes)
        setListed(kept.isListed)
      },
    },
  }
}

type CopyCodesFieldsProps = {
  codes: CopyCodes
  form: Pick<Form<CodeField>, 'text'>
  site: number
  symbology: LabelSymbology | undefined
}

export function CopyCodesFields({ codes, form, site, symbology }: CopyCodesFieldsProps) {
  const { many, shown, hasFields, isNumbered, write } = codes
  const next = useNextBarCode(site, isNumbered)
  const fieldOf = (at: number, usual?: string) => {
    const { label, error } = form.text(
      `bar_codes.${at}`,
      many === 1 ? 'Code-barres' : `Code-barres ${at + 1}`,
    )
    return {
      label,
      error,
      maxLength: 64,
      autoComplete: 'off',
      value: shown[at] ?? '',
      ...labelAdvice(symbology, shown[at] ?? '', usual),
      onChange: (event: { currentTarget: { value: string } }) => write(at, event.currentTarget.value),
      onPaste: (event: ClipboardEvent<HTMLInputElement>) => {
        const pasted = event.clipboardData.getData('text').split(/[\r\n\t;]+/)
        if (pasted.filter((text) => text.trim() !== '').length < 2) return
        event.preventDefault()
        codes.put(pasted)
      },
    }
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {hasFields ? (
          <TextInput
            {...fieldOf(0, isNumbered && many === 1 ? next.forOne : scanOrType)}
            required={!isNumbered || many > 1}
          />
        ) : (
          <TextInput
            label={inWords('Code-barres')}
            disabled
            value=""
            placeholder="Le prochain, pour chacun"
            description={next.forMany}
          />
        )}
        <CountField
          label={inWords('Combien d’exemplaires')}
          description={`Pareils, ${mostAdded} au plus à la fois.`}
          from={1}
          to={mostAdded}
          required
          value={codes.count}
          onChange={codes.setCount}
        />
      </SimpleGrid>
      <Text size="sm" c="var(--warn-ink)" role="status" hidden={codes.note === ''}>
        {codes.note}
      </Text>
      {codes.extra === null ? null : (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={codes.takeExtra}>
          {inWords('Ajouter un exemplaire de plus, ')}
          {codes.extra}
        </Anchor>
      )}
      {hasFields && many > 1 ? (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
          {shown.slice(1).map((_, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- a line is its place
            <TextInput key={at} {...fieldOf(at + 1)} required />
          ))}
        </SimpleGrid>
      ) : null}
      {codes.isListed ? (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={codes.takeNext}>
          {inWords('Prendre plutôt les prochains codes du site')}
        </Anchor>
      ) : null}
    </>
  )
}

/** What copies left without a code are given. */
function useNextBarCode(site: number, isNumbered: boolean) {
  const { data } = useQuery({
    queryKey: ['copies', 'next bar code', site],
    queryFn: ({ signal }) => call(getNextBarCode, { params: { id: site }, signal }),
    enabled: isNumbered && site > 0,
  })
  return data
    ? {
        forOne: `Scannez l’étiquette, ou laissez vide\u202f: ce sera ${data.bar_code}.`,
        forMany: `À partir de ${data.bar_code}. Pour d’autres, scannez leurs étiquettes.`,
      }
    : {
        forOne: 'Scannez l’étiquette, ou laissez vide pour le prochain code.',
        forMany: 'Les prochains codes du site. Pour d’autres, scannez leurs étiquettes.',
      }
}
