import { Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'

import type { Import } from '../../contract/imports.ts'
import { addSite } from '../../contract/site-changes.ts'
import { useChange } from '../api/queries.ts'
import { useRight, useSession } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { say, sayError } from '../page/messages.ts'
import { useMayHaveAnotherSite } from '../settings/use-may-have-another-site.ts'
import { asChoice } from '../ui/forms/as-choice.ts'
import styles from './imports.module.css'
import { useImportChange } from './use-import-change.ts'

const toMake = 'new'

/** Asks which sites those are that the file names and nobody knows; whoever may add a site may have one made of a name. */
export function UnknownSites({ of }: { of: Import }) {
  const names = [...new Set([...of.unknown_sites, ...Object.keys(of.choices.sites)])]
  if (names.length === 0) return null
  return <SitesOfFile key={JSON.stringify([names, of.choices.sites])} of={of} names={names} />
}

function SitesOfFile({ of, names }: { of: Import; names: readonly string[] }) {
  const kept = Object.fromEntries(Object.entries(of.choices.sites).map(([name, id]) => [name, String(id)]))
  const [sites, setSites] = useState(kept)
  const options = useSiteOptions()
  const mayMake = useRight('PARAMETER_SITE')
  const { isSaving, save } = useSaveSites(of)
  const choose = (name: string, value: string | null) => {
    const { [name]: _, ...others } = sites
    setSites(value === null ? others : { ...others, [name]: value })
  }
  return (
    <section className="panel" aria-label={inWords('Sites du fichier')}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {inWords('Sites du fichier')}
          </Title>
          <Text c="dimmed">{inWords('Le fichier les nomme, et aucun site ne s’appelle ainsi.')}</Text>
        </div>
        <div className={styles['fields']}>
          {names.map((name) => (
            <Select
              key={name}
              label={`«\u00a0${name}\u00a0» est`}
              placeholder="Aucun"
              clearable
              allowDeselect={false}
              clearButtonProps={{ 'aria-label': `Effacer le site de «\u00a0${name}\u00a0»` }}
              disabled={isSaving}
              data={[
                ...options,
                ...(mayMake
                  ? [{ value: toMake, label: `${inWords('Créer le site')} «\u00a0${name}\u00a0»` }]
                  : []),
              ]}
              value={sites[name] ?? null}
              onChange={(value) => choose(name, value)}
            />
          ))}
        </div>
        <Group justify="flex-end">
          <Button
            variant="default"
            loading={isSaving}
            disabled={JSON.stringify(sites) === JSON.stringify(kept)}
            onClick={() => void save(sites)}
          >
            {inWords('Enregistrer les sites')}
          </Button>
        </Group>
      </Stack>
    </section>
  )
}

/** Makes the sites that are to be made, then keeps which ones the names are. */
function useSaveSites(of: Import) {
  const { send, sendAndWait, isPending } = useImportChange(of)
  const add = useChange(addSite)
  const mayHaveAnother = useMayHaveAnotherSite()
  const save = async (sites: Readonly<Record<string, string>>) => {
    const isMaking = Object.values(sites).includes(toMake)
    if (isMaking && !(await mayHaveAnother())) return
    const said: Record<string, number> = {}
    try {
      for (const [name, site] of Object.entries(sites)) {
        said[name] = site === toMake ? (await add.mutateAsync({ body: { name } })).id : Number(site)
      }
    } catch (error) {
      sayError(error)
      // Those that were made are kept.
      send({ choices: { sites: { ...of.choices.sites, ...said } } })
      return
    }
    await sendAndWait({ choices: { sites: said } }).then(() => say('Sites enregistrés.'), sayError)
  }
  return { save, isSaving: add.isPending || isPending }
}

/** The sites where the person works, as options of a field. */
export const useSiteOptions = () => (useSession()?.user?.sites ?? []).map(asChoice)
