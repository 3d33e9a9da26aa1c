import '@mantine/core/styles/Switch.css'

import { Button, Group, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'

import type { Import } from '../../contract/imports.ts'
import { useSession } from '../api/session.ts'
import { say } from '../page/messages.ts'
import styles from './imports.module.css'
import { useImportChange } from './use-import-change.ts'
import { inWords } from '../page/house-words.ts'

/** Where things go that do not say it, and what may be made for them; each choice is kept at once. */
export function ChoicesPanel({ of }: { of: Import }) {
  const { send, isPending, sent } = useImportChange(of)
  const sites = useSiteOptions()
  const { site, numbers_copies, makes_words } = { ...of.choices, ...sent?.choices }
  const hasCopies = of.subject === 'references'
  return (
    <section className="panel">
      <Stack>
        <Title order={2} size="h4">
          Choix
        </Title>
        <Select
          className={styles['form'] ?? ''}
          label={
            hasCopies
              ? inWords('Site des exemplaires dont la ligne n’en dit pas')
              : inWords('Site des lecteurs dont la ligne n’en dit pas')
          }
          placeholder="Aucun"
          clearable
          allowDeselect={false}
          clearButtonProps={{ 'aria-label': 'Effacer le site' }}
          disabled={isPending}
          data={sites}
          value={site === null ? null : String(site)}
          onChange={(value) => send({ choices: { site: value === null ? null : Number(value) } })}
        />
        {hasCopies ? (
          <>
            <Switch
              size="lg"
              label={inWords('Numéroter les exemplaires sans code-barres')}
              description={inWords(
                'Chaque titre nouveau sans code-barres a un exemplaire, numéroté comme le veut son site.',
              )}
              disabled={isPending}
              checked={numbers_copies}
              onChange={({ currentTarget }) => send({ choices: { numbers_copies: currentTarget.checked } })}
            />
            <Switch
              size="lg"
              label="Créer les mots qui manquent"
              description={inWords(
                'Supports, catégories, mots-clés et emplacements que personne n’a encore, si vous en avez le droit.',
              )}
              disabled={isPending}
              checked={makes_words}
              onChange={({ currentTarget }) => send({ choices: { makes_words: currentTarget.checked } })}
            />
          </>
        ) : null}
        <UnknownSites key={JSON.stringify([of.unknown_sites, of.choices.sites])} of={of} />
      </Stack>
    </section>
  )
}

/** What the file calls sites that nobody knows, each with the site that it is. */
function UnknownSites({ of }: { of: Import }) {
  const { send, isPending } = useImportChange(of)
  const options = useSiteOptions()
  const [sites, setSites] = useState(of.choices.sites)
  const names = [...new Set([...of.unknown_sites, ...Object.keys(of.choices.sites)])]
  if (names.length === 0) return null
  const choose = (name: string, value: string | null) => {
    const { [name]: _, ...others } = sites
    setSites(value === null ? others : { ...others, [name]: Number(value) })
  }
  return (
    <div role="group" aria-label={inWords('Sites du fichier')}>
      <Text fw={600}>{inWords('Sites du fichier')}</Text>
      <Text c="dimmed">{inWords('Le fichier les nomme, et aucun site ne s’appelle ainsi.')}</Text>
      <div className={styles['fields']}>
        {names.map((name) => (
          <Select
            key={name}
            label={`«\u00a0${name}\u00a0» est`}
            placeholder="Aucun"
            clearable
            allowDeselect={false}
            clearButtonProps={{ 'aria-label': `Effacer le site de «\u00a0${name}\u00a0»` }}
            data={options}
            value={sites[name] === undefined ? null : String(sites[name])}
            onChange={(value) => choose(name, value)}
          />
        ))}
      </div>
      <Group justify="flex-end" mt="sm">
        <Button
          variant="default"
          loading={isPending}
          disabled={JSON.stringify(sites) === JSON.stringify(of.choices.sites)}
          onClick={() => send({ choices: { sites } }, () => say('Sites enregistrés.'))}
        >
          {inWords('Enregistrer les sites')}
        </Button>
      </Group>
    </div>
  )
}

const useSiteOptions = () =>
  (useSession()?.user?.sites ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
