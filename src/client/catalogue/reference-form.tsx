import { Select, SimpleGrid, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, useState } from 'react'

import { copyTypes, type Reference, type tagNames } from '../../contract/catalogue.ts'
import { type LookUpSource, lookUpSources } from '../../contract/external-codes.ts'
import { membersOf } from '../../contract/list.ts'
import { audienceWords } from '../../domain/age-bands.ts'
import { listGroupWords } from '../../domain/list-groups.ts'
import { inWords } from '../page/house-words.ts'
import { AmountField } from '../ui/forms/amount-field.tsx'
import { asChoice, choicesOf, sameChoices } from '../ui/forms/as-choice.ts'
import { FormSection, LaterSections } from '../ui/forms/form-page.tsx'
import type { Form } from '../ui/forms/use-fields.ts'
import { mediaQuery } from './catalogue-data.ts'
import { CodedFields, useMainAuthor } from './coded-fields.tsx'
import { categoriesQuery } from './list-queries.ts'
import { offeredKeywordsQuery } from './reference-data.ts'
import { type FieldWords, useFieldWords } from './reference-field-data.ts'
import type { ReferenceField } from './reference-fields.ts'
import { ReferenceImageSection } from './reference-image-section.tsx'
import { newDurationChoices, referenceDataWords } from './reference-words.ts'
import type { FoundImage } from './use-found-image.ts'

type ExtraFieldsProps = {
  text: (field: ReferenceField, label: string) => ReturnType<Form['text']> & { description?: ReactNode }
  words: FieldWords
}

/** The extra data that a reference has, a line each; an emptied line goes, where there is more than one. */
function ExtraFields({ text, words: { labelOf, isShown } }: ExtraFieldsProps) {
  const [opened, setOpened] = useState<readonly string[]>([])
  const all = referenceDataWords.map(({ name, isLong }) => {
    const field = `reference_data.${name}` as const
    const props = text(field, labelOf(field))
    return { field, isLong, props, isOpen: props.value !== '' || opened.includes(field) }
  })
  const shown = all.filter(({ field }) => isShown(field))
  const rows = shown.filter(({ isOpen }) => isOpen)
  const others = shown.filter(({ isOpen }) => !isOpen)
  const open = (field: string) => setOpened((before) => [...before.filter((one) => one !== field), field])
  const leave = (field: string, value: string) => {
    if (value === '' && rows.length > 1) setOpened((before) => before.filter((one) => one !== field))
  }
  return (
    <Stack>
      {rows.map(({ field, isLong, props }) => {
        const row = {
          ...props,
          maxLength: 5000,
          autoFocus: props.value === '' && opened.at(-1) === field,
          // A line that is being written stays, also while it is empty.
          onFocus: () => open(field),
          onBlur: () => leave(field, props.value),
        }
        return isLong ? (
          <Textarea key={field} autosize minRows={2} {...row} />
        ) : (
          <TextInput key={field} {...row} />
        )
      })}
      {others.length === 0 ? null : (
        <Select
          label="Ajouter un champ"
          searchable
          nothingFoundMessage="Aucun champ de ce nom"
          data={others.map(({ field, props }) => ({ value: field, label: props.label }))}
          value={null}
          onChange={(field) => {
            if (field !== null) open(field)
          }}
        />
      )}
    </Stack>
  )
}

type ReferenceFormProps = {
  /** Which catalogue said a field, by its name. */
  sources?: Readonly<Record<string, LookUpSource>>
  /** What a catalogue gave, while it is the chosen file. */
  foundImage?: FoundImage | null
  /** Who gave the image that is shown today. */
  imageSource?: Reference['image_source']
  form: Pick<Form<ReferenceField>, 'text' | 'choice' | 'several' | 'flag' | 'whole' | 'write' | 'changed'>
  isNewTitle: boolean
  codeRef?: Ref<HTMLInputElement>
  /** Enter after a code that was typed; without it, Enter saves. */
  onCode?: (text: string) => void
  /** Of the reference as it was opened, for a medium that is no longer offered. */
  mediumId?: number | undefined
}

/** Nothing says how long such a title is lent, so it is due the next day. */
const withoutMedium = 'Sans support, un prêt dure 1 jour, sans limite ni pénalité.'

