import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useContext, useId, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'

import { apiAddress } from '../../contract/api-address.ts'
import type { Reference, tagNames } from '../../contract/catalogue.ts'
import { lookUpSources } from '../../contract/external-codes.ts'
import { membersOf } from '../../contract/list.ts'
import { audienceWords } from '../../domain/age-bands.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { listGroups, listGroupWords } from '../../domain/list-groups.ts'
import { frenchMoney } from '../../domain/money.ts'
import { useRight, useSession } from '../api/session.ts'
import { WhoWaits } from '../queue/who-waits.tsx'
import { useIsMultisite, useIsOneSiteOfSeveral } from '../settings/multisite.ts'
import { Cover } from '../ui/cover.tsx'
import { Detail } from '../ui/lists/detail.tsx'
import { Facts, FactsOf } from '../ui/facts.tsx'
import { LibraryToday } from '../ui/library-today.ts'
import { UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { CopiesOfReference } from './copies-of-reference.tsx'
import { AddCopyDialog } from './copy-dialog.tsx'
import { CopyCount } from './copy-count.tsx'
import { whereWords } from './free-words.ts'
import { useFieldWords } from './reference-field-data.ts'
import { referenceDataWords } from './reference-words.ts'
import { copiesEverywhereQuery, type ForCopy, referenceQuery, toReferences } from './reference-data.ts'
import styles from './reference-view.module.css'
import { TitleHistory } from './title-history.tsx'
import { useReferenceActions } from './use-reference-actions.tsx'
import { inWords } from '../page/house-words.ts'

/** One title with its copies. */
export default function ReferenceViewScreen() {
  const id = Number(useParams()['reference_id'])
  const { data: reference, error, refetch } = useQuery(referenceQuery(id))
  const navigate = useNavigate()
  const { search } = useLocation()
  const { actions, dialog } = useReferenceActions({
    onDeleted: () => void navigate('/references', { replace: true }),
  })
  const seesLoans = useRight('LIST_LOANINGS')
  const seesHistory = useRight('BENEFICIARY_HISTORY') && seesLoans
  const mayReserve = useRight('RESERVATION_EDIT')
  const isOneSite = useIsOneSiteOfSeveral()
  // A title without a copy is being added: what another site has may be reserved all the same.
  const isToReserve = mayReserve && (isOneSite || (reference?.copies_count ?? 0) > 0)
  return (
    <Detail
      of={reference}
      title={reference?.name ?? inWords('Référence')}
      picture={
        <Cover
          title={reference?.name ?? ''}
          author={reference?.tags.author}
          medium={reference?.medium?.name ?? null}
          image={reference?.image_path}
          isLarge
        />
      }
      state={reference ? <State reference={reference} /> : null}
      actions={actions.filter(({ key }) => key !== 'view' && key !== 'copies')}
      inSight={isToReserve ? ['reserve', 'edit', 'addCopy'] : ['addCopy', 'edit', 'reserve']}
    >
      {reference ? (
        <>
          <div className={`in-turn ${styles['whole']}`}>
            <div className={`in-turn ${styles['work']}`}>
              <Copies reference={reference} />
              <Reserved reference={reference} />
              {seesHistory ? <TitleHistory reference={reference} /> : null}
            </div>
            {reference.image_path === null ? null : (
              <Picture
                key={reference.image_path}
                of={reference.name}
                path={reference.image_path}
                source={reference.image_source}
              />
            )}
            <ReferenceFacts reference={reference} />
          </div>
          <FirstCopy reference={reference} />
        </>
      ) : (
        <UnreadState
          error={error}
          onRetry={refetch}
          lead={{ ...toReferences, to: toReferences.to + search }}
          height="16rem"
        />
      )}
      {dialog}
    </Detail>
  )
}

/** What can be had now and where, the other sites too, then each copy of the site. */
function Copies({ reference: { id, copies } }: { reference: Reference }) {
  // As they are now: loans and reservations change them, and not the title.
  const { data } = useQuery(copiesEverywhereQuery(id))
  const site = useSession()?.site?.id ?? 0
  const place = { site, isMultisite: useIsMultisite(), today: useContext(LibraryToday)() }
  const all = membersOf(data) ?? copies ?? []
  return (
    <section className="panel">
      {all.length > 0 ? (
        <Text fw={600} mb="xs" className={styles['where'] ?? ''}>
          {whereWords(all, place)}
        </Text>
      ) : null}
      <CopiesOfReference copies={site === 0 ? all : all.filter((copy) => copy.site === site)} />
    </section>
  )
}

function Reserved({ reference }: { reference: Reference }) {
  const id = useId()
  if (!useRight('LIST_RESERVATIONS')) return null
  return (
    <section className="panel" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {inWords('Réservations')}
      </Title>
      <WhoWaits reference={reference.id} />
    </section>
  )
}

/** Asks for the first copy of a title that was just added. */
function FirstCopy({ reference }: { reference: Reference }) {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const state = useLocation().state as Partial<ForCopy> | null
  const mayAdd = useRight('COPY_CREATECOPY')
  const barCode = params.get('copy')
  const isAdded = useRef(false)
  if (barCode === null || !mayAdd) return null
  const back = state?.back
  const close = () => {
    if (isAdded.current && back !== undefined) return void navigate(back, { replace: true })
    params.delete('copy')
    setParams(params, { replace: true })
  }
  return (
    <AddCopyDialog
      reference={reference}
      barCode={barCode}
      onAdded={() => {
        isAdded.current = true
      }}
      onClose={close}
    />
  )
}

function State({ reference }: { reference: Reference }) {
  const today = useContext(LibraryToday)()
  const { new_at, tags } = reference
  return (
    <>
      {tags.author ? <span>{tags.author} </span> : null}
      {reference.copies_count === 0 ? <CopyCount of={reference} /> : null}
      {new_at !== null && new_at >= today ? <StatusTag tone="good">Nouveauté</StatusTag> : null}
    </>
  )
}

type PictureProps = { of: string; path: string; source: Reference['image_source'] }

function Picture({ of, path, source }: PictureProps) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing) return null
  return (
    <div className={`panel ${styles['pictured']}`}>
      <img
        className={styles['picture']}
        src={apiAddress(path)}
        alt={`«\u00a0${of}\u00a0»`}
        onError={() => setMissing(true)}
      />
      {source === null || source === 'own' ? null : (
        <Text mt="xs" c="dimmed">
          Image d’après {lookUpSources[source]}
        </Text>
      )}
    </div>
  )
}

