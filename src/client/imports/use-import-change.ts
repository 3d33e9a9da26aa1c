import type { BodyOf } from '../../contract/endpoint.ts'
import { changeImport, type Import } from '../../contract/imports.ts'
import { useChange } from '../api/queries.ts'
import { sayError } from '../page/messages.ts'

type Body = BodyOf<typeof changeImport>

/** Says something else of an import; `isPending` until the server has read the file again. */
export function useImportChange({ id }: Pick<Import, 'id'>) {
  const { mutate, isPending, variables } = useChange(changeImport)
  const send = (body: Body, onSuccess?: () => void) =>
    mutate(
      { params: { id }, body },
      { onError: (error) => sayError(error), ...(onSuccess ? { onSuccess } : {}) },
    )
  return { send, isPending, sent: isPending ? variables.body : undefined }
}
