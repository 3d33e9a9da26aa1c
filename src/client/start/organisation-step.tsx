import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { updateParameters } from '../../contract/settings.ts'
import { changeSite } from '../../contract/site-changes.ts'
import type { Site } from '../../contract/sites.ts'
import { deliveredParameters, parameterFault } from '../../domain/parameters.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { parametersQuery } from '../settings/parameter-data.ts'
import { UnreadState } from '../ui/states.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { firstSiteQuery } from './first-site.ts'
import { useMarkStep } from './start-data.ts'
import { StepPanel } from './step-panel.tsx'

type StepProps = { onDone: () => void }

export function OrganisationStep({ onDone }: StepProps) {
  const parameters = useQuery(parametersQuery)
  const site = useQuery(firstSiteQuery)
  const error = parameters.error ?? site.error
  if (parameters.data && site.data !== undefined) {
    return (
      <Fields organisation={parameters.data.get('work_council') ?? ''} site={site.data} onDone={onDone} />
    )
  }
  const retry = () => Promise.all([parameters.refetch(), site.refetch()])
  return <UnreadState error={error} onRetry={retry} height="20rem" radius="lg" />
}

const delivered = deliveredParameters.work_council.delivered

type FieldsProps = StepProps & { organisation: string; site: Site | null }

function Fields({ organisation, site, onDone }: FieldsProps) {
  const mark = useMarkStep()
  const update = useChange(updateParameters)
  const change = useChange(changeSite)
  const mayName = useRight('PARAMETER_GENERAL')
  const mayNameSite = useRight('PARAMETER_SITE')
  const [initial] = useState({
    work_council: organisation === delivered ? '' : organisation,
    name: site?.name ?? '',
  })
  const form = useLocalForm({
    about: 'first steps, organisation',
    initial,
    check: ({ work_council, name }) => ({
      work_council: parameterFault('work_council', work_council.trim()) ?? undefined,
      name: mayNameSite && name.trim() === '' ? 'Donnez un nom à ce site.' : undefined,
    }),
    act: async ({ work_council, name }) => {
      if (work_council.trim() !== organisation) {
        await update.mutateAsync({ body: [{ code: 'work_council', value: work_council.trim() }] })
      }
      if (mayNameSite && site && name.trim() !== site.name) {
        await change.mutateAsync({ params: { id: site.id }, body: { name: name.trim() } })
      }
      await mark('organisation', 'done')
    },
    onDone,
  })
  return (
    <StepPanel
      step="organisation"
      title="Votre organisation"
      about={'Deux noms pour commencer\u202f: tout se change plus tard dans les réglages.'}
      form={form}
      onDone={onDone}
      isOthers={!mayName}
    >
      {mayName ? null : (
        <Text>
          Votre profil ne vous laisse pas nommer l’organisation&#8239;: laissez cette étape à qui le peut.
        </Text>
      )}
      <TextInput
        required
        disabled={!mayName}
        maxLength={100}
        autoComplete="organization"
        placeholder="Médiathèque de Port-Louis"
        description="Dans la barre du haut, sur les bordereaux et les courriels."
        {...form.text('work_council', 'Nom de l’organisation')}
      />
      {mayNameSite && site ? (
        <TextInput
          required
          maxLength={100}
          autoComplete="off"
          description={'Le lieu où l’on prête\u202f; d’autres s’ajoutent quand il y en a.'}
          {...form.text('name', 'Nom du premier site')}
        />
      ) : null}
    </StepPanel>
  )
}
