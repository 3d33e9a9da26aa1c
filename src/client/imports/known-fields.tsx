import { Stack, Text, Title } from '@mantine/core'

import { type Import, policies, type Policy } from '../../contract/imports.ts'
import { importFieldsOf } from '../../domain/import-fields.ts'
import { policyWords } from './import-words.ts'
import styles from './imports.module.css'
import { PolicyField } from './policy-field.tsx'
import { useImportChange } from './use-import-change.ts'
import { inWords } from '../page/house-words.ts'

/** Notices have no columns; of each field it can still be said what becomes of a value that is there already. */
export function KnownFields({ of }: { of: Import }) {
  const { send, isPending } = useImportChange(of)
  const said = of.choices.policies
  const set = (field: string, policy: Policy) => send({ choices: { policies: { ...said, [field]: policy } } })
  return (
    <section className="panel">
      <Stack>
        <div>
          <Title order={2} size="h4">
            Champs
          </Title>
          <Text c="dimmed">
            {inWords(
              'Les champs d’une notice UNIMARC sont connus\u202f: il n’y a rien à faire correspondre. La notice d’origine est gardée avec sa référence.',
            )}
          </Text>
        </div>
        <details className={styles['more']}>
          <summary>Ce que deviennent les valeurs déjà là</summary>
          <Text c="dimmed" my="sm">
            Sauf choix contraire, elles sont gardées, et seul ce qui est vide se remplit (
            {policies.map((policy) => policyWords[policy].toLowerCase()).join(', ')}).
          </Text>
          <ul className={styles['policies']}>
            {importFieldsOf[of.subject].map(({ name, label }) => (
              <li key={name}>
                <Text>{label}</Text>
                <PolicyField
                  field={name}
                  isOfWorks={of.subject === 'references'}
                  label={label}
                  value={said[name] ?? 'fill'}
                  disabled={isPending}
                  onChange={(policy) => set(name, policy)}
                />
              </li>
            ))}
          </ul>
        </details>
      </Stack>
    </section>
  )
}
