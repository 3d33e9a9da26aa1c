import { Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useContext, useState } from 'react'

import { deliveredParameters } from '../../domain/parameters.ts'
import { addressOfParameter, parameterSections, parameterWords } from '../settings/parameter-sections.ts'
import { hasEveryWord } from '../ui/every-word.ts'
import { OpenSettings } from './open-settings.ts'

/** `words`: others by which it is found. */
type Entry = { to: string; label: string; words: string }
type Section = { title: string; entries: readonly Entry[] }

/** The settings open to the person, by section, and the field that leaves those that answer to what is typed in it. */
export function useSettingsSearch(): readonly [sections: readonly Section[], search: ReactNode] {
  const open = useContext(OpenSettings)
  const [typed, setTyped] = useState('')
  const sought = typed.trim()
  const all = [...new Set(open.map(({ section }) => section))].map((title): Section => {
    const entries = open.filter(({ section }) => section === title)
    return { title, entries: entries.map(({ path, label, also = '' }) => ({ to: path, label, words: also })) }
  })
  const hasParameters = open.some(({ path }) => path === addressOfParameter(null))
  const sections =
    sought === ''
      ? all
      : [...all, ...(hasParameters ? parametersBySection : [])]
          .map(({ title, entries }) => ({ title, entries: entries.filter((one) => isSought(one, sought)) }))
          .filter(({ entries }) => entries.length > 0)
  const isFound = sections.length > 0
  return [
    sections,
    <>
      <TextInput
        type="search"
        label="Chercher un réglage"
        maxLength={100}
        maw="28rem"
        leftSection={<IconSearch size="1.2rem" aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Text role="status" c="dimmed" hidden={isFound}>
        {isFound ? '' : `Aucun réglage ne correspond à «\u00a0${sought}\u00a0».`}
      </Text>
    </>,
  ]
}

/** Each by its own words, where the screen that holds them all has only its title. */
const parametersBySection = parameterSections.map(({ id, title, codes }): Section => ({
  title: `Paramètres\u202f: ${title}`,
  entries: [
    { to: addressOfParameter(id), label: 'Toute la section', words: title },
    ...codes.map((code) => ({
      to: addressOfParameter(code),
      label: deliveredParameters[code].label,
      words: parameterWords[code],
    })),
  ],
}))

const isSought = ({ label, words }: Entry, sought: string): boolean =>
  hasEveryWord(`${label} ${words}`, sought)
