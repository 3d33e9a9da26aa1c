import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { changeSite } from '../../contract/site-changes.ts'
import type { Site } from '../../contract/sites.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { NextCodes } from '../settings/next-codes.tsx'
import { faultsFrom } from '../ui/forms/faults-from.ts'
import { UnreadState } from '../ui/states.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { firstSiteQuery } from './first-site.ts'
import { useMarkStep } from './start-data.ts'
import { StepPanel } from './step-panel.tsx'
import { inWords } from '../page/house-words.ts'

type StepProps = { onDone: () => void }

export function NumberingStep({ onDone }: StepProps) {
  const { data, error, refetch } = useQuery(firstSiteQuery)
  if (data !== undefined) return <Fields site={data} onDone={onDone} />
  return <UnreadState error={error} onRetry={refetch} height="20rem" radius="lg" />
}

function Fields({ site, onDone }: StepProps & { site: Site | null }) {
  const mark = useMarkStep()
  const change = useChange(changeSite)
  const mayChange = useRight('PARAMETER_SITE')
  const mayNumber = mayChange && site !== null
  const saved = site?.bar_codes_configuration ?? { siteCode: '', firstValue: '1' }
  // Codes of one length read better on a shelf than 1, 2… 10.
  const isDelivered = saved.siteCode === '' && saved.firstValue === '1' && site?.last_reference === null
  const [initial] = useState(isDelivered ? { siteCode: '', firstValue: '0001' } : saved)
  const form = useLocalForm({
    about: 'first steps, numbering',
    initial,
    check: (values) => faultsFrom(changeSite.body, { bar_codes_configuration: trimmed(values) }),
    act: async (values) => {
      const bar_codes_configuration = trimmed(values)
      if (mayNumber && JSON.stringify(bar_codes_configuration) !== JSON.stringify(saved)) {
        await change.mutateAsync({ params: { id: site.id }, body: { bar_codes_configuration } })
      }
      await mark('numbering', 'done')
    },
    onDone,
  })
  const siteCode = form.text('siteCode', 'Code du site')
  const firstValue = form.text('firstValue', 'Premier numéro')
  return (
    <StepPanel
      step="numbering"
      title={inWords('Les codes-barres')}
      about={inWords(
        'Chaque exemplaire ajouté reçoit le prochain code. Ceux de vos étiquettes déjà collées se scannent tels quels.',
      )}
      form={form}
      onDone={onDone}
      isOthers={!mayNumber}
    >
      {mayNumber ? (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              maxLength={20}
              autoComplete="off"
              placeholder="Aucun"
              description="Joint à chaque numéro, s’il y en a un."
              {...siteCode}
            />
            <TextInput
              required
              maxLength={12}
              inputMode="numeric"
              autoComplete="off"
              description="Avec ses zéros, qui disent sa longueur."
              {...firstValue}
            />
          </SimpleGrid>
          <NextCodes siteCode={siteCode.value.trim()} firstValue={firstValue.value.trim()} site={site} />
        </>
      ) : (
        <Text>
          {mayChange
            ? inWords(
                'Aucun site n’est en service\u202f: remettez-en un dans les réglages, puis revenez ici.',
              )
            : inWords(
                'Votre profil ne vous laisse pas changer les sites\u202f: laissez cette étape à qui le peut.',
              )}
        </Text>
      )}
    </StepPanel>
  )
}

const trimmed = ({ siteCode, firstValue }: { siteCode: string; firstValue: string }) => ({
  siteCode: siteCode.trim(),
  firstValue: firstValue.trim(),
})
