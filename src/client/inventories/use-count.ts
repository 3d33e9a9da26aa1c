import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

import { getInventory } from '../../contract/inventories.ts'
import { countName, removedStatus } from '../../offline/inventory-rows.ts'
import { CallError } from '../api/call-error.ts'
import { useConnection } from '../api/connection.ts'
import { oneQuery } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { type Count, type CountView, openCount } from './count.ts'
import { root } from './inventory-data.ts'
import { fetchOthers, type Loading, loadCount } from './load-count.ts'

type Opened =
  | { kind: 'opening' }
  | { kind: 'loading'; loading: Loading | null }
  | { kind: 'ready'; count: Count }
  /** Never loaded on this device, and no network. */
  | { kind: 'offline' }
  | { kind: 'failed'; error: unknown }

/** Opens an inventory as this device knows it, or loads it first. */
export function useOpenCount(id: number): { opened: Opened; retry: () => void } {
  const environment_id = useSession()?.environment_id ?? 0
  const isOnline = useConnection() === 'online'
  const [opened, setOpened] = useState<Opened>({ kind: 'opening' })
  const [turn, setTurn] = useState(0)
  const isReady = opened.kind === 'ready'
  useEffect(() => {
    if (isReady) return undefined
    let isOver = false
    const set = (next: Opened) => {
      if (!isOver) setOpened(next)
      else if (next.kind === 'ready') next.count.close()
    }
    const open = async () => {
      const name = countName(environment_id, id)
      const known = await openCount(name)
      if (known) return set({ kind: 'ready', count: known })
      if (!isOnline) return set({ kind: 'offline' })
      set({ kind: 'loading', loading: null })
      await loadCount(environment_id, id, (loading) => set({ kind: 'loading', loading }))
      const count = await openCount(name)
      if (count) set({ kind: 'ready', count })
    }
    open().catch((error: unknown) => set({ kind: 'failed', error }))
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once it is ready it stays so
  }, [environment_id, id, isOnline, turn])
  useEffect(() => (opened.kind === 'ready' ? () => opened.count.close() : undefined), [opened])
  return { opened, retry: () => setTurn(turn + 1) }
}

export const useCountView = (count: Count): CountView => useSyncExternalStore(count.watch, count.view)

/** Copies change little while one counts. */
const copiesMs = 10 * 60_000

/** While on line: what others count, how the inventory stands, and copies from time to time. */
export function useFreshCount(count: Count): void {
  const { loaded } = useCountView(count)
  const { environment_id, id, loaded_at } = loaded
  const isOnline = useConnection() === 'online'
  const name = countName(environment_id, id)
  // Its key begins as that of the inventories, so other devices' changes fetch it again.
  useQuery({
    queryKey: [root, 'others', name],
    queryFn: async () => {
      await fetchOthers(name, id, count.takeOthers)
      return Date.now()
    },
    enabled: isOnline,
  })
  const { data, error } = useQuery({ ...oneQuery(getInventory, id), enabled: isOnline })
  const status = error instanceof CallError && error.status === 404 ? removedStatus : data?.status
  const isStale = status !== undefined && status !== loaded.status
  // Copies that were asked for before it changed bring back what it was.
  useEffect(() => {
    if (isStale) void count.noteStatus(status).catch(() => undefined)
  }, [count, status, isStale])
  useQuery({
    queryKey: ['inventory_copies', name],
    queryFn: async () => {
      await loadCount(environment_id, id)
      await count.takeCopies()
      return Date.now()
    },
    enabled: isOnline,
    staleTime: copiesMs,
    refetchInterval: copiesMs,
    initialData: () => Date.parse(loaded_at ?? '') || 0,
    initialDataUpdatedAt: () => Date.parse(loaded_at ?? '') || 0,
  })
}
