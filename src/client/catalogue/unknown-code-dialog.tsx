import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

import { type Copy, listCopies, listReferences, type Reference } from '../../contract/catalogue.ts'
import { membersOf } from '../../contract/list.ts'
import { findIsbn13, hasEanCheckDigit, likelyTitleCode, writtenForms } from '../../domain/bar-code.ts'
import { listQuery } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { knownShapes } from '../scanner/known-shapes.ts'
import { addressOf } from '../ui/address-of.ts'
import { Dialog, DialogButtons } from '../ui/dialogs/dialog.tsx'
import { useBackCloses } from '../ui/dialogs/use-back-closes.ts'
import { AddCopyDialog } from './copy-dialog.tsx'
import type { ForCopy } from './reference-data.ts'
import { ReferencePicker } from './reference-picker.tsx'

type UnknownCodeDialogProps = { code: string; onAdded: (code: string) => void; onClose: () => void }

/** A code that nobody's label says becomes that of a copy: of which title is asked first. */
export default function UnknownCodeDialog({ code, onAdded, onClose }: UnknownCodeDialogProps) {
  const isbn = findIsbn13(code)
  const close = useBackCloses(onClose)
  const [title, setTitle] = useState<Reference | null>(null)
  const [text, setText] = useState(isbn ?? '')
  const added = (copies: readonly Copy[]) => {
    // An ISBN is nobody's label: the copy in hand is the first of those that were added.
    const own = isbn ? copies[0] : copies.find(({ bar_code }) => bar_code === code)
    if (own) onAdded(own.bar_code)
  }
  if (title) {
    return <AddCopyDialog reference={title} barCode={isbn ? '' : code} onAdded={added} onClose={close} />
  }
  /** The code on the cover finds the title, and chooses nothing; another label waits to be taken up. */
  const takeScan = (scanned: string): boolean => {
    const read = likelyTitleCode(scanned)
    const isEan = writtenForms(scanned).some(hasEanCheckDigit)
    const isOfTitle = findIsbn13(read) !== null || (isEan && !knownShapes().fits(scanned))
    if (isOfTitle) setText(read)
    return isOfTitle || read === code
  }
  return (
    <Dialog
      title={isbn ? 'Ajouter un exemplaire au catalogue' : `Ajouter l’exemplaire ${code}`}
      size="30rem"
      onClose={close}
      onScan={takeScan}
    >
      <Stack>
        <Text>
          {isbn
            ? `${isbn} est l’ISBN d’un titre, et non le code d’un exemplaire\u202f: l’étiquette se collera ensuite.`
            : 'De quel titre est-il\u202f? Cherchez-le, ou scannez l’ISBN de sa couverture.'}
        </Text>
        <AlreadyThere
          code={code}
          onGoOn={() => {
            onAdded(code)
            close()
          }}
        />
        {/* Its answers open inside the dialog. */}
        <Stack mih="17rem">
          <ReferencePicker isFirst label="Référence" text={text} onText={setText} onPick={setTitle} />
          <OfIsbn text={text} onPick={setTitle} />
        </Stack>
        <DialogButtons onCancel={close}>
          <AddReference code={code} text={text} />
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

/** Somebody may have added it since it was scanned, or the person themselves by another way. */
function AlreadyThere({ code, onGoOn }: { code: string; onGoOn: () => void }) {
  const { data } = useQuery(
    listQuery(listCopies, { limit: 1, filters: [{ field: 'bar_code', operator: 'eq', value: code }] }),
  )
  const copy = membersOf(data)?.[0]
  if (!copy) return null
  return (
    <Notice title="Ajouté entre-temps" action={<Button onClick={onGoOn}>Reprendre</Button>}>
      {code}
      {inWords(' est un exemplaire de «\u00a0')}
      {copy.name}&nbsp;».
    </Notice>
  )
}

/** The titles of an ISBN, volumes of a set perhaps, of which one is to be confirmed. */
function OfIsbn({ text, onPick }: { text: string; onPick: (reference: Reference) => void }) {
  const isbn = findIsbn13(text)
  const { data, isPlaceholderData } = useQuery({
    ...listQuery(listReferences, {
      limit: 10,
      filters: [{ field: 'code', operator: 'eq', value: isbn ?? '' }],
    }),
    enabled: isbn !== null,
  })
  if (isbn === null || !data || isPlaceholderData) return null
  const found = membersOf(data)
  if (found.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {inWords('Aucune référence n’a le code ')}
        {isbn}.
      </Text>
    )
  }
  return found.map((one) => {
    const { volume } = one.reference_data
    return (
      <Notice
        key={one.id}
        title="Déjà au catalogue"
        action={<Button onClick={() => onPick(one)}>{inWords('Ajouter un exemplaire')}</Button>}
      >
        Le code {isbn} est celui de «&nbsp;{one.name}&nbsp;»{volume ? ` (tome ${volume})` : ''}.
      </Notice>
    )
  })
}

function Notice({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <Alert color="yellow" role="status" title={title}>
      <Text mb="sm">{children}</Text>
      {action}
    </Alert>
  )
}

/** The title is not in the catalogue: its form, then the copy's, lead back here. */
function AddReference({ code, text }: { code: string; text: string }) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const mayAdd = useRight('COPY_CREATEREF')
  if (!mayAdd) return null
  // The counter keeps its lines; a loan that is being made would be left behind.
  if (pathname === '/loaning/add') {
    return (
      <Text size="sm" c="dimmed">
        {inWords('Pour un titre nouveau, enregistrez d’abord ce prêt, puis ajoutez la référence.')}
      </Text>
    )
  }
  const state: ForCopy = { copyCode: findIsbn13(code) ? '' : code, back: pathname + search }
  const address = addressOf('/references/add', { code: findIsbn13(text) ?? '' })
  // In the dialog's place, so that « back » does not lead there twice.
  const add = () => void navigate(address, { state, replace: true })
  return (
    <Button variant="default" onClick={add}>
      {inWords('Ajouter une référence')}
    </Button>
  )
}
