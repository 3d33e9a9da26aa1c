import { Button, CloseButton, Group, List, Popover, Stack, Text } from '@mantine/core'
import { IconHelpCircle, IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'

import {
  extensionOf,
  fileExtensions,
  fileProblem,
  imageProblem,
  type ImageSize,
  invalidFile,
  shortFileName,
  uploadHelp,
  type UploadRules,
} from '../../../domain/upload-rules.ts'
import { say, hideSaid, uploadErrorMs } from '../../page/messages.ts'
import styles from './file-field.module.css'

/** In pixels; null where the browser cannot read it. */
async function sizeOfImage(file: Blob): Promise<ImageSize | null> {
  const image = await createImageBitmap(file).catch(() => null)
  if (!image) return null
  const { width, height } = image
  image.close()
  return { width, height }
}

/** The server does not read BMP, so the browser converts it. */
async function withoutBmp(file: File): Promise<File> {
  if (extensionOf(file.name) !== 'bmp') return file
  const image = await createImageBitmap(file)
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const png = await canvas.convertToBlob({ type: 'image/png' })
  return new File([png], file.name.replace(/bmp$/i, 'png'), { type: 'image/png' })
}

type FileFieldProps = {
  label: string
  rules: UploadRules
  files: readonly File[]
  onChange: (files: File[]) => void
  isMultiple?: boolean
  error?: ReactNode
}

/** Takes chosen or dropped files after a check; refusals are shown for 20 seconds, the rest stays. */
export function FileField({ label, rules, files, onChange, isMultiple = false, error }: FileFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  const refused = useRef<string[]>([])
  const forgetRefused = () => refused.current.splice(0).forEach(hideSaid)

  const take = async (offered: readonly File[]) => {
    // Another file is chosen: what was said of the one before is over.
    forgetRefused()
    const taken = isMultiple ? [...files] : []
    for (const file of isMultiple ? offered : offered.slice(0, 1)) {
      const problem = fileProblem(file, rules, taken) ?? (await problemOfImage(file, rules))
      if (problem === null) taken.push(await withoutBmp(file))
      else refused.current.push(say(problem, 'bad', { ms: uploadErrorMs }))
    }
    if (taken.length > 0) onChange(taken)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take([...event.dataTransfer.files])
  }
  return (
    <Stack
      gap="xs"
      role="group"
      aria-labelledby={id}
      className={styles['field'] ?? ''}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Group gap="xs">
        <Text id={id} fw={600}>
          {label}
        </Text>
        <RulesHelp rules={rules} />
      </Group>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        multiple={isMultiple}
        accept={fileExtensions[rules.kind].map((extension) => `.${extension}`).join(',')}
        onChange={(event) => {
          void take([...(event.currentTarget.files ?? [])])
          // The same file may be chosen again after it was removed.
          event.currentTarget.value = ''
        }}
      />
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconUpload size="1.2em" aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {isMultiple ? 'Choisir des fichiers' : 'Choisir un fichier'}
        </Button>
        <Text c="dimmed" className={styles['hint'] ?? ''}>
          ou déposez-{isMultiple ? 'les' : 'le'} ici
        </Text>
      </Group>
      {files.length > 0 ? (
        <List listStyleType="none">
          {files.map((file) => (
            <List.Item key={`${file.name} ${file.type}`}>
              <Group gap="xs" wrap="nowrap">
                <Text title={file.name}>{shortFileName(file.name)}</Text>
                <CloseButton
                  aria-label={`Retirer ${file.name}`}
                  onClick={() => onChange(files.filter((other) => other !== file))}
                />
              </Group>
            </List.Item>
          ))}
        </List>
      ) : null}
      {error ? (
        <Text c="red" role="alert">
          {error}
        </Text>
      ) : null}
    </Stack>
  )
}

async function problemOfImage(file: File, rules: UploadRules): Promise<string | null> {
  const isMeasured =
    Boolean(rules.ratio ?? rules.width ?? rules.height) || rules.kind === 'picture' || rules.kind === 'cover'
  if (!isMeasured || extensionOf(file.name) === 'svg') return null
  const size = await sizeOfImage(file)
  return size
    ? imageProblem(file.name, size, rules)
    : `«\u00a0${shortFileName(file.name)}\u00a0» ${invalidFile}`
}

function RulesHelp({ rules }: { rules: UploadRules }) {
  return (
    <Popover position="bottom-start" withArrow trapFocus>
      <Popover.Target>
        <Button variant="subtle" size="compact-md" leftSection={<IconHelpCircle size="1.2em" aria-hidden />}>
          Ce qui est accepté
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 2rem)">
        <List pr="md">
          {uploadHelp(rules).map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      </Popover.Dropdown>
    </Popover>
  )
}
