import { Anchor, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useContext, useState } from 'react'
import { Link } from 'react-router-dom'

import { deliveredParameters } from '../../domain/parameters.ts'
import { useInWords } from '../page/house-words.ts'
import { addressOfParameter, parameterSections, parameterWords } from '../settings/parameter-sections.ts'
import { hasEveryWord } from '../ui/every-word.ts'
import { Page } from '../ui/page.tsx'
import { OpenSettings } from './open-settings.ts'
import styles from './settings-screen.module.css'

type Entry = { to: string; label: string }
type Section = { title: string; entries: readonly Entry[] }

/** What may be settled here, by section; only what the person's profile opens. */
export default function SettingsScreen() {
  const open = useContext(OpenSettings)
  const inWords = useInWords()
  const [typed, setTyped] = useState('')
  const sought = typed.trim()
  const titles = [...new Set(open.map(({ section }) => section))]
  const all = titles.map((title): Section => {
    const entries = open.filter(({ section }) => section === title)
    return { title, entries: entries.map(({ path, label }) => ({ to: path, label })) }
  })
  const hasParameters = all.some(({ entries }) => entries.some(({ to }) => to === addressOfParameter(null)))
  const sections = sought === '' ? all : [...all, ...(hasParameters ? sectionsOfParameters : [])]
  const shown = sections
    .map(({ title, entries }) => ({ title, entries: entries.filter((one) => isSought(one, sought)) }))
    .filter(({ entries }) => entries.length > 0)
  return (
    <Page title="Réglages">
      <TextInput
        type="search"
        label="Chercher un réglage"
        maxLength={100}
        maw="28rem"
        leftSection={<IconSearch size="1.2rem" aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Text role="status" c="dimmed" hidden={shown.length > 0}>
        {shown.length > 0 ? '' : `Aucun réglage ne correspond à «\u00a0${sought}\u00a0».`}
      </Text>
      <div className={styles['sections']}>
        {shown.map(({ title, entries }) => (
          <section key={title} className="panel" aria-label={inWords(title)}>
            <Title order={2} size="h4" mb="xs">
              {inWords(title)}
            </Title>
            <Stack gap={0}>
              {entries.map(({ to, label }) => (
                <Anchor key={to} component={Link} to={to} className={styles['entry'] ?? ''}>
                  {inWords(label)}
                </Anchor>
              ))}
            </Stack>
          </section>
        ))}
      </div>
    </Page>
  )
}

/** Each by its own words, where the screen that holds them all has only its title. */
const sectionsOfParameters = parameterSections.map(({ title, codes }): Section => ({
  title: `Paramètres\u202f: ${title}`,
  entries: codes.map((code) => ({ to: addressOfParameter(code), label: deliveredParameters[code].label })),
}))

const aboutOf = new Map(
  parameterSections.flatMap(({ codes }) =>
    codes.map((code) => [addressOfParameter(code), parameterWords[code]] as const),
  ),
)

const isSought = ({ to, label }: Entry, words: string): boolean =>
  words === '' || hasEveryWord(`${label} ${aboutOf.get(to) ?? ''}`, words)
