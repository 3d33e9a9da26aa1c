import type { BodyOf } from '../../contract/endpoint.ts'
import { changeImport, type Import } from '../../contract/imports.ts'
import { useChange } from '../api/queries.ts'
import { sayError } from '../page/messages.ts'

type Body = BodyOf<typeof changeImport>

/** Says something else of an import; `isPending` until the server has read the file again. */
export function useImportChange({ id }: Pick<Import, 'id'>) {
  const { mutate, mutateAsync, isPending, variables } = useChange(changeImport)
  const send = (body: Body, onSuccess?: () => void) =>
    mutate(
      { params: { id }, body },
      { onError: (error) => sayError(error), ...(onSuccess ? { onSuccess } : {}) },
    )
  /** For what is told once it is done, though the part that asked for it may be drawn anew by then. */
  const sendAndWait = (body: Body) => mutateAsync({ params: { id }, body })
  return { send, sendAndWait, isPending, sent: isPending ? variables.body : undefined }
}
