import '@mantine/core/styles/Switch.css'

import { Select, Stack, Switch, Title } from '@mantine/core'

import type { Import } from '../../contract/imports.ts'
import styles from './imports.module.css'
import { useSiteOptions } from './site-options.ts'
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
      </Stack>
    </section>
  )
}
