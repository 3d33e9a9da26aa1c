import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { Busboy } from '@fastify/busboy'

import type { Upload } from '../../contract/endpoint.ts'
import { fileTooLarge, invalidFile, shortFileName } from '../../domain/upload-rules.ts'
import { done, type Outcome, refuse, violation } from './outcome.ts'

/** A received file, its sender's name for it and its SHA-256; `forget` deletes it. */
export type ReceivedFile = {
  path: string
  name: string
  hash: string
  /** The other fields of the form, as they were sent. */
  fields: Readonly<Record<string, string>>
  forget(): Promise<void>
}

const envelope = 64 * 1024

export const largestForm = ({ mostBytes }: Upload): number => mostBytes + envelope

/** Receives a form's part `file` on disk; its size is checked here, what it really is by the verb. */
export async function receiveFile(request: Request, upload: Upload): Promise<Outcome<ReceivedFile>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data;/i.test(type) || !request.body) {
    return refuse({
      status: 415,
      message: 'Un fichier est attendu, dans un formulaire (multipart/form-data).',
    })
  }
  const directory = await mkdtemp(join(tmpdir(), 'comptoir-'))
  const forget = () => rm(directory, { recursive: true, force: true })
  const received = await readForm(request.body, type, upload, join(directory, 'file')).catch(
    async (error: unknown) => {
      await forget()
      if (error instanceof BadForm) return refuse({ status: 400, message: error.message })
      throw error
    },
  )
  if (!received.ok) {
    await forget()
    return received
  }
  return done({ ...received.answer, forget })
}

class BadForm extends Error {}

type Written = Omit<ReceivedFile, 'forget'>
type Part = Omit<Written, 'fields'>

async function readForm(
  body: ReadableStream<Uint8Array>,
  type: string,
  upload: Upload,
  path: string,
): Promise<Outcome<Written>> {
  const form = formOf(type, upload)
  let received: Promise<Outcome<Part>> | null = null
  const fields: Record<string, string> = {}
  let failure: Error | null = null
  let part: Readable | null = null
  form.on('file', (field, content, name, _encoding, mime) => {
    part = content
    received = receivePart(content, { field, name: nameOf(name), mime }, upload, path)
    // The form would wait for ever for the rest of a part that nobody reads.
    received.catch((error: Error) => {
      failure = error
      form.destroy(error)
    })
  })
  form.on('field', (name, value) => {
    if (upload.fields?.includes(name)) fields[name] = value
  })
  // A form of countless parts would be read to its end, and others would wait.
  form.on('partsLimit', () => form.destroy(new BadForm(incomplete)))
  try {
    await pipeline(Readable.fromWeb(body as never), form)
  } catch (error) {
    ;(part as Readable | null)?.destroy()
    throw failure ?? new BadForm(incomplete, { cause: error })
  }
  const reading = received as Promise<Outcome<Part>> | null
  if (!reading) return violation('file', 'Un fichier est attendu.')
  const outcome = await reading
  return outcome.ok ? done({ ...outcome.answer, fields }) : outcome
}

/** In bytes, of a field that is no file. */
const largestField = 64 * 1024

function formOf(type: string, { mostBytes, fields = [] }: Upload) {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        files: 1,
        fields: fields.length,
        fieldSize: largestField,
        parts: 1 + fields.length,
        fileSize: mostBytes,
        headerPairs: 20,
      },
    })
  } catch (error) {
    throw new BadForm(incomplete, { cause: error })
  }
}

const incomplete = 'Le formulaire est incomplet ou mal fait.'

async function receivePart(
  content: Readable & { truncated?: boolean },
  { field, name, mime }: { field: string; name: string; mime: string },
  { types }: Upload,
  path: string,
): Promise<Outcome<Part>> {
  if (field !== 'file') throw new BadForm('Le fichier est attendu dans la partie «\u00a0file\u00a0».')
  if (!types.includes(mime)) {
    content.resume()
    return violation('file', said(name, invalidFile))
  }
  const hash = createHash('sha256')
  const counted = new Transform({
    transform(chunk: Buffer, _, next) {
      hash.update(chunk)
      next(null, chunk)
    },
  })
  await pipeline(content, counted, createWriteStream(path, { mode: 0o600 }))
  if (content.truncated) return violation('file', said(name, fileTooLarge))
  return done({ path, name, hash: hash.digest('hex') })
}

const said = (name: string, fragment: string) => `«\u00a0${shortFileName(name)}\u00a0» ${fragment}`

function nameOf(name: string): string {
  const last =
    name
      .split(/[\\/]/)
      .at(-1)
      ?.replaceAll(/\p{Cc}/gu, '')
      .trim() ?? ''
  return last === '' ? 'Le fichier' : last.slice(0, 100)
}
