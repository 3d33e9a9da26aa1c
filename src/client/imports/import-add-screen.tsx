import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'

import { importRights, readImport } from '../../contract/imports.ts'
import { type ImportSubject, importSubjects, importSubjectWords } from '../../domain/import-fields.ts'
import { importNotDone } from '../../domain/sentences/imports.ts'
import type { UploadRules } from '../../domain/upload-rules.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { useRights } from '../api/session.ts'
import { say, uploadErrorMs } from '../page/messages.ts'
import { FileField } from '../ui/forms/file-field.tsx'
import { Page } from '../ui/page.tsx'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { addressOfImport } from './import-words.ts'
import styles from './imports.module.css'
import { inWords } from '../page/house-words.ts'

const rules: UploadRules = { kind: 'catalogue' }

/** What a file brings, and the file; it is only read. */
export default function ImportAddScreen() {
  const held = useRights()
  const may = importSubjects.filter((one) => held.includes(importRights[one]))
  const [search] = useSearchParams()
  const [chosen, choose] = useState(search.get('subject'))
  const subject = may.find((one) => one === chosen) ?? may[0]
  const [files, setFiles] = useState<readonly File[]>([])
  const [file] = files
  const navigate = useNavigate()
  const read = useChange(readImport)
  const release = useUnsavedGuard(file !== undefined)
  const send = () => {
    if (!file || !subject) return
    read.mutate(
      { query: { subject }, file: asBytes(file) },
      {
        onSuccess: (answer) => {
          release()
          void navigate(addressOfImport(answer), { replace: true })
        },
        onError: (error) =>
          void say(`${importNotDone} ${wordsOf(error)}`.trim(), 'bad', { ms: uploadErrorMs }),
      },
    )
  }
  return (
    <Page title="Importer un fichier">
      <div className="panel">
        <Stack className={styles['form'] ?? ''}>
          <Select
            label="Ce que le fichier apporte"
            allowDeselect={false}
            data={may.map((one) => ({ value: one, label: inWords(importSubjectWords[one]) }))}
            value={subject ?? null}
            onChange={choose}
          />
          <FileField
            label="Fichier"
            rules={rules}
            files={files}
            onChange={(taken) => {
              read.reset()
              setFiles(taken)
            }}
            error={read.error === null ? null : wordsOf(read.error) || importNotDone}
          />
          <Text c="dimmed">
            {about[subject ?? 'references']} Il est d’abord lu&#8239;: rien ne change avant que vous ne l’ayez
            essayé.
          </Text>
          <Group justify="flex-end">
            <Button disabled={!file} loading={read.isPending} onClick={send}>
              Lire le fichier
            </Button>
          </Group>
        </Stack>
      </div>
    </Page>
  )
}

const about: Record<ImportSubject, string> = {
  references:
    'Des notices UNIMARC avec leurs exemplaires (ISO 2709 ou XML), ou un tableau (CSV, xlsx, ods) dont une colonne donne le titre.',
  readers: 'Un tableau (CSV, xlsx, ods) dont une colonne donne le nom.',
  loans:
    'Un tableau (CSV, xlsx, ods) qui donne de chaque prêt le code-barres, le lecteur et la date. Les lecteurs et les exemplaires y sont déjà.',
}

/** The server judges files by their bytes; what systems call them differs from one to the next. */
const asBytes = (file: File): File =>
  new File([file], file.name, { type: 'application/octet-stream', lastModified: file.lastModified })

const wordsOf = (error: Error): string => (error instanceof CallError ? error.message : '')