/** The fields of a reference, in blocks. */
export function ReferenceForm(props: ReferenceFormProps) {
  const { form, isNewTitle, mediumId, sources, codeRef = null, onCode } = props
  const { choice, flag, write } = form
  const text = (field: ReferenceField, label: string) => {
    const source = sources?.[field]
    return {
      ...form.text(field, label),
      ...(source ? { description: `D’après ${lookUpSources[source]}` } : {}),
    }
  }
  const words = useFieldWords()
  const mainAuthor = useMainAuthor()(form.whole('authors.author', listGroupWords.author).value)
  const tag = (name: (typeof tagNames)[number]) => {
    const field = `tags.${name}` as const
    if (!words.isShown(field)) return null
    const props = text(field, words.labelOf(field))
    return name === 'author' && mainAuthor !== null ? (
      <TextInput {...props} readOnly value={mainAuthor} description="D’après les auteurs choisis plus bas." />
    ) : (
      <TextInput maxLength={300} {...props} />
    )
  }
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: media = [] } = useQuery(mediaQuery)
  const { data: keywords } = useQuery(offeredKeywordsQuery)
  const category = choice('category', 'Catégorie')
  const medium = choice('medium', 'Support')
  const price = text('price', 'Prix')
  const chosenId = (value: string | null) => (value === null ? null : Number(value))
  return (
    <>
      <FormSection title="Identité">
        <TextInput required maxLength={500} {...text('name', 'Titre')} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {tag('author')}
          {tag('performer')}
          {tag('publisher')}
          {tag('collection')}
          <TextInput
            ref={codeRef}
            maxLength={40}
            autoComplete="off"
            description="ISBN, EAN ou code de la maison."
            {...form.text('code', 'Code')}
            onKeyDown={(event) => {
              const typed = event.currentTarget.value.trim()
              if (event.key !== 'Enter' || event.ctrlKey || !onCode || typed === '') return
              event.preventDefault()
              onCode(typed)
            }}
          />
          {tag('year')}
        </SimpleGrid>
      </FormSection>
      <LaterSections>
        <ReferenceImageSection
          form={form}
          found={props.foundImage ?? null}
          keptSource={props.imageSource ?? null}
        />
        <FormSection
          title="Classement et prêt"
          about="Le support décide de la durée des prêts et de leurs limites."
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              {...medium}
              description={medium.value === null ? withoutMedium : undefined}
              descriptionProps={{ c: 'var(--warn-ink)' }}
              searchable
              clearable
              nothingFoundMessage={inWords('Aucun support')}
              data={media.filter(({ id, enabled }) => enabled || id === mediumId).map(asChoice)}
              onChange={(value) => write('medium', chosenId(value))}
            />
            <Select
              {...category}
              searchable
              clearable
              nothingFoundMessage={inWords('Aucune catégorie')}
              data={categories.map(asChoice)}
              onChange={(value) => write('category', chosenId(value))}
            />
            <Select {...choice('audience', 'Public')} clearable data={choicesOf(audienceWords)} />
            <Select {...choice('type', 'Type')} allowDeselect={false} data={sameChoices(copyTypes)} />
            <AmountField
              label={price.label}
              value={price.value}
              error={price.error}
              onChange={(amount) => write('price', amount || '0.00')}
            />
            <Select
              {...choice('new_duration', 'Nouveauté')}
              allowDeselect={false}
              data={newDurationChoices(!isNewTitle)}
            />
          </SimpleGrid>
          <Switch size="lg" {...flag('deposit_check', 'Demander un chèque de caution au prêt')} />
        </FormSection>
        <FormSection title="Description">
          <TextInput maxLength={1000} {...text('short_description', 'Description courte')} />
          <Textarea autosize minRows={2} maxLength={10_000} {...text('description', 'Description')} />
          <TagsInput
            {...form.several('keywords', 'Mots-clés')}
            clearable
            acceptValueOnBlur
            data={membersOf(keywords)?.map(({ name }) => name) ?? []}
          />
        </FormSection>
        <CodedFields form={form} medium={medium.value === null ? null : Number(medium.value)} />
        <FormSection title="Données complémentaires">
          <ExtraFields text={text} words={words} />
        </FormSection>
      </LaterSections>
    </>
  )
}