function ReferenceFacts({ reference }: { reference: Reference }) {
  const { tags, reference_data: data, authors, audience, new_at } = reference
  const { labelOf, isShown } = useFieldWords()
  const tag = (name: (typeof tagNames)[number]): [string, string | null | undefined] => [
    labelOf(`tags.${name}`),
    isShown(`tags.${name}`) ? tags[name] : null,
  ]
  return (
    <FactsOf>
      <Facts
        title="Notice"
        facts={[
          tag('author'),
          tag('performer'),
          tag('publisher'),
          tag('year'),
          tag('collection'),
          ['Code', reference.code],
          ['Description', reference.description],
          ['Description courte', reference.short_description],
          ['Mots-clés', reference.keywords.join(', ')],
        ]}
        otherwise="Aucun renseignement."
      />
      <Facts
        title="Prêt"
        facts={[
          ['Support', reference.medium?.name],
          ['Catégorie', reference.category?.name],
          ['Public', audience && audienceWords[audience]],
          ['Prix', frenchMoney(reference.price)],
          ['Type', reference.type],
          ['Chèque de caution', reference.deposit_check ? 'Demandé' : null],
          ['Nouveauté jusqu’au', new_at && frenchDay(new_at)],
        ]}
      />
      {listGroups.map((group) => {
        const coded = Object.entries(authors[group] ?? {})
        return coded.length === 0 ? null : (
          <Facts
            key={group}
            title={listGroupWords[group]}
            facts={coded.map(([type, names]) => [type, names.join(', ')])}
          />
        )
      })}
      {Object.keys(data).length > 0 ? (
        <Facts
          title="Données complémentaires"
          facts={referenceDataWords
            .filter(({ name }) => isShown(`reference_data.${name}`))
            .map(({ name }) => [labelOf(`reference_data.${name}`), data[name]])}
        />
      ) : null}
    </FactsOf>
  )
}
