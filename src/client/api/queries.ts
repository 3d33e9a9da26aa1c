import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'

import { resourceOf } from '../../contract/changed-resources.ts'
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts'
import type { FileType } from '../../contract/file-types.ts'
import type { Download } from '../../contract/files.ts'
import type { ListQuery, ListShape } from '../../contract/list.ts'
import { CallError } from './call-error.ts'
import { call, type CallInput } from './call.ts'
import { refreshChanged } from './refresh-changed.ts'
import { type gestureKeys, useGestureKeys } from './gesture-keys.ts'

export const listQuery = <E extends Endpoint & { list: ListShape }>(endpoint: E, list: Partial<ListQuery>) =>
  queryOptions({
    queryKey: [resourceOf(endpoint), endpoint.name, list],
    queryFn: ({ signal }) => call(endpoint, { list, signal } as unknown as CallInput<E>),
    placeholderData: keepPreviousData,
  })

export const oneQuery = <E extends Endpoint & { path: `${string}/{id}` }>(endpoint: E, id: number) =>
  queryOptions({
    queryKey: [resourceOf(endpoint), endpoint.name, id],
    queryFn: ({ signal }) => call(endpoint, { params: { id }, signal } as unknown as CallInput<E>),
  })

/** `gesture` tells it from another change that sends the same. */
export type ChangeInput<E extends Endpoint> = CallInput<E> & { gesture?: string }

/** The same file is the same gesture. */
const fileByItsFacts = (_: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value

function sendChange<E extends Endpoint>(
  once: ReturnType<typeof gestureKeys>,
  endpoint: E,
  { gesture, ...input }: ChangeInput<E>,
): Promise<AnswerOf<E>> {
  const { params } = input as { params?: object }
  const sent = JSON.stringify(endpoint.addsUp ? params : input, fileByItsFacts)
  return once(gesture ?? sent, (key) => call(endpoint, { ...input, key } as unknown as CallInput<E>))
}

/** Fetches the resource again, whatever the answer; asking again acts only once. */
export function useChange<E extends Endpoint>(endpoint: E) {
  const client = useQueryClient()
  const once = useGestureKeys()
  return useMutation({
    mutationFn: (input: ChangeInput<E>) => sendChange(once, endpoint, input),
    onSettled: () => refreshChanged(resourceOf(endpoint), client),
  })
}

export type Progress = { done: number; total: number; isStopping: boolean }

/** One after the other, past failures unless the network is gone; `progress` is null while idle. */
export function useEachChange<E extends Endpoint>(endpoint: E) {
  const client = useQueryClient()
  const once = useGestureKeys()
  const [progress, setProgress] = useState<Progress | null>(null)
  const isStopped = useRef(false)
  const { mutateAsync } = useMutation({
    mutationFn: async (inputs: readonly ChangeInput<E>[]) => {
      isStopped.current = false
      const results: PromiseSettledResult<AnswerOf<E>>[] = []
      let lost: CallError | null = null
      for (const input of inputs) {
        if (isStopped.current) break
        setProgress({ done: results.length, total: inputs.length, isStopping: false })
        try {
          if (lost) throw lost
          results.push({ status: 'fulfilled', value: await sendChange(once, endpoint, input) })
        } catch (error) {
          results.push({ status: 'rejected', reason: error })
          if (error instanceof CallError && error.isNoNetwork) lost = error
        }
      }
      return results
    },
    onSettled: () => {
      setProgress(null)
      return refreshChanged(resourceOf(endpoint), client)
    },
  })
  const stop = useCallback(() => {
    isStopped.current = true
    setProgress((before) => before && { ...before, isStopping: true })
  }, [])
  return { changeEach: mutateAsync, progress, stop }
}

export type Export = Endpoint & { list: ListShape; files: readonly FileType[] }
export type ExportQuery = { export_type: FileType; columns?: string }
type ExportOf = { list: Pick<ListQuery, 'filters' | 'order'>; query: ExportQuery }

/** A list that is not exported has no endpoint, and never runs it. */
export const useExport = (endpoint: Export | undefined) =>
  useMutation({
    mutationFn: (of: ExportOf) => call(endpoint!, of as unknown as CallInput<Export>) as Promise<Download>,
  })
