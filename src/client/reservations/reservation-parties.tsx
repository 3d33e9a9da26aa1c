import { ActionIcon, Alert, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'

import type { Reference } from '../../contract/catalogue.ts'
import type { Reservation } from '../../contract/reservations.ts'
import { fullName } from '../../domain/person-names.ts'
import { beneficiaryQuery, type Reader } from '../beneficiaries/beneficiary-data.ts'
import { ReaderSearch } from '../beneficiaries/reader-picker.tsx'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { referenceQuery } from '../catalogue/reference-data.ts'
import { ReferencePicker } from '../catalogue/reference-picker.tsx'
import { inWords } from '../page/house-words.ts'
import { Cover } from '../ui/cover.tsx'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { useLoneHit } from '../ui/forms/use-lone-hit.ts'
import { labels, type ReservationFormFields, writtenIn } from './reservation-fields.ts'
import styles from './reservation-form.module.css'

type ChosenOneProps = {
  /** « Lecteur »: what it is, before its name. */
  label: string
  name: string
  detail?: string | null
  picture?: ReactNode
  error?: string | undefined
  /** What another choice is called; without it, it is not changed here. */
  changeLabel?: string | undefined
  onChange?: (() => void) | undefined
  children?: ReactNode
}

/** Who or what was chosen, and the way to choose another. */
function ChosenOne(props: ChosenOneProps) {
  const { name, detail, picture, error, changeLabel, onChange, children } = props
  const label = inWords(props.label)
  return (
    <div role="group" aria-label={label}>
      <Text size="sm" c="dimmed" aria-hidden mb="0.25rem">
        {label}
      </Text>
      <div className={styles['chosen']}>
        {picture}
        <div className={styles['named']}>
          <Text fw={600}>{name}</Text>
          {detail ? (
            <Text size="sm" c="dimmed">
              {detail}
            </Text>
          ) : null}
          {children}
        </div>
        {changeLabel === undefined ? null : (
          <ActionIcon aria-label={changeLabel} title={changeLabel} onClick={onChange} c="dimmed">
            <IconX size="1.2rem" aria-hidden />
          </ActionIcon>
        )}
      </div>
      {error === undefined ? null : (
        <Text size="sm" c="var(--bad-ink)" role="alert" mt="xs">
          {error}
        </Text>
      )}
    </div>
  )
}

export type FieldProps = { form: ReservationFormFields; opened: Reservation | null; isFixed: boolean }

/** The reader whose reservation it is: chosen, or to choose. */
export function ReaderField({ form, opened, isFixed }: FieldProps) {
  const { beneficiary: id } = writtenIn(form)
  const { error } = form.whole('beneficiary_id', labels.beneficiary_id)
  const choose = (next: Reader | null) => form.write('beneficiary_id', next?.id ?? '')
  const lone = useLoneHit(id, choose)
  return (
    <>
      {lone.isSearching ? (
        <ReaderSearch
          lone={lone}
          onChoose={(chosen) => choose(chosen?.reader ?? null)}
          error={id === null ? error : undefined}
        />
      ) : null}
      {id === null ? null : (
        <ChosenReader
          id={id}
          opened={opened}
          error={error}
          {...(isFixed ? {} : { onChange: () => choose(null) })}
        />
      )}
    </>
  )
}

type ChosenProps = Pick<FieldProps, 'opened'> & {
  id: number
  error: string | undefined
  /** Absent where another choice is not made here. */
  onChange?: () => void
}

function ChosenReader({ id, opened, error, onChange }: ChosenProps) {
  const { data: reader, error: failure } = useQuery(beneficiaryQuery(id))
  const known = reader?.id === id ? reader : undefined
  // Whoever is of another site has no record here, and is named as the reservation names them.
  const told = opened?.beneficiary_id === id ? opened : null
  if (!known && !told && !failure) return <LoadingBlock height="3rem" />
  return (
    <ChosenOne
      label={labels.beneficiary_id}
      name={known ? fullName(known) : (told?.beneficiary_name ?? 'Lecteur introuvable')}
      detail={
        known ? [known.matricule, known.reader_id, known.contract_type].filter(Boolean).join(' · ') : null
      }
      error={error ?? (told ? undefined : failure?.message)}
      changeLabel={onChange && inWords('Changer de lecteur')}
      onChange={onChange}
    >
      {known && !known.is_active ? <StatusTag tone="bad">Inscription terminée</StatusTag> : null}
      {(known?.has_contact_email ?? told?.beneficiary_has_contact_email ?? true) ? null : (
        <Text size="sm" c="dimmed">
          Sans adresse de courriel&#8239;: à prévenir autrement.
        </Text>
      )}
      {known?.message ? (
        <Alert color="yellow" role="note" mt="xs">
          {known.message}
        </Alert>
      ) : null}
    </ChosenOne>
  )
}

const mediumOff = 'Ce support est désactivé\u202f: il ne se réserve plus.'

/** Whether a medium is out of use, so that its titles are reserved no more. */
function useRefusalOf(): (reference: Pick<Reference, 'medium'>) => string | null {
  const { data: media } = useQuery(mediaQuery)
  return useMemo(() => {
    const off = new Set(media?.filter(({ enabled }) => !enabled).map(({ id }) => id))
    return ({ medium }) => (medium !== null && off.has(medium.id) ? mediumOff : null)
  }, [media])
}

/** The title that is asked for: chosen, or to choose. */
export function ReferenceField({ form, isDated, opened, isFixed }: FieldProps & { isDated: boolean }) {
  const { reference: id } = writtenIn(form)
  const { error } = form.whole('reference_id', labels.reference_id)
  const [text, setText] = useState('')
  const refusalOf = useRefusalOf()
  const choose = (next: Reference | null) => {
    form.write('reference_id', next?.id ?? '')
    // A wish is for a copy of its title.
    form.write('copy_id', isDated ? null : '')
  }
  const lone = useLoneHit(id, choose)
  return (
    <>
      {lone.isSearching ? (
        <ReferencePicker
          label={labels.reference_id}
          text={text}
          onText={setText}
          onPick={(reference) => {
            choose(reference)
            setText('')
          }}
          refusalOf={refusalOf}
          lone={lone}
        />
      ) : null}
      {id === null ? (
        error === undefined ? null : (
          <Text size="sm" c="var(--bad-ink)" role="alert">
            {error}
          </Text>
        )
      ) : (
        <ChosenReference
          id={id}
          opened={opened}
          error={error}
          refusalOf={refusalOf}
          {...(isFixed ? {} : { onChange: () => choose(null) })}
        />
      )}
    </>
  )
}

type ChosenReferenceProps = ChosenProps & { refusalOf: ReturnType<typeof useRefusalOf> }

function ChosenReference({ id, opened, error, refusalOf, onChange }: ChosenReferenceProps) {
  const { data, error: failure } = useQuery(referenceQuery(id))
  const known = data?.id === id ? data : undefined
  const told = opened?.reference_id === id ? opened : null
  if (!known && !told && !failure) return <LoadingBlock height="3rem" />
  return (
    <ChosenOne
      label={labels.reference_id}
      name={known?.name ?? told?.reference_name ?? 'Référence introuvable'}
      detail={known ? [known.tags.author, known.medium?.name, known.code].filter(Boolean).join(' · ') : null}
      picture={
        <Cover
          title={known?.name ?? told?.reference_name ?? ''}
          medium={known?.medium?.name ?? null}
          image={known?.image_path}
        />
      }
      error={error ?? (told ? undefined : ((known ? refusalOf(known) : null) ?? failure?.message))}
      changeLabel={onChange && inWords('Changer de référence')}
      onChange={onChange}
    />
  )
}
