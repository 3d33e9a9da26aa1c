import {
  type ChangeEvent,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import type { Violation } from '../../../contract/violations.ts'
import { somethingFailed } from '../../../domain/sentences/everywhere.ts'
import { CallError } from '../../api/call-error.ts'
import { inWords } from '../../page/house-words.ts'

function useFocusFirstError(form: RefObject<HTMLElement | null>, error: unknown): void {
  useLayoutEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, error])
}

export type Form<Field extends string = string> = {
  ref: RefObject<HTMLFormElement | null>
  text: (field: Field, label: string) => TextProps
  /** Text that no draft keeps, such as a password. */
  secret: (field: Field, label: string) => SecretProps
  choice: (field: Field, label: string) => ChoiceProps
  number: (field: Field, label: string) => NumberProps
  day: (field: Field, label: string) => DayProps
  several: (field: Field, label: string) => SeveralProps
  flag: (field: Field, label: string) => FlagProps
  /** Of a field that is made of several, such as a table of values. */
  whole: (field: Field, label: string) => WholeProps
  write: (field: Field, value: string | number | File | null) => void
  submit: (event: SubmitEvent) => void
  restart: () => void
  /** What differs from the beginning, and how it is put back into a form that was made anew. */
  changed: Readonly<Record<string, unknown>>
  restore: (changed: Readonly<Record<string, unknown>>) => void
  /** What is kept when the session ends under it, and in which form it is found again. */
  draft: { about: string; changed: Readonly<Record<string, unknown>> }
  isPending: boolean
  isDirty: boolean
  changes: number
  error: unknown
  /** The first error, for the top of a dialog, or null. */
  alert: string | null
  /** The error that stands at no field, for a page, or null. */
  problem: string | null
}
type FieldProps = { label: string; error: string | undefined }
type TextProps = FieldProps & {
  value: string
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
}
type SecretProps = TextProps & { 'aria-invalid': boolean }
type ChoiceProps = FieldProps & { value: string | null; onChange: (value: string | null) => void }
type NumberProps = FieldProps & { value: number | string; onChange: (value: number | string) => void }
type DayProps = FieldProps & { value: string; onChange: (day: string) => void }
type SeveralProps = FieldProps & { value: string[]; onChange: (values: string[]) => void }
type WholeProps = FieldProps & { value: unknown; onChange: (value: object) => void }
type FlagProps = FieldProps & {
  checked: boolean
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  'aria-invalid': boolean
}

export type Faults = Partial<Record<string, string>>

export const violationsIn = (faults: Faults): Violation[] =>
  Object.entries(faults).flatMap(([propertyPath, message]) =>
    message === undefined ? [] : [{ propertyPath, message }],
  )

type FieldsOptions<V extends object, A> = {
  /** What the form is of, so that what was typed is given back to no other. */
  about: string
  initial: V
  /** Errors found before sending; `changed` differs from the beginning. */
  faults: (values: V, changed: Partial<V>) => readonly Violation[]
  send: (values: V, changed: Partial<V>) => A | Promise<A>
  onSent?: ((answer: A) => unknown) | undefined
  /** What was sent is the beginning of what is written next. */
  staysOpen?: boolean | undefined
  wording?: ((error: unknown) => string) | undefined
}

const none: ReadonlySet<string> = new Set()

const ownWording = (error: unknown): string =>
  inWords(error instanceof CallError ? error.message : somethingFailed)

