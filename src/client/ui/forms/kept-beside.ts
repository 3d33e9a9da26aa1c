import type { Form } from './use-fields.ts'

type Beside<T> = { isDirty: boolean; kept: T; restore: (kept: T) => void }

const beside = ' beside'

/** A form whose draft also keeps what it holds beside its fields, such as chosen files. */
export function keptBeside<F extends Pick<Form, 'draft' | 'restore' | 'isDirty'>, T>(
  form: F,
  { isDirty, kept, restore }: Beside<T>,
): F {
  const { draft } = form
  return {
    ...form,
    isDirty: form.isDirty || isDirty,
    draft: draft && isDirty ? { ...draft, changed: { ...draft.changed, [beside]: kept } } : draft,
    restore: ({ [beside]: found, ...changed }) => {
      form.restore(changed)
      if (found !== undefined) restore(found as T)
    },
  }
}
