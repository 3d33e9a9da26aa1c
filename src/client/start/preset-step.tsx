import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'

import { Checkbox, Stack, TagsInput, Text, Title } from '@mantine/core'
import { IconBook2, IconBuildingCommunity, IconDice5, IconTools } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'

import { layPreset } from '../../contract/start-presets.ts'
import { type PresetCode, presetCodes, presets } from '../../domain/presets/presets.ts'
import { useChange } from '../api/queries.ts'
import { say } from '../page/messages.ts'
import { keptBeside } from '../ui/forms/kept-beside.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { schemaViolations } from '../ui/forms/schema-violations.ts'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { MediumLine } from './medium-line.tsx'
import { addedWords, bodyOf, type Draft, draftOf, type ListName, parameterSaid } from './preset-draft.ts'
import { startQuery, useMarkStep, useRefreshAll } from './start-data.ts'
import styles from './start.module.css'
import { StepPanel } from './step-panel.tsx'
import { inWords } from '../page/house-words.ts'

const icons = {
  mediatheque: IconBook2,
  ludotheque: IconDice5,
  parc: IconTools,
  comite: IconBuildingCommunity,
} as const

/** Four presets, then the list of what the chosen one will lay down, to be edited first. */
export function PresetStep({ onDone }: { onDone: () => void }) {
  const mark = useMarkStep()
  const lay = useChange(layPreset)
  const refreshAll = useRefreshAll()
  const { data: start } = useQuery(startQuery)
  const laid = presetCodes.find((code) => code === start?.preset) ?? null
  const [draft, setDraft] = useState<Draft | null>(null)
  const [isEdited, setEdited] = useState(false)
  const form = useLocalForm<object, string | null>({
    about: 'first steps, preset',
    initial: {},
    check: () => {
      if (draft === null && laid !== null) return {}
      if (draft === null) return { preset: 'Choisissez un modèle, ou continuez plus tard.' }
      const body = bodyOf(draft)
      const [fault] = schemaViolations(layPreset.body, body)
      return fault ? { preset: faultWords(fault, draft) } : {}
    },
    act: async () => {
      if (draft === null) {
        await mark('preset', 'done')
        return null
      }
      const { added } = await lay.mutateAsync({ body: bodyOf(draft) })
      await mark('preset', 'done')
      refreshAll()
      return addedWords(added)
    },
    onDone: (words) => {
      if (words !== null) say('Modèle posé.', 'good', { about: words === '' ? 'Tout y était déjà.' : words })
      onDone()
    },
  })
  const edit = (changed: Partial<Draft>) => {
    setEdited(true)
    setDraft((before) => before && { ...before, ...changed })
  }
  const choose = (code: PresetCode) => {
    setEdited(false)
    setDraft(draftOf(code))
  }
  return (
    <StepPanel
      step="preset"
      title="Partir d’un modèle"
      about={
        'Il pose de quoi prêter. Retouchez-le avant, ou plus tard dans les réglages\u202f; ce qui existe déjà sous le même nom reste comme il est.'
      }
      form={keptBeside(form, {
        isDirty: isEdited,
        kept: draft,
        restore: (kept) => {
          setEdited(true)
          setDraft(kept)
        },
      })}
      onDone={onDone}
      isWide
    >
      <div role="radiogroup" aria-label="Modèle" className={styles['cards']}>
        {presetCodes.map((code) => (
          <PresetCard
            key={code}
            code={code}
            isChosen={draft?.preset === code}
            isLaid={laid === code}
            onChoose={() => choose(code)}
          />
        ))}
      </div>
      {draft === null && laid !== null ? (
        <Text>{`Le modèle «\u00a0${presets[laid].title}\u00a0» est posé. Choisi de nouveau, il n’ajoute que ce qui manque.`}</Text>
      ) : null}
      {draft ? <Editing key={draft.preset} draft={draft} onEdit={edit} /> : null}
    </StepPanel>
  )
}

type Fault = { propertyPath: string; message: string }

/** « Jouet : … » rather than the place in the list. */
function faultWords({ propertyPath, message }: Fault, { media }: Draft): string {
  const at = /^media\.(\d+)/.exec(propertyPath)?.[1]
  const name = media.filter(({ isKept }) => isKept)[Number(at)]?.name
  return name === undefined ? message : `${name.trim() || 'Un support sans nom'}\u202f: ${message}`
}