/** The fields of every form, their errors, and one sending at a time. */
export function useFields<V extends object, A>(options: FieldsOptions<V, A>): Form<keyof V & string> {
  const { about, faults, send, onSent, staysOpen = false, wording = ownWording } = options
  // A colleague may change what the form was opened on.
  const [initial, setInitial] = useState(options.initial as Record<string, unknown>)
  const [values, setValues] = useState(initial)
  const [own, setOwn] = useState<readonly Violation[]>([])
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  // Fields tell their labels while they are drawn.
  const [labels] = useState(() => new Map<string, string>())
  const [secrets] = useState(() => new Set<string>())
  const ref = useRef<HTMLFormElement>(null)
  const isUnderWay = useRef(false)
  const isShown = useIsShown()
  // What was wrong with a field is over once it is written in; the next sending looks again.
  const [mended, setMended] = useState<ReadonlySet<string>>(none)
  const said =
    own.length > 0
      ? own.filter(({ propertyPath }) => !mended.has(propertyPath))
      : error instanceof CallError
        ? error.violations
        : []
  useFocusFirstError(ref, own.length > 0 ? own : error)

  const changed = Object.fromEntries(
    Object.entries(values).filter(([field, value]) => !isSame(value, initial[field])),
  )
  const sendOnce = async () => {
    isUnderWay.current = true
    setPending(true)
    try {
      const answer = await send(values as V, changed as Partial<V>)
      if (staysOpen) setInitial(values)
      if (isShown.current) await onSent?.(answer)
    } catch (refusal) {
      setError(refusal)
    } finally {
      isUnderWay.current = false
      setPending(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // A form in a dialog over a form is within it for React.
    event.stopPropagation()
    if (isUnderWay.current) return
    const unfit = unfitField(ref.current)
    const found = unfit ? [] : faults(values as V, changed as Partial<V>)
    setOwn(found)
    setMended(none)
    setError(null)
    if (unfit) unfit.focus()
    else if (found.length === 0) void sendOnce()
  }

  const shown = ({ propertyPath, message }: Violation) =>
    // A field of a part is named with the part before it.
    message.replace(/«\u00a0([\w.]+)\u00a0»/, (quoted, path: string) =>
      path === propertyPath || path.endsWith(`.${propertyPath}`)
        ? `«\u00a0${labels.get(propertyPath) ?? propertyPath}\u00a0»`
        : quoted,
    )
  const field = (name: string, plain: string): FieldProps => {
    const label = inWords(plain)
    labels.set(name, label)
    const violation = said.find(({ propertyPath }) => propertyPath === name)
    return { label, error: violation && shown(violation) }
  }
  // A field absent at the beginning and left blank is not sent.
  const write = (name: string, value: unknown) => {
    if (own.length > 0) setMended((before) => new Set([...before, name]))
    setValues((before) => ({ ...before, [name]: value === '' ? (name in initial ? '' : undefined) : value }))
  }
  // Nothing is neither a number nor a day.
  const writeOrEmpty = (name: string, value: unknown) =>
    write(name, value === '' && name in initial ? null : value)
  const written = (name: string) => {
    const value = values[name]
    return typeof value === 'string' || typeof value === 'number' ? value : ''
  }
  const sayUnplaced = (violation: Violation) =>
    violation === said[0] && error !== null ? wording(error) : shown(violation)

  const text = (name: string, label: string): TextProps => ({
    ...field(name, label),
    value: String(written(name)),
    onChange: (event) => write(name, event.currentTarget.value),
  })

  return {
    ref,
    text,
    secret: (name, label) => {
      secrets.add(name)
      const props = text(name, label)
      // The library's password field does not say by itself that it is invalid.
      return { ...props, 'aria-invalid': props.error !== undefined }
    },
    choice: (name, label) => ({
      ...field(name, label),
      value: String(written(name)) || null,
      onChange: (value) => write(name, value),
    }),
    number: (name, label) => ({
      ...field(name, label),
      value: written(name),
      onChange: (value) => writeOrEmpty(name, value),
    }),
    day: (name, label) => ({
      ...field(name, label),
      value: String(written(name)),
      onChange: (value) => writeOrEmpty(name, value),
    }),
    several: (name, label) => ({
      ...field(name, label),
      value: (values[name] as string[] | undefined) ?? [],
      onChange: (value) => write(name, value),
    }),
    whole: (name, label) => ({
      ...field(name, label),
      value: values[name],
      onChange: (value) => write(name, value),
    }),
    flag: (name, label) => ({
      ...field(name, label),
      checked: values[name] === true,
      'aria-invalid': said.some(({ propertyPath }) => propertyPath === name),
      onChange: (event) => write(name, event.currentTarget.checked),
    }),
    write,
    submit,
    restart: () => {
      setValues(initial)
      setOwn([])
      setError(null)
    },
    changed,
    draft: {
      about,
      // Read once the fields were drawn, which tells the secrets.
      get changed() {
        return Object.fromEntries(Object.entries(changed).filter(([name]) => !secrets.has(name)))
      },
    },
    restore: (before) => setValues((now) => ({ ...now, ...before })),
    isPending,
    isDirty: Object.keys(changed).length > 0,
    changes: Object.keys(changed).length,
    error,
    get alert() {
      const [first] = said
      if (first) return labels.has(first.propertyPath) ? shown(first) : sayUnplaced(first)
      return error === null ? null : wording(error)
    },
    get problem() {
      const unplaced = said.find(({ propertyPath }) => !labels.has(propertyPath))
      if (unplaced) return sayUnplaced(unplaced)
      return said.length > 0 || error === null ? null : wording(error)
    },
  }
}

const isSame = (value: unknown, before: unknown): boolean =>
  isObject(value) && isObject(before) ? JSON.stringify(value) === JSON.stringify(before) : value === before

/** A file is compared as itself. */
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof File)

/** A field that reports its own error, such as a day that does not exist. */
const unfitField = (form: HTMLFormElement | null): HTMLElement | undefined =>
  [...(form?.querySelectorAll<HTMLInputElement>('input, textarea') ?? [])].find(
    ({ validity }) => validity.customError,
  )

function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
