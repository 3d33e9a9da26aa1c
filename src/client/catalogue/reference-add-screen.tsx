import { Alert, Button, Group, Text } from '@mantine/core'
import { IconWorldSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

import { listReferences, referenceDataNames, tagNames } from '../../contract/catalogue.ts'
import { type FoundReference, lookUpCode, type LookUpSource } from '../../contract/external-codes.ts'
import { membersOf } from '../../contract/list.ts'
import { addReference } from '../../contract/references.ts'
import { findIsbn13, likelyTitleCode } from '../../domain/bar-code.ts'
import { referenceAdded } from '../../domain/sentences/catalogue.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { listQuery } from '../api/queries.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from '../scanner/scan-feedback.ts'
import { useScans } from '../scanner/scan-source.tsx'
import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { CameraToggle } from '../ui/forms/camera-toggle.tsx'
import { FormPage } from '../ui/forms/form-page.tsx'
import type { Form } from '../ui/forms/use-fields.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { useSaidByOthers } from './coded-fields.tsx'
import { addressOfNewCopy, type ForCopy, toReferences } from './reference-data.ts'
import type { ReferenceField } from './reference-fields.ts'
import { ReferenceForm } from './reference-form.tsx'
import { chosenFile, useSendImage } from './reference-image-section.tsx'
import { useFoundImage } from './use-found-image.ts'

type LookUpNoticeProps = {
  /** An ISBN-13 or an EAN. */
  code: string
  /** Asked at once, such as for a code that was scanned. */
  isAsked: boolean
  /** The notice that was found; null from when it is asked for. */
  onNotice: (notice: FoundReference | null) => void
}

const notFoundOut = 'La recherche n’a pas abouti\u202f: réessayez, ou remplissez la notice à la main.'

type Asking = { state: 'idle' | 'asking' | 'found' } | { state: 'failed'; message: string }

/** Asks the catalogues outside what a code is, and says what came of it. */
function LookUpNotice({ code, isAsked, onNotice }: LookUpNoticeProps) {
  const [asking, setAsking] = useState<Asking>({ state: 'idle' })
  const ask = useEffectEvent((signal: AbortSignal) => {
    setAsking({ state: 'asking' })
    onNotice(null)
    call(lookUpCode, { params: { code }, signal }).then(
      (found) => {
        if (signal.aborted) return
        setAsking({ state: 'found' })
        onNotice(found)
      },
      (error: unknown) => {
        if (signal.aborted) return
        // The number of an incident helps nobody here: what to do instead does.
        const isTold = error instanceof CallError && error.status !== 500
        const message = isTold ? error.message : notFoundOut
        setAsking({ state: 'failed', message })
      },
    )
  })
  const [turn, setTurn] = useState(isAsked ? 1 : 0)
  useEffect(() => {
    if (turn === 0) return
    const ending = new AbortController()
    ask(ending.signal)
    return () => ending.abort()
  }, [turn])
  return (
    <Alert color={asking.state === 'failed' ? 'yellow' : 'lamp'} role="status">
      <Group justify="space-between">
        <Text>
          {asking.state === 'failed'
            ? asking.message
            : asking.state === 'found'
              ? 'Notice trouvée\u202f: relisez-la, puis enregistrez.'
              : asking.state === 'asking'
                ? 'Recherche de la notice…'
                : `La notice du code ${code} peut être cherchée à la BnF et à Open Library.`}
        </Text>
        {asking.state === 'found' ? null : (
          <Button
            variant="default"
            loading={asking.state === 'asking'}
            leftSection={<IconWorldSearch size="1.2em" aria-hidden />}
            onClick={() => setTurn(turn + 1)}
          >
            Chercher la notice
          </Button>
        )}
      </Group>
    </Alert>
  )
}

type Filled = { value: string; source: LookUpSource | undefined }

/** What the notice of a code filled in, field by field; it leaves when another code is asked about. */
function useNotice(form: Pick<Form<ReferenceField>, 'changed' | 'write'>) {
  const [filled, setFilled] = useState<ReadonlyMap<ReferenceField, Filled>>(new Map())
  const stands = (field: ReferenceField) => form.changed[field] === filled.get(field)?.value
  const isFree = (field: ReferenceField) => !(field in form.changed) || stands(field)
  const take = (found: FoundReference | null) => {
    const next = new Map<ReferenceField, Filled>()
    for (const [field, value] of found ? fieldsOfNotice(found) : []) {
      // What somebody wrote is never overwritten.
      if (value === '' || !isFree(field)) continue
      next.set(field, { value, source: found?.sources[field] })
    }
    for (const field of filled.keys()) if (!next.has(field) && stands(field)) form.write(field, '')
    for (const [field, { value }] of next) form.write(field, value)
    setFilled(next)
  }
  const sources = Object.fromEntries(
    [...filled].flatMap(([field, { source }]) => (source && stands(field) ? [[field, source]] : [])),
  )
  return { take, sources }
}

const fieldsOfNotice = (found: FoundReference): [ReferenceField, string][] => [
  ['name', found.name],
  ['description', found.description],
  ...tagNames.map((name): [ReferenceField, string] => [`tags.${name}`, found.tags[name] ?? '']),
  ...referenceDataNames.map((name): [ReferenceField, string] => [
    `reference_data.${name}`,
    found.reference_data[name] ?? '',
  ]),
]

/** Adds a reference, then asks for its first copy; a code that is there already offers a copy of it instead. */
export default function ReferenceAddScreen() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const state = useLocation().state as ForCopy | null
  const [initial] = useState({
    name: '',
    code: params.get('code') ?? '',
    type: 'Location' as const,
    price: '0.00',
    new_duration: 'none' as const,
    deposit_check: false,
    keywords: [],
    'authors.author': {},
    'authors.editor': {},
    'authors.list': {},
  })
  const sendImage = useSendImage()
  const form = useForm(addReference, {
    initial,
    unsent: { file: null as File | null },
    leaves: useSaidByOthers(),
    onSaved: async ({ id, name }) => {
      const isWhole = await sendImage(id, chosenFile(form))
      release()
      if (!isWhole) return void navigate(toReferences.to)
      say(referenceAdded, 'good', { about: name })
      void navigate(addressOfNewCopy(id, state?.copyCode), { replace: true, state })
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  const code = form.text('code', 'Code').value
  const [scanned, setScanned] = useState(initial.code)
  // An address with an empty code is that of somebody who has the book in hand.
  const codeField = useRef<HTMLInputElement>(null)
  const isAtCode = params.get('code') === ''
  useEffect(() => {
    if (isAtCode) codeField.current?.focus()
  }, [isAtCode])
  const takeCode = (text: string) => {
    const read = likelyTitleCode(text)
    form.write('code', read)
    setScanned(read)
  }
  const camera = useCameraAddress()
  useScans((text) => {
    takeCode(text)
    if (!camera.isOpen) return
    signalScan('success', { sound: currentPreferences().sound })
    camera.close()
  })
  // What somebody chose is never replaced.
  const isImageFree = useRef(true)
  const { image: foundImage, seek } = useFoundImage((file) => {
    if (isImageFree.current) form.write('file', file)
  })
  useEffect(() => {
    isImageFree.current = chosenFile(form) === null || chosenFile(form) === foundImage?.file
  })
  const { take, sources } = useNotice(form)
  const takeNotice = (notice: FoundReference | null) => {
    take(notice)
    if (notice === null && isImageFree.current) form.write('file', null)
    void seek(notice)
  }
  return (
    <FormPage
      title="Ajouter une référence"
      form={form}
      onLeave={() => void navigate(state?.back ?? '/references')}
      tools={<CameraToggle notice={null} />}
    >
      <OfCode
        code={code}
        isScanned={scanned === code && code !== ''}
        onNotice={takeNotice}
        onLeave={release}
      />
      <ReferenceForm
        form={form}
        isNewTitle
        sources={sources}
        foundImage={foundImage}
        codeRef={codeField}
        onCode={takeCode}
      />
    </FormPage>
  )
}

type OfCodeProps = {
  code: string
  isScanned: boolean
  onNotice: (notice: FoundReference | null) => void
  onLeave: () => void
}

/** What is to be known of a code: that it is in the catalogue already, or its notice. */
function OfCode({ code, isScanned, onNotice, onLeave }: OfCodeProps) {
  const navigate = useNavigate()
  const state = useLocation().state as ForCopy | null
  const still = useDebounced(code.trim())
  const known = findIsbn13(still) ?? still
  const { data } = useQuery({
    ...listQuery(listReferences, {
      limit: 1,
      filters: [{ field: 'code', operator: 'eq', value: known }],
    }),
    enabled: known !== '',
  })
  const found = known === '' || still !== code.trim() ? undefined : membersOf(data)?.[0]
  if (!found) {
    const isKnowable = data !== undefined && still === code.trim() && /^\d{8,14}$/.test(known)
    return isKnowable ? (
      <LookUpNotice key={known} code={known} isAsked={isScanned} onNotice={onNotice} />
    ) : null
  }
  return (
    <Alert color="yellow" role="status" title="Déjà au catalogue">
      <Text>
        Le code {known} est celui de «&nbsp;{found.name}&nbsp;». Un autre titre ou un autre tome s’enregistre
        à part.
      </Text>
      <Button
        mt="sm"
        onClick={() => {
          onLeave()
          void navigate(addressOfNewCopy(found.id, state?.copyCode), { state })
        }}
      >
        {inWords('Ajouter un exemplaire')}
      </Button>
    </Alert>
  )
}