type PresetCardProps = { code: PresetCode; isChosen: boolean; isLaid: boolean; onChoose: () => void }

function PresetCard({ code, isChosen, isLaid, onChoose }: PresetCardProps) {
  const { title, about } = presets[code]
  const Icon = icons[code]
  return (
    <label className={styles['card']} data-chosen={isChosen || undefined}>
      <input type="radio" name="preset" className={styles['radio']} checked={isChosen} onChange={onChoose} />
      <Icon size="1.75rem" aria-hidden className={styles['cardIcon'] ?? ''} />
      <span className={styles['cardTitle']}>
        {title} {isLaid ? <StatusTag tone="good">Posé</StatusTag> : null}
      </span>
      <span className={styles['cardAbout']}>{about}</span>
    </label>
  )
}

type EditingProps = { draft: Draft; onEdit: (changed: Partial<Draft>) => void }

const listWords: Record<ListName, { label: string; about: string }> = {
  categories: { label: 'Catégories', about: 'Le classement des titres, par lequel les prêts se filtrent.' },
  contracts: { label: 'Contrats', about: 'Les sortes d’inscription de vos lecteurs.' },
  delay_reasons: {
    label: 'Motifs de retard',
    about: 'En plus d’«\u00a0Oubli\u00a0», «\u00a0Maladie\u00a0» et «\u00a0Article perdu\u00a0».',
  },
  free_reasons: {
    label: 'Motifs de gratuité',
    about: 'En plus de «\u00a0Geste commercial\u00a0» et «\u00a0Animation\u00a0».',
  },
}

function Editing({ draft, onEdit }: EditingProps) {
  const replaced = <T,>(list: readonly T[], at: number, changed: Partial<T>): T[] =>
    list.map((one, index) => (index === at ? { ...one, ...changed } : one))
  return (
    <>
      <Part title={inWords('Supports')} about="Ce qui se prête, pour combien de temps et combien à la fois.">
        <ul className={styles['lines']}>
          {draft.media.map((medium, at) => (
            <MediumLine
              key={medium.code}
              medium={medium}
              onChange={(changed) => onEdit({ media: replaced(draft.media, at, changed) })}
            />
          ))}
        </ul>
      </Part>
      <Part title="Listes" about="Retirez ce qui ne sert pas, écrivez ce qui manque.">
        {(Object.keys(listWords) as ListName[]).map((name) => (
          <TagsInput
            key={name}
            size="md"
            maxLength={100}
            acceptValueOnBlur
            label={listWords[name].label}
            description={listWords[name].about}
            value={[...draft[name]]}
            onChange={(names) => onEdit({ [name]: names })}
          />
        ))}
      </Part>
      {draft.profiles.length + draft.parameters.length === 0 ? null : (
        <Part
          title={draft.profiles.length === 0 ? 'Réglages' : 'Profils et réglages'}
          about={
            draft.profiles.length === 0
              ? 'Décochez ce qui n’est pas votre usage.'
              : 'Un profil dit ce qu’une personne peut faire.'
          }
        >
          <Stack gap="xs">
            {draft.profiles.map((profile, at) => (
              <Checkbox
                key={profile.name}
                label={`Profil «\u00a0${profile.name}\u00a0»`}
                description={profile.about}
                checked={profile.isKept}
                onChange={({ currentTarget: { checked } }) =>
                  onEdit({ profiles: replaced(draft.profiles, at, { isKept: checked }) })
                }
              />
            ))}
            {draft.parameters.map((parameter, at) => (
              <Checkbox
                key={parameter.code}
                label={parameterSaid(parameter)}
                checked={parameter.isKept}
                onChange={({ currentTarget: { checked } }) =>
                  onEdit({ parameters: replaced(draft.parameters, at, { isKept: checked }) })
                }
              />
            ))}
          </Stack>
        </Part>
      )}
    </>
  )
}

function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <div>
        <Title order={3} size="h5" id={id}>
          {title}
        </Title>
        <Text c="dimmed" size="sm">
          {about}
        </Text>
      </div>
      {children}
    </section>
  )
}
